"""``import git`` on real histories: what becomes a record, and that nothing does so twice."""

import os
import random
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.memory import Memory
from tests.depth import sampled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.answers.transfers import ImportResult
    from gitmem.records.kinds import Error, Fix, Record
    from tests.conftest import Checkout

_CODE = "".join(f"value_{number} = {number}\n" for number in range(40))
_TRACE = """Fix the report for empty months

It ended with

    Traceback (most recent call last):
      File "src/report.py", line 12, in totals
        return total / count
    ZeroDivisionError: division by zero

Fixes #41
"""


def mine(repo: "Path", **options: Any) -> "ImportResult":
    with Memory.open(str(repo)) as memory:
        return memory.transfer.import_git(**options)


def records(repo: "Path") -> "dict[str, Record]":
    with Memory.open(str(repo)) as memory:
        return {row.id: memory.show(row.id).record for row in memory.list()}


def fixes(repo: "Path") -> "dict[str, Fix]":
    found: dict[str, Any] = {one.title: one for one in records(repo).values() if one.kind == "fix"}
    return found


def errors(repo: "Path") -> "dict[str, Error]":
    found: dict[str, Any] = {
        one.title: one for one in records(repo).values() if one.kind == "error"
    }
    return found


def sound(repo: "Path") -> None:
    """Check that the memory has no fault."""
    with Memory.open(str(repo)) as memory:
        assert [one for one in memory.checks.files() if one.severity == "error"] == []


def edit(repo: "Checkout", number: int, text: str, path: str = "src/a.py") -> None:
    lines = (repo / path).read_text().splitlines(keepends=True)
    lines[number] = text + "\n"
    repo.add(path, "".join(lines))


@pytest.fixture
def code(repo: "Checkout") -> "Checkout":
    """Make a repository with a memory and some code."""
    Memory.init(str(repo))
    repo.add("src/a.py", _CODE)
    repo.commit("Start")
    return repo


def test_a_fix_becomes_an_error_and_an_attempt(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.add("tests/test_a.py", "def test(): ...\n")
    made = code.commit(
        "fix(values): crash when the third is empty (#12)\n\nIt was a number.",
        "--author=Bea <bea@example.com>",
        "--date=2024-05-06T07:08:09+02:00",
    )
    assert mine(code).records == 2
    (error,), (fix,) = errors(code).values(), fixes(code).values()
    assert error.title == "crash when the third is empty"
    assert error.subject == "values"
    assert (fix.author.name, fix.author.email, fix.author.via) == ("Bea", "bea@example.com", "tool")
    assert fix.author.tool == "gitmem import git"
    assert fix.created == error.created
    assert fix.created.isoformat() == "2024-05-06T05:08:09+00:00"
    assert fix.links.fixes == (error.id,)
    assert fix.outcome == "unverified"
    assert fix.tags == ("imported", "#12")
    assert "-value_3 = 3\n+value_3 = None\n" in fix.patch
    assert made[:12] in fix.notes
    assert "tests/test_a.py" in fix.notes
    assert "It was a number." in fix.approach
    with Memory.open(str(code)) as memory:
        assert {row.id for row in memory.editor.about("src/a.py").fixes} == {fix.id}
    sound(code)


def test_a_quoted_failure_is_recognised_when_it_comes_again(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit(_TRACE)
    mine(code)
    (error,) = errors(code).values()
    assert error.error_type == "ZeroDivisionError"
    assert error.title == "ZeroDivisionError: division by zero"
    assert error.symptom == "the report for empty months was wrong"
    assert [frame.file for frame in error.frames] == ["src/report.py"]
    assert "#41" in error.tags
    trace = _TRACE.partition("    Trace")[2].partition("\n\n")[0].replace("\n    ", "\n")
    with Memory.open(str(code)) as memory:
        (hint,) = memory.hint(f"Trace{trace}\n")
    assert [row.id for row in hint.errors] == [error.id]


def test_a_traceback_makes_a_fix_of_a_plain_subject(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit(_TRACE.replace("Fix the report", "Report").replace("Fixes #41\n", ""))
    assert mine(code).records == 2


@pytest.mark.parametrize(
    "message",
    [
        "Fix typo in the error message",
        "fix: lint errors",
        "Fix docs",
        "Fix formatting",
        "fixup! Fix crash",
        "Bump version to 1.2.3",
        "Fix tests",
        "[doc] Fix wrong URL",
        "Fix the wrong name in a comment",
        "Don't translate exceptions",
        "Release 1.2.3",
        "docs: fix wrong example",
        "feat: crash reports (fixes #3)",
        "Add fixtures for errors",
        "Update translations",
        "Fixtures move",
        "Prefix errors with the name",
        "chore(deps): fix lock file",
        "WIP fix crash",
        "Fix review comments",
    ],
)
def test_what_is_no_fix_is_left_out(code: "Checkout", message: str) -> None:
    edit(code, 3, "value_3 = None")
    code.commit(message)
    assert mine(code).new == []


@pytest.mark.parametrize(
    "message",
    [
        "Fix crash on empty input",
        "fix: handle empty input",
        "fix!: handle empty input",
        "Fixed a deadlock in the pool",
        "Bugfix: total of an empty list",
        "[core] Fix overflow",
        "gh-1234: Fix a leak in the parser",
        "ABC-77: fix rounding",
        "🐛 rounding of halves",
        "Handle empty input\n\nFixes #12",
        "Do not lose the last line\n\nReported-by: Bea <bea@example.com>",
        'net: count packets once\n\nFixes: 0123456789ab ("net: count packets")',
        "Rounding of halves\n\nCloses-Bug: #1234567",
        "Resolve a crash in the parser",
    ],
)
def test_what_is_a_fix_is_taken(code: "Checkout", message: str) -> None:
    edit(code, 3, "value_3 = None")
    code.commit(message)
    assert [one.what for one in mine(code).new] == ["fix"]


def test_only_somebody_who_tested_it_makes_it_work(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash\n\nTested-by: Cy <cy@example.com>\nSigned-off-by: Ada <a@example.com>")
    edit(code, 4, "value_4 = None")
    code.commit("Fix hang. It works now, tested, verified.")
    mine(code)
    found = fixes(code)
    assert found["Fix crash"].outcome == "worked"
    assert "Cy <cy@example.com>" in found["Fix crash"].notes
    assert found["Fix hang. It works now, tested, verified."].outcome == "unverified"


def test_a_revert_makes_an_attempt_that_failed(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    first = code.commit("Fix crash of the third")
    code.git("revert", "--no-edit", first)
    code.git("commit", "-q", "--amend", "-m",
             f'Revert "Fix crash of the third"\n\nThis reverts commit {first}.\n\n'
             "It broke the export.\nSee #9.")  # fmt: skip
    made = mine(code)
    assert [one.what for one in made.new] == ["fix", "taken back"]
    (error,) = errors(code).values()
    tried = fixes(code)["Fix crash of the third"]
    failed = fixes(code)["did not hold: Fix crash of the third"]
    assert (failed.outcome, failed.why_failed) == ("failed", "It broke the export.\nSee #9.")
    assert (failed.reuses, failed.links.fixes) == (tried.id, (error.id,))
    assert "-value_3 = 3\n+value_3 = None\n" in failed.patch
    assert tried.outcome == "unverified"
    assert "#9" in failed.tags
    sound(code)


def test_a_record_does_not_depend_on_what_came_later(
    code: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    edit(code, 3, "value_3 = None")
    first = code.commit("Fix crash of the third")
    mine(code)
    before = records(code)
    code.git("revert", "--no-edit", first)
    mine(code)
    assert before.items() <= records(code).items()
    other = make_repo("other", commit=False)
    other.git("pull", "-q", str(code), "main")
    Memory.init(str(other))
    mine(other)
    assert records(other) == records(code)


def test_reverts_of_reverts_and_reapplied_changes_hang_together(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    head = code.commit("Fix crash of the third")
    for subject in ('Revert "Fix crash of the third"', 'Reapply "Fix crash of the third"',
                    'Revert "Reapply "Fix crash of the third""'):  # fmt: skip
        code.git("revert", "--no-edit", head)
        verb = "reapplies" if subject.startswith("Reapply") else "reverts"
        code.git("commit", "-q", "--amend", "-m", f"{subject}\n\nThis {verb} commit {head}.")
        head = code.git("rev-parse", "HEAD")
    made = mine(code)
    assert [one.what for one in made.new] == ["fix", "taken back", "taken back", "applied again"]
    (error,) = errors(code).values()
    base = fixes(code)["Fix crash of the third"]
    later = [one for one in records(code).values() if one.kind == "fix" and one.id != base.id]
    assert sorted(getattr(one, "outcome", "") for one in later) == [
        "failed",
        "failed",
        "unverified",
    ]
    assert all(getattr(one, "reuses", "") == base.id for one in later)
    assert all(one.links.fixes == (error.id,) for one in later)
    sound(code)


def test_a_feature_that_was_reverted_is_an_attempt_without_an_error(code: "Checkout") -> None:
    edit(code, 3, "value_3 = cache()")
    first = code.commit("Cache values")
    code.git("revert", "--no-edit", first)
    assert [one.what for one in mine(code).new] == ["taken back"]
    (failed,) = fixes(code).values()
    assert failed.links.fixes == ()
    assert failed.why_failed == "It was reverted; the commit does not say why."
    assert "+value_3 = cache()" in failed.patch
    code.git("revert", "--no-edit", "HEAD")
    code.git("commit", "-q", "--amend", "-m", 'Revert "Revert "Cache values""')
    assert [one.what for one in mine(code).new] == ["applied again"]
    assert fixes(code)["applied again: Cache values"].reuses == failed.id
    sound(code)


def test_what_a_revert_takes_back_is_read_beyond_the_bound(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    first = code.commit("Fix crash of the third")
    edit(code, 20, "value_20 = None")
    code.commit("Other work")
    code.git("revert", "--no-edit", first)
    assert [one.what for one in mine(code, most=1).new] == ["fix", "taken back"]
    assert mine(code).new == []
    sound(code)


def test_a_revert_of_a_rebased_commit_is_known_by_what_it_changes(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash of the third")
    code.git("revert", "--no-edit", "HEAD")
    said = 'Revert "Fix crash of the third"\n\nThis reverts commit ' + "ab" * 20 + "."
    code.git("commit", "-q", "--amend", "-m", said)
    mine(code)
    failed = fixes(code)["did not hold: Fix crash of the third"]
    assert failed.reuses == fixes(code)["Fix crash of the third"].id


def test_importing_again_writes_nothing(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash of the third")
    assert mine(code).records == 2
    before = _files(code)
    again = mine(code)
    assert (again.records, again.present) == (0, 1)
    assert _files(code) == before


def test_the_same_patches_are_the_same_after_rebase_squash_and_cherry_pick(
    code: "Checkout",
) -> None:
    code.git("switch", "-q", "-c", "work")
    edit(code, 20, "value_20 = None")
    picked = code.commit("Fix crash of the twentieth")
    mine(code)
    before = set(records(code))
    code.commit("Memory")
    code.git("switch", "-q", "main")
    # Another first line, and another neighbour of the line that was mended.
    code.add("src/a.py", "# new\n" + _CODE.replace("value_22 = 22", "value_22 = 'other'"))
    code.commit("Head line")
    code.git("cherry-pick", "-x", picked)
    Memory.init(str(code))
    mine(code)
    assert set(records(code)) == before
    code.git("add", "-A")
    code.git("commit", "-q", "-m", "Memory, too")
    code.git("reset", "-q", "--hard", "HEAD~2")
    code.git("merge", "-q", "--squash", "work")
    code.git("reset", "-q", "--", ".memory")
    code.git("commit", "-q", "-m", "Fix crash of the twentieth (#7)")
    assert mine(code).records == 0
    assert set(records(code)) == before


def test_another_clone_gives_the_same_files(
    code: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    for number in range(3, 8):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}")
    other = make_repo("other", commit=False)
    other.git("pull", "-q", str(code), "main")
    Memory.init(str(other))
    mine(code)
    mine(other)
    assert _files(code) == _files(other)


def test_merges_count_by_their_commits_or_stand_for_them(code: "Checkout") -> None:
    code.git("switch", "-q", "-c", "work")
    edit(code, 3, "value_3 = None")
    code.commit("Try something")
    edit(code, 4, "value_4 = None")
    code.commit("Fix crash of the fourth")
    code.git("switch", "-q", "main")
    code.add("README.md", "words\n")
    code.commit("Words")
    code.git("merge", "-q", "--no-ff", "-m",
             "Merge pull request #5 from bea/work\n\nFix crash in two places", "work")  # fmt: skip
    listed = mine(code, dry_run=True)
    assert [one.title for one in listed.new] == ["crash of the fourth"]
    assert listed.passed["a merge: its commits count"] == 1
    whole = mine(code, dry_run=True, first_parent=True)
    assert [one.title for one in whole.new] == ["crash in two places"]
    assert records(code) == {}
    mine(code, first_parent=True)
    (fix,) = fixes(code).values()
    assert "value_3 = None" in fix.patch
    assert "value_4 = None" in fix.patch


def test_the_root_a_shallow_end_and_no_commit_at_all(
    code: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    empty = make_repo("empty", commit=False)
    Memory.init(str(empty))
    assert mine(empty).notices == ["there is no commit yet"]
    empty.add("a.py", "a = 1\n")
    empty.commit("Fix crash, the first commit of all")
    assert mine(empty).new == []
    for number in range(3, 6):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}")
    code.git("clone", "-q", "--depth", "2", f"file://{code}", str(code.parent / "shallow"))
    shallow = type(code)(code.parent / "shallow")
    Memory.init(str(shallow))
    made = mine(shallow)
    assert [one.title for one in made.new] == ["crash number 5"]
    assert "this clone is shallow: older commits are not here" in made.notices
    full, part = mine(code), set(records(shallow))
    assert full.records == 6
    assert part < set(records(code))


def test_a_partial_clone_says_what_it_lacks_and_fetches_nothing(code: "Checkout") -> None:
    code.git("config", "uploadpack.allowFilter", "true")
    for number in range(3, 6):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}")
    target = code.parent / "partial"
    code.git("clone", "-q", "--filter=blob:none", f"file://{code}", str(target))
    partial = type(code)(target)
    Memory.init(str(partial))
    lacking = partial.git("rev-list", "--objects", "--missing=print", "HEAD").count("\n?")
    made = mine(partial)
    assert made.passed["its content is missing in this clone"] >= 1
    assert partial.git("rev-list", "--objects", "--missing=print", "HEAD").count("\n?") == lacking
    assert lacking > 0


def test_messages_in_other_encodings_and_without_words(code: "Checkout") -> None:
    code.git("config", "i18n.commitEncoding", "ISO-8859-1")
    edit(code, 3, "value_3 = None")
    code.git("add", "-A")
    code.git("commit", "-q", "-F", "-", stdin="Fix crash für Ümläute".encode("latin-1"))
    code.git("config", "--unset", "i18n.commitEncoding")
    edit(code, 4, "value_4 = None")
    code.git("add", "-A")
    code.git("commit", "-q", "-F", "-", stdin=b"Fix crash of \xff\xfe bytes")
    edit(code, 5, "value_5 = None")
    code.git("add", "-A")
    code.git("commit", "-q", "--allow-empty-message", "-m", "")
    made = mine(code)
    assert made.new[0].title == "crash für Ümläute"
    assert len(made.new) == 2
    assert made.passed["without a message"] == 1
    sound(code)


def test_huge_binary_renamed_and_oddly_named_files(code: "Checkout") -> None:
    code.add("big.txt", "".join(f"line {number}\n" for number in range(60_000)))
    code.add("logo.bin", bytes(range(256)) * 20)
    code.add('odd "name"\tü\n.py', "a = 1\n")
    code.add("wide.js", "x" * 3_000_000)
    code.commit("Files")
    code.add("big.txt", "".join(f"line {number}!\n" for number in range(60_000)))
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash in a huge file")
    code.add("logo.bin", bytes(range(255)) * 20)
    code.commit("Fix wrong logo")
    code.git("mv", "src/a.py", "src/b.py")
    edit(code, 8, "value_8 = None", "src/b.py")
    code.commit("Fix crash by another name")
    code.add('odd "name"\tü\n.py', "a = 2\n")
    code.commit("Fix crash in an odd file")
    code.add("wide.js", "y" * 3_000_000)
    code.commit("Fix crash in a wide file")
    (code / "src/b.py").chmod(0o755)
    code.commit("Fix failing start of a script")
    mine(code)
    found = fixes(code)
    assert len(found) == 6
    assert all(len(one.patch) < 70_000 for one in found.values())
    huge = found["Fix crash in a huge file"].patch
    assert "+value_3 = None" in huge
    assert "# left out: big.txt (+60000 -60000 lines)" in huge
    assert "Binary files" in found["Fix wrong logo"].patch
    assert "rename to src/b.py" in found["Fix crash by another name"].patch
    assert len({one.id for one in found.values()}) == 6
    again = mine(code)
    assert (again.records, again.present) == (0, 6)
    sound(code)


def test_secrets_do_not_reach_the_files(code: "Checkout") -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA2cD4fG6hJ8"[:36]
    edit(code, 3, f'token = "{secret}"')
    code.commit(f"Fix wrong token {secret}\n\npassword: hunter2secretword99")
    assert mine(code).records == 2
    text = "".join(path.read_text() for path in (code / ".memory").rglob("*.yaml"))
    assert secret not in text
    assert "hunter2secretword99" not in text
    assert "redacted" in text


def test_hostile_messages_and_authors(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash \x1b[31mred\x1b[0m \u202eabc\u2066\n\n--- !!python/object:os\nid: x\n",
                "--author=\x1b]0;x\x07Bea: {a} <b ea@example.com>")  # fmt: skip
    edit(code, 4, "value_4 = None")
    code.commit("Fix crash " + "long " * 5_000)
    edit(code, 5, "value_5 = None")
    code.commit('Revert "' * 400 + "x" + '"' * 400 + "\n\nThis reverts commit --output=/tmp/x.")
    edit(code, 6, "value_6 = None")
    code.commit('Revert "x"\n\nThis reverts commit 0123456789.\nThis reverts commit HEAD.')
    mine(code)
    text = "".join(path.read_text() for path in (code / ".memory").rglob("*.yaml"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    sound(code)


def test_what_only_looks_like_code_gives_no_fix(code: "Checkout") -> None:
    code.add("docs/guide.md", "wrong\n")
    code.commit("Fix wrong answer")
    code.add("src/a.py", _CODE.replace(" = ", "  =  "))
    code.commit("Fix broken blanks of the code")
    code.git("commit", "-q", "--allow-empty", "-m", "Fix crash with nothing")
    made = mine(code)
    assert made.new == []
    assert made.passed["it changes documentation only"] == 1
    assert made.passed["it changes white space only"] == 1
    assert made.passed["without a change"] == 1


def test_a_commit_that_brought_its_own_records_is_left_alone(code: "Checkout") -> None:
    with Memory.open(str(code)) as memory:
        error = memory.add("error", {"title": "crash", "message": "x"})
        memory.resolve(error.id, {"approach": "none"})
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash of the third")
    assert mine(code).passed["it brought its own records"] == 1


def test_a_package_of_a_monorepo_takes_its_own_part(repo: "Checkout") -> None:
    repo.add("till/src/a.py", _CODE)
    repo.add("web/src/a.py", _CODE)
    Memory.init(str(repo / "till"), here=True)
    repo.commit("Start")
    edit(repo, 3, "value_3 = None", "web/src/a.py")
    repo.commit("Fix crash of the web")
    edit(repo, 3, "value_3 = None", "web/src/a.py")
    edit(repo, 4, "value_4 = None", "till/src/a.py")
    edit(repo, 4, "value_4 = None", "web/src/a.py")
    repo.commit("Fix crash of both")
    mine(repo / "till")
    (fix,) = fixes(repo / "till").values()
    assert fix.title == "Fix crash of both"
    assert "+++ b/src/a.py" in fix.patch
    assert "web" not in fix.patch


def test_what_was_forgotten_is_not_brought_back(code: "Checkout") -> None:
    edit(code, 3, "value_3 = None")
    code.commit("Fix crash of the third")
    mine(code)
    code.commit("Memory")
    with Memory.open(str(code)) as memory:
        for row in memory.list():
            memory.forget(row.id)
    code.commit("Forget it")
    made = mine(code)
    assert made.records == 0
    assert made.notices == ["1 were deleted here before and stay deleted"]


def test_bounds_and_a_dry_run(code: "Checkout") -> None:
    for number in range(3, 9):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}", f"--date=2025-0{number}-01T00:00:00Z")
    assert len(mine(code, dry_run=True).new) == 6
    assert records(code) == {}
    assert [one.title for one in mine(code, limit=2).new] == ["crash number 3", "crash number 4"]
    assert [one.title for one in mine(code, limit=2).new] == ["crash number 5", "crash number 6"]
    assert [one.title for one in mine(code, most=1).new] == ["crash number 8"]
    assert [one.title for one in mine(code).new] == ["crash number 7"]
    with pytest.raises(UsageError, match="is not a date"):
        mine(code, since="sometimes")
    with pytest.raises(UsageError):
        mine(code, most=-1)


def test_outside_of_git_it_says_so(tmp_path: "Path") -> None:
    Memory.init(str(tmp_path))
    with pytest.raises(EnvironmentProblem, match="needs a git repository"):
        mine(tmp_path)


def test_settings_of_git_change_nothing(
    code: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    edit(code, 3, "value_3 = None")
    code.git("mv", "src/a.py", "src/b.py")
    code.commit("Fix crash of the third")
    other = make_repo("other", commit=False)
    other.git("pull", "-q", str(code), "main")
    Memory.init(str(other))
    for name, value in {
        "diff.noprefix": "true", "diff.renames": "false", "diff.algorithm": "patience",
        "diff.external": "false", "log.showSignature": "true", "color.ui": "always",
        "diff.context": "0", "core.quotePath": "true", "format.pretty": "oneline",
        "log.follow": "true", "core.abbrev": "4", "i18n.logOutputEncoding": "latin1",
    }.items():  # fmt: skip
        other.git("config", name, value)
    mine(code)
    mine(other)
    assert _files(code) == _files(other)
    assert len(fixes(code)) == 1


def test_an_import_that_is_killed_goes_on(code: "Checkout") -> None:
    for number in range(3, 15):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}")
    code.git("revert", "--no-edit", "HEAD")
    script = (
        "import os, signal, sys\n"
        "from gitmem.memory import Memory\n"
        "from gitmem.store.files import Store\n"
        "create, left = Store.create, [int(sys.argv[2])]\n"
        "def some(self, path, data):\n"
        "    if not left[0]:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    left[0] -= 1\n"
        "    create(self, path, data)\n"
        "Store.create = some\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    memory.transfer.import_git()\n"
    )
    for most in (7, 2, 5):
        done = subprocess.run([sys.executable, "-c", script, str(code), str(most)], check=False)
        assert done.returncode == -signal.SIGKILL
        sound_but_for_pairs(code)
    mine(code)
    assert len(records(code)) == 25
    sound(code)
    assert mine(code).records == 0


def test_two_imports_at_a_time_write_each_record_once(code: "Checkout") -> None:
    for number in range(3, 33):
        edit(code, number, f"value_{number} = None")
        code.commit(f"Fix crash number {number}")
    code.git("revert", "--no-edit", "HEAD")
    script = (
        "import sys\n"
        "from gitmem.memory import Memory\n"
        "with Memory.open(sys.argv[1]) as memory:\n"
        "    print(memory.transfer.import_git().records)\n"
    )
    command = [sys.executable, "-c", script, str(code)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()
    assert len(records(code)) == 61
    assert len(_files(code)) == 61
    sound(code)


def sound_but_for_pairs(repo: "Checkout") -> None:
    """After a kill every link leads somewhere: an error is written before its fix."""
    with Memory.open(str(repo)) as memory:
        assert [one.message for one in memory.checks.files() if one.code == "dangling-link"] == []


@sampled(1)
@pytest.mark.parametrize("seed", range(6))
def test_import_twice_is_once_and_a_rebase_brings_nothing_new(repo: "Checkout", seed: int) -> None:
    chance = random.Random(seed)
    paths = ["a.py", "lib/b.py", "ü/c.py"]
    Memory.init(str(repo))
    for path in paths:
        repo.add(path, _CODE)
    repo.commit("Start")
    base = repo.git("rev-parse", "HEAD")
    made: list[str] = []
    repo.git("switch", "-q", "-c", "work")
    for step in range(14):
        kind = chance.choice(("fix", "fix", "plain", "revert", "merge", "rename"))
        path = chance.choice([one for one in paths if (repo / one).exists()])
        if kind == "revert" and made:
            done = subprocess.run(
                ["git", "revert", "--no-edit", chance.choice(made)], cwd=repo,
                capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode:
                repo.git("reset", "-q", "--hard")
                repo.git("clean", "-qfd", "-e", ".memory")
                continue
        elif kind == "rename":
            new = f"moved/{step}.py"
            os.makedirs(repo / "moved", exist_ok=True)
            repo.git("mv", path, new)
            paths[paths.index(path)] = new
            repo.git("commit", "-q", "-m", "Move")
        elif kind == "merge":
            repo.git("switch", "-q", "-c", f"side-{step}")
            edit(repo, chance.randrange(40), f"side = {step}", path)
            repo.git("commit", "-qam", f"Fix crash {step} aside")
            repo.git("switch", "-q", "work")
            repo.git("merge", "-q", "--no-ff", "--no-edit", f"side-{step}")
        else:
            edit(repo, chance.randrange(40), f"value = {step}", path)
            subject = f"Fix crash {step}" if kind == "fix" else f"Work {step}"
            repo.git("commit", "-qam", subject)
            made.append(repo.git("rev-parse", "HEAD"))
    first = mine(repo)
    held = _files(repo)
    assert first.records == sum(path.startswith(("errors", "fixes")) for path in held)
    assert mine(repo).records == 0
    sound(repo)
    # The same patches on another base: the ids are the same, so nothing is written.
    repo.git("switch", "-q", "-c", "moved", base)
    repo.add("z-other.txt", "words\n")
    repo.git("add", "z-other.txt")
    repo.git("commit", "-q", "-m", "Other base")
    repo.git("switch", "-q", "work")
    done = subprocess.run(
        ["git", "rebase", "-q", "--reapply-cherry-picks", "moved"], cwd=repo, capture_output=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        repo.git("rebase", "--abort")
    again = mine(repo)
    assert [one.title for one in again.new] == []
    assert _files(repo) == held


def _files(repo: "Path") -> dict[str, str]:
    folder = repo / ".memory"
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*-*.yaml")}
