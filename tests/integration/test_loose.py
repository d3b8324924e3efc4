"""A record that was written is among git's objects before anybody adds it."""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.git.git_dirs import find
from gitmem.git.loose import keep
from gitmem.memory import Memory
from tests.accounts import IS_ROOT
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout


def objects(root: Path) -> set[str]:
    """Name git's objects; git itself must find nothing wrong with them."""
    subprocess.run(["git", "fsck", "--strict"], cwd=root, check=True, capture_output=True)
    listed = subprocess.run(
        ["git", "cat-file", "--batch-check", "--batch-all-objects"],
        cwd=root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return {line.split(maxsplit=1)[0] for line in listed.stdout.splitlines()}


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_the_object_is_the_one_that_git_add_makes(tmp_path: Path, form: str) -> None:
    root = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", f"--object-format={form}", str(root)], check=True)
    (root / "a").write_text("title: ü\n")
    git_dirs = find(str(root))
    assert git_dirs
    for _ in range(2):
        keep(git_dirs, (root / "a").read_bytes())
    kept = objects(root)
    assert len(kept) == 1
    subprocess.run(["git", "add", "a"], cwd=root, check=True)
    assert objects(root) == kept
    assert [path.name for path in (root / ".git/objects").rglob("tmp_*")] == []


def test_a_record_that_a_stash_deletes_in_its_last_moment_is_among_gits_objects(
    repo: "Checkout",
) -> None:
    ok(repo, "init")
    repo.commit("memory")
    repo.add("other.txt", "not tracked")
    # What git stash --include-untracked does, with an add before its last step.
    repo.git("stash", "create")
    record = ok(repo, "add", "note", "--title", "in between").split()[0]
    repo.git("clean", "-qfd")
    assert record not in ok(repo, "list")
    lost = repo.git("fsck", "--no-reflogs", "--unreachable").splitlines()
    texts = [repo.git("cat-file", "blob", line.split()[2]) for line in lost if " blob " in line]
    assert [text for text in texts if f"id: {record}" in text]


@pytest.mark.parametrize("how", ["--shared=group", "--shared=0660"])
def test_a_shared_repository_gets_no_folder_that_others_can_not_write(
    tmp_path: Path, how: str
) -> None:
    root = tmp_path / "shared"
    subprocess.run(["git", "init", "-q", how, str(root)], check=True)
    (root / ".git/objects").chmod(0o770)
    ok(root, "init")
    before = sorted((root / ".git/objects").iterdir())
    record = ok(root, "add", "note", "--title", "for all of us").split()[0]
    assert sorted((root / ".git/objects").iterdir()) == before
    assert record in ok(root, "list")


def test_another_users_repository_gets_no_objects_of_ours(repo: "Checkout") -> None:
    if not IS_ROOT:
        pytest.skip("only the superuser can give files away")
    ok(repo, "init")
    os.chown(repo / ".git/objects", 65534, 65534)
    before = objects(repo)
    ok(repo, "add", "note", "--title", "borrowed")
    assert objects(repo) == before


def test_where_git_can_not_be_written_the_record_is(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.commit("memory")
    (repo / ".git/objects").rename(repo / ".git/away")
    (repo / ".git/objects").write_bytes(b"")
    try:
        with Memory.open(str(repo)) as memory:
            record = memory.add("note", {"title": "still here"})
    finally:
        (repo / ".git/objects").unlink()
        (repo / ".git/away").rename(repo / ".git/objects")
    assert record.id in ok(repo, "list")
