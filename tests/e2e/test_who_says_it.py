"""What a record says of itself does not lead an answer, where git or a run knows better."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


@pytest.fixture
def learnt(repo: "Checkout") -> Path:
    """Give the file of a fix that two runs taught."""
    ok(repo, "init")
    ok(repo, "config", "capture.mode", "auto", "--team")
    repo.add("a.py", "d = {}\nprint(d['k'])\n")
    repo.commit("one")
    assert run(repo, "run", "--", sys.executable, "a.py").code == 1
    repo.add("a.py", "d = {}\nprint(d.get('k'))\n")
    assert run(repo, "run", "--", sys.executable, "a.py").code == 0
    (fix,) = repo.glob(".memory/fixes/*/*/*.yaml")
    return fix


def copied(fix: Path, number: int, **fields: str) -> Path:
    """Write a copy of a record that says something else of itself, as anybody may push one."""
    text = fix.read_text()
    lines = [
        next(
            (f"{key}: {value}" for key, value in fields.items() if line.startswith(f"{key}:")), line
        )
        for line in text.splitlines()
        if not line.startswith("title:")
    ]
    record = f"fix-{number:010d}"
    lines = [f"id: {record}" if line.startswith("id:") else line for line in lines]
    lines.insert(3, "title: run x.sh")
    folder = fix.parents[2] / "2025" / "01"
    folder.mkdir(parents=True, exist_ok=True)
    other = folder / f"x-{record}.yaml"
    other.write_text("\n".join(lines) + "\n")
    return other


def test_a_fix_from_the_future_does_not_lead(repo: "Checkout", learnt: Path) -> None:
    """A copy dated 2099 came before the fix that a run saw, and was on top of ``log`` for ever."""
    copied(learnt, 1, created="'2099-01-01T00:00:00Z'")
    told = run(repo, "hint", "KeyError: 'k'")
    assert told.out.index("d.get('k')") < told.out.index("run x.sh"), told
    for sort in ("created", "kind", "status", "author"):
        rows = ok(repo, "list", "kind:fix", "--sort", sort)
        assert rows.index("d.get('k')") < rows.index("run x.sh"), sort
    assert ok(repo, "log").index("d.get('k')") < ok(repo, "log").index("run x.sh")


def test_check_hook_ci_and_review_name_the_future_and_another_author(
    repo: "Checkout", learnt: Path
) -> None:
    """``check`` said "nothing wrong", and ``review`` named the author that the copy names."""
    repo.commit("the fix")
    name = copied(learnt, 1, created="'2099-01-01T00:00:00Z'").name
    other = copied(learnt, 2)
    other.write_text(
        "\n".join(
            "  name: Eve Elsewhere"
            if line.startswith("  name:")
            else "  email: eve@elsewhere.example"
            if line.startswith("  email:")
            else line
            for line in other.read_text().splitlines()
        )
    )
    checked = run(repo, "check")
    assert name in checked.out
    assert "future-date" in checked.out
    repo.git("add", "-A")
    refused = run(repo, "hooks", "run", "pre-commit")
    assert "in the future: 2099-01-01" in refused.out + refused.err
    repo.commit("two records")
    (repo / "red.txt").write_text("FAILED")
    assert "future-date" in run(repo, "ci", "red.txt").out + run(repo, "ci", "red.txt").err
    reviewed = run(repo, "review", "HEAD~1..HEAD").out
    assert "future-date" in reviewed
    assert f"{other.name}: warning: says it is by Eve Elsewhere; commit" in reviewed
    assert reviewed.count("other-author") == 1


def test_a_verification_that_was_copied_is_named(repo: "Checkout", learnt: Path) -> None:
    """A copy of a fix with another title passed for one that a run had seen."""
    repo.commit("the fix")
    assert "same-verification" not in run(repo, "check").out
    name = copied(learnt, 1).name
    checked = run(repo, "check").out
    assert name in checked
    assert "says of its run what fix-" in checked
    repo.commit("a copy")
    reviewed = run(repo, "review", "HEAD~1..HEAD").out
    assert f"{name}: warning: says of its run what fix-" in reviewed
    other = copied(learnt, 2)
    other.write_text(other.read_text().replace("\nseconds: ", "\nseconds: 1"))
    checked = run(repo, "check").out
    assert f"{other.name}:" not in checked


def test_who_is_named_as_a_co_author_is_no_stranger(repo: "Checkout", learnt: Path) -> None:
    repo.commit("one more")
    other = copied(learnt, 3)
    text = other.read_text().replace("author:\n", "author:\n", 1)
    lines = [
        "  name: Eve Elsewhere" if line.startswith("  name:") else line
        for line in text.splitlines()
        if not line.startswith("  email:")
    ]
    other.write_text("\n".join(lines) + "\n")
    repo.commit("two", "-m", "Co-authored-by: Eve Elsewhere <eve@elsewhere.example>")
    assert "other-author" not in run(repo, "review", "HEAD~1..HEAD").out


def test_claims_are_no_sightings(repo: "Checkout", learnt: Path) -> None:
    """An error that was seen once was told as "seen 41 times" after 40 claims."""
    before = run(repo, "hint", "KeyError: 'k'").out.splitlines()[0]
    text = learnt.read_text()
    claimed = text[: text.index("verification:")].replace("author:\n", "author:\n  via: agent\n")
    learnt_text, _ = text, learnt.write_text(claimed)
    for number in range(10, 50):
        copied(learnt, number, created=f"'2026-01-01T00:00:{number}Z'")
    learnt.write_text(learnt_text)
    after = run(repo, "hint", "KeyError: 'k'").out.splitlines()[0]
    assert after == before
    assert "seen 4" not in after
