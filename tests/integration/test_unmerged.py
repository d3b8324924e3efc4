"""What git waits for after a merge is named by ``gitmem check``, with the command that ends it."""

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

ALIKE = "The staging database is reset at night, so nothing in it is kept.\n" * 9


def note(repo: "Checkout", title: str) -> str:
    """Write a note like all others here; give its path."""
    record = ok(repo, "add", "note", "--title", title, "--body", ALIKE).split()[0]
    return next(str(path.relative_to(repo)) for path in repo.rglob(f"*{record}.yaml"))


def forget(repo: "Checkout", path: str) -> None:
    (repo / path).unlink()


@pytest.fixture
def apart(repo: "Checkout") -> "Checkout":
    """Give a memory with one note, of which two branches begin; we are on ``ours``."""
    ok(repo, "init")
    note(repo, "old")
    repo.commit("old")
    repo.git("branch", "theirs")
    repo.git("checkout", "-q", "-b", "ours")
    return repo


def old(repo: "Checkout") -> str:
    return next(str(path.relative_to(repo)) for path in repo.rglob("old-*.yaml"))


def told(repo: "Checkout") -> dict[str, str]:
    """Give the command that ``check`` names for each path that git waits for."""
    checked = run(repo, "check")
    assert checked.code == 1, checked
    lines = checked.out.splitlines()
    paths = [line for line in lines if not line.startswith("    ")]
    assert all("[unmerged]" in line for line in paths), checked
    hints = [line.strip() for line in lines if line.startswith("    ")]
    return dict(zip((line.partition(": error: ")[0] for line in paths), hints, strict=True))


def do(repo: "Checkout", command: str) -> None:
    subprocess.run(command, shell=True, cwd=repo, check=True, capture_output=True)  # noqa: S602


WAYS = {
    "merge": (("merge", "-q", "theirs"), ("commit", "-qm", "merged")),
    "cherry-pick": (("cherry-pick", "theirs"), ("cherry-pick", "--continue")),
    "rebase": (("rebase", "-q", "theirs"), ("rebase", "--continue")),
}


@pytest.mark.parametrize("way", WAYS)
def test_two_new_records_that_git_takes_for_one_are_whole_after_what_check_says(
    apart: "Checkout", way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_EDITOR", "true")
    gone, texts = old(apart), {}
    for branch, title in (("theirs", "it's theirs"), ("ours", "ours")):
        apart.git("checkout", "-q", branch)
        path = note(apart, title)
        texts[path] = (apart / path).read_bytes()
        forget(apart, gone)
        apart.commit(branch)
    begin, go_on = WAYS[way]
    apart.git(*begin, code=1)
    steps = told(apart)
    assert steps.keys() == {gone, *texts}
    for step in steps.values():
        do(apart, step)
    assert run(apart, "check").code == 0
    apart.git(*go_on)
    assert {path: (apart / path).read_bytes() for path in texts} == texts
    assert not (apart / gone).exists()
    assert apart.git("status", "--porcelain") == ""


def test_a_new_record_beside_one_that_both_sides_forgot_only_wants_to_be_added(
    apart: "Checkout",
) -> None:
    gone = old(apart)
    forget(apart, gone)
    new = note(apart, "ours")
    text = (apart / new).read_bytes()
    apart.commit("ours")
    apart.git("checkout", "-q", "theirs")
    forget(apart, gone)
    apart.commit("theirs")
    apart.git("merge", "-q", "ours", code=1)
    steps = told(apart)
    assert steps == {new: f"git add {new}"}
    do(apart, steps[new])
    assert (apart / new).read_bytes() == text
    assert run(apart, "check").code == 0


def test_a_record_that_one_side_edited_and_the_other_forgot_can_be_kept_or_not(
    apart: "Checkout",
) -> None:
    gone = old(apart)
    forget(apart, gone)
    apart.commit("ours")
    apart.git("checkout", "-q", "theirs")
    (apart / gone).write_text((apart / gone).read_text().replace("night", "noon"))
    apart.commit("theirs")
    apart.git("merge", "-q", "ours", code=1)
    assert told(apart) == {gone: f"keep it: git add {gone}; or: git rm {gone}"}
    do(apart, f"git rm -q {gone}")
    assert run(apart, "check").code == 0


def test_a_plain_conflict_is_told_once_by_its_marks_and_then_wants_to_be_added(
    apart: "Checkout",
) -> None:
    path = old(apart)
    for branch in ("theirs", "ours"):
        apart.git("checkout", "-q", branch)
        text = (apart / path).read_text()
        (apart / path).write_text(text.replace("title: old", f"title: old of {branch}"))
        apart.commit(branch)
    apart.git("-c", "merge.gitmem.driver=false", "merge", "-q", "theirs", code=1)
    if "<<<<<<<" not in (apart / path).read_text():
        apart.git("checkout", "--conflict=merge", "--", path)
    checked = run(apart, "check")
    assert checked.code == 1
    assert "[conflict-marker]" in checked.out
    assert "[unmerged]" not in checked.out
    apart.git("checkout", "--ours", "--", path)
    assert told(apart) == {path: f"if it is as it should be: git add {path}"}
    do(apart, f"git add {path}")
    assert run(apart, "check").code == 0


def test_in_a_package_of_a_repository_the_commands_are_those_from_its_top(
    repo: "Checkout",
) -> None:
    (repo / "packages/till").mkdir(parents=True)
    till = type(repo)(repo / "packages/till")
    ok(till, "init", "--here")
    path = note(till, "old")
    repo.commit("old")
    repo.git("checkout", "-q", "-b", "theirs")
    forget(till, path)
    repo.commit("theirs")
    repo.git("checkout", "-q", "-")
    (till / path).write_text((till / path).read_text().replace("night", "noon"))
    repo.commit("ours")
    repo.git("merge", "-q", "theirs", code=1)
    checked = run(till, "check")
    assert checked.code == 1
    assert f"git rm packages/till/{path}" in checked.out
