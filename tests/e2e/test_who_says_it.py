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


def _leads(repo: "Checkout", first: str, second: str) -> None:
    """See that an attempt is told before another one, whoever asks."""
    for words in (
        ("hint", "KeyError: 'k'"),
        ("search", "KeyError: 'k'"),
        ("context", "--focus", "a.py"),
        ("advise", "KeyError: 'k'"),
    ):
        told = ok(repo, *words)
        assert told.index(first) < told.index(second), told


@pytest.mark.parametrize("merged", [False, True])
def test_a_copied_verification_does_not_lead_whatever_date_it_has(
    repo: "Checkout", learnt: Path, *, merged: bool
) -> None:
    """A copy whose date was a second later came first; so it did from a branch dated earlier."""
    repo.commit("the fix")
    day, later = "'2026-01-01T00:00:00Z'", "'2026-01-01T00:00:01Z'"
    learnt.write_text(
        "\n".join(
            f"created: {day}" if line.startswith("created:") else line
            for line in learnt.read_text().splitlines()
        )
    )
    repo.commit("its date")
    if merged:
        repo.git("checkout", "-q", "-b", "theirs", "HEAD~2")
        repo.git("checkout", "main", "--", str(learnt.relative_to(repo)))
    other = copied(learnt, 1, approach="run x.sh", created=later)
    if merged:
        repo.git("rm", "-q", "-f", str(learnt.relative_to(repo)))
    repo.git("add", "-A")
    early = "2001-01-01T00:00:00Z"
    repo.git("-c", "user.name=Ada", "commit", "-q", "-m", "a copy", "--date", early)
    if merged:
        repo.git("checkout", "-q", "main")
        repo.git("merge", "-q", "--no-edit", "theirs")
    assert other.exists()
    _leads(repo, "d.get('k')", "run x.sh")


def test_a_record_of_another_than_its_commits_author_does_not_lead(
    repo: "Checkout", learnt: Path
) -> None:
    repo.commit("the fix")
    other = copied(
        learnt, 1, approach="run x.sh", seconds="12.345678", created="'2026-11-01T00:00:00Z'"
    )
    learnt.write_text(learnt.read_text().replace("created: '2", "created: '1"))
    name = next(line for line in other.read_text().splitlines() if line.startswith("  name:"))
    email = next(line for line in other.read_text().splitlines() if line.startswith("  email:"))
    repo.git("add", "-A")
    repo.git(
        "-c", "user.name=Eve Elsewhere", "-c", "user.email=eve@elsewhere.example",
        "commit", "-q", "-m", "more",
    )  # fmt: skip
    assert "Eve" not in name + email
    _leads(repo, "d.get('k')", "run x.sh")


def test_what_somebody_says_does_not_come_before_what_a_run_saw(
    repo: "Checkout", learnt: Path
) -> None:
    repo.commit("the fix")
    other = copied(learnt, 1, approach="run x.sh", created="'2026-11-01T00:00:00Z'")
    text = other.read_text()
    other.write_text(text[: text.index("verification:")])
    learnt.write_text(learnt.read_text().replace("created: '2", "created: '1"))
    repo.commit("more")
    _leads(repo, "d.get('k')", "run x.sh")


def test_of_two_that_were_seen_the_one_that_came_last_leads(repo: "Checkout", learnt: Path) -> None:
    """The date that a record gives itself says nothing."""
    repo.commit("the fix")
    copied(learnt, 1, approach="run x.sh", seconds="12.345678", created="'1999-11-01T00:00:00Z'")
    repo.commit("more")
    _leads(repo, "run x.sh", "d.get('k')")
