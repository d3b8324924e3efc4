"""An index without a folder: what git itself makes of it, in every form git writes."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.git.index_file import without
from gitmem.git.snapshot import snapshot

if TYPE_CHECKING:
    from tests.conftest import Checkout

NAMES = [".memory", ".memory-x", ".memory.txt", ".memoryx", ".a", "a", "sub", "zoo", "ü", ".memor"]


def listed(repo: "Checkout", index: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List an index with all that git keeps of a file: stage, mode, id, times, flags."""
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(index))
        said = repo.git("ls-files", "--stage", "--debug"), repo.git("ls-files", "-v")
    return "\n".join(said).splitlines()


def cut(repo: "Checkout", folder: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the index without a folder; git must find its closing hash and its trees right."""
    made = without((repo / ".git" / "index").read_bytes(), folder)
    assert made is not None
    path = repo.parent / "cut-index"
    path.write_bytes(made)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(path))
        patch.setenv("GIT_TEST_CHECK_CACHE_TREE", "1")
        repo.git("fsck", "--cache", "--no-dangling")
        repo.git("status", "--porcelain")
    return path


def tree(repo: "Checkout", index: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(index))
        return repo.git("write-tree")


def removed_by_git(repo: "Checkout", folder: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the same made by git, one entry after the other."""
    path = repo.parent / "git-index"
    path.write_bytes((repo / ".git" / "index").read_bytes())
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(path))
        specs = ("--", f":(top,literal){folder}")
        repo.git("rm", "-rqf", "--cached", "--sparse", "--ignore-unmatch", *specs)
    return path


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
@pytest.mark.parametrize("seed", range(8))
def test_it_is_what_git_makes_itself(
    make_repo: Callable[..., "Checkout"],
    seed: int,
    algorithm: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo = make_repo("made", f"--object-format={algorithm}")
    rng = Random(seed)
    for number in range(60):
        parts = [rng.choice(NAMES) for _ in range(rng.randint(1, 3))]
        path = repo.joinpath(*parts, f"{'n' * rng.randint(1, 40)}{number}")
        repo.add(str(path.relative_to(repo)), f"{number}\n")
    if seed % 2:
        repo.commit()  # all trees are known, else none
        repo.add("a/late", "x\n")
    repo.git("add", "-A")
    everything = repo.git("ls-files", "-z").split("\0")[:-1]
    chosen = rng.sample(everything, 6)
    repo.git("update-index", "--assume-unchanged", *chosen[:2])
    repo.git("update-index", "--skip-worktree", *chosen[2:4])  # these need version 3
    repo.add("sub/intended", "y\n")
    repo.git("add", "-N", "sub/intended")
    for folder in (".memory", "sub", "zoo/.memory", "nowhere", "a/.memory/zoo", "ü"):
        ours = cut(repo, folder, monkeypatch)
        gits = removed_by_git(repo, folder, monkeypatch)
        assert listed(repo, ours, monkeypatch) == listed(repo, gits, monkeypatch)
        assert tree(repo, ours, monkeypatch) == tree(repo, gits, monkeypatch)


def test_stages_of_a_conflict_and_a_file_of_that_name(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    paths = (".memory", "a", ".memory-")
    lines = [f"100644 {blob} {stage}\t{path}\n" for path in paths for stage in (1, 2, 3)]
    repo.git("update-index", "--index-info", stdin="".join(lines).encode())
    ours = cut(repo, ".memory", monkeypatch)
    left = [line for line in lines if line.split("\t")[1] != ".memory\n"]
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(ours))
        assert repo.git("ls-files", "--stage").splitlines() == sorted(
            (line.strip() for line in left), key=lambda line: (line[50:], line[48])
        )


@pytest.mark.parametrize("length", [4094, 4095, 4096, 5000])
@pytest.mark.parametrize("extended", [False, True])
def test_names_longer_than_their_length_can_tell(
    repo: "Checkout",
    length: int,
    monkeypatch: pytest.MonkeyPatch,
    extended: bool,  # noqa: FBT001  by name
) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    long = "l" * length
    for path in (long, f".memory/{long}", "z"):
        repo.git("update-index", "--index-info", stdin=f"100644 {blob}\t{path}\n".encode())
        if extended:
            repo.git("update-index", "--skip-worktree", "-z", "--stdin", stdin=path.encode())
    ours = cut(repo, ".memory", monkeypatch)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(ours))
        assert repo.git("ls-files").splitlines() == [long, "z"]


def test_what_is_no_plain_index_is_left_to_git(repo: "Checkout") -> None:
    for path in ("a", ".memory/a", "sub/b"):
        repo.add(path, f"{path}\n")
    repo.git("add", "-A")
    index = repo / ".git" / "index"
    plain = index.read_bytes()
    assert without(plain, ".memory")
    assert without(plain[:-1], ".memory") is None
    assert without(plain[:100], ".memory") is None
    assert without(b"", ".memory") is None
    assert without(b"x" * 1000, ".memory") is None
    unknown = plain[:-20] + b"newx\0\0\0\0" + plain[-20:]
    assert without(unknown, ".memory") is None
    repo.git("update-index", "--index-version", "4")
    assert without(index.read_bytes(), ".memory") is None


def test_known_trees_that_can_not_be_read_are_made_anew(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.add("sub/a", "1\n")
    repo.add(".memory/n", "1\n")
    repo.commit()
    index = repo / ".git" / "index"
    whole = index.read_bytes()
    at = whole.index(b"TREE") + 8
    index.write_bytes(whole[:at] + b"\0?" + whole[at + 2 :])
    made = without(index.read_bytes(), ".memory")
    assert made is not None
    assert b"TREE" not in made
    path = repo.parent / "cut-index"
    path.write_bytes(made)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(path))
        assert repo.git("ls-tree", "-r", "--name-only", repo.git("write-tree")) == "sub/a"


def form(repo: "Checkout", kind: str) -> None:
    """Have git write its index in another form."""
    if kind == "version 4":
        repo.git("update-index", "--index-version", "4")
    elif kind == "split":
        repo.git("update-index", "--split-index")
        repo.add("late", "x\n")
        repo.git("add", "late")
    else:
        repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")


@pytest.mark.parametrize("memory", [".memory", "out/.memory"])
@pytest.mark.parametrize("kind", ["version 4", "split", "sparse"])
def test_a_snapshot_with_an_index_of_another_form(repo: "Checkout", kind: str, memory: str) -> None:
    for path in ("in/a", "out/b", "out/deep/c", "z", f"{memory}/n.yaml", "in/.memory/code"):
        repo.add(path, f"{path}\n")
    repo.commit()
    form(repo, kind)
    index = repo / ".git" / "index"
    before = index.read_bytes(), index.stat().st_mtime_ns
    assert without(before[0], memory) is None
    repo.add("in/a", "edited\n")
    made = snapshot(str(repo), str(repo / ".git"), memory)
    names = set(repo.git("ls-tree", "-r", "--name-only", made).splitlines())
    expected = {"in/a", "out/b", "out/deep/c", "z", "in/.memory/code"}
    assert names == expected | ({"late"} if kind == "split" else set())
    assert repo.git("cat-file", "blob", f"{made}:in/a") == "edited"
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
    assert os.listdir(repo / ".git" / "gitmem") == []


def test_a_snapshot_where_nothing_changed_writes_no_object(repo: "Checkout") -> None:
    repo.add("sub/a", "1\n")
    repo.commit()
    objects = sorted((repo / ".git" / "objects").rglob("*"))
    repo.add(".memory/notes/n.yaml", "not part of it\n")
    made = snapshot(str(repo), str(repo / ".git"), ".memory")
    assert made == repo.git("rev-parse", "HEAD^{tree}")
    assert sorted((repo / ".git" / "objects").rglob("*")) == objects


def test_a_snapshot_asks_git_nothing_about_many_records(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git is asked must not go over all records: it takes them out one by one."""
    for number in range(50):
        repo.add(f".memory/notes/{number}.yaml", "x\n")
    repo.add("a", "1\n")
    repo.commit()
    trace = repo.parent / "trace"
    program = repo.parent / "bin" / "git"
    program.parent.mkdir()
    real = os.environ["PATH"]
    program.write_text(
        f'#!/bin/sh\nPATH="{real}" GIT_TRACE2_PERF="{trace}" exec git "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{real}")
    snapshot(str(repo), str(repo / ".git"), ".memory")
    read = [line for line in trace.read_text().splitlines() if "read/cache_nr" in line]
    assert read
    assert all(line.endswith("cache_nr:1") for line in read)
