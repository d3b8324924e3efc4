"""What editors are told of past fixes: verdicts, the commit, and whether a patch still applies."""

import os
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.capture.telling import MatchDetails
from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.matching.parse import parse
from gitmem.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

LOG = 'typed.py:8:7 - error: "x" is not defined (reportUndefinedVariable)\n'
PASSED = {"command": "pyright", "before": {"result": "failed"}, "after": {"result": "passed"}}


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    return repo


def record(shop: "Path", *fixes: dict[str, Any]) -> str:
    with Memory.open(str(shop)) as memory:
        (error,) = memory.failures.capture([LOG], command="pyright", record=True).written
        for fix in fixes:
            memory.resolve(error, fix)
    return str(error)


def told(shop: "Path") -> MatchDetails:
    with Memory.open(str(shop)) as memory:
        (known,) = memory.failures.known(memory_failures())
        return memory.failures.attempt_reader().tell(known)


def memory_failures() -> list[Any]:
    return list(parse(LOG))


def test_verdicts_say_what_came_of_each_attempt(shop: "Checkout") -> None:
    record(
        shop,
        {"approach": "a", "outcome": "failed"},
        {"approach": "b"},
        {"approach": "c", "verification": PASSED},
        {"approach": "d", "outcome": "partial"},
        {"approach": "e", "outcome": "unverified"},
        {"approach": "f", "verification": {"before": {"result": "passed"},
                                           "after": {"result": "passed"}}},
    )  # fmt: skip
    found = {one.fix.approach: one.verdict for one in told(shop).attempts}
    assert found == {"c": "worked", "b": "worked", "f": "worked", "d": "partial",
                     "e": "unverified", "a": "failed"}  # fmt: skip
    assert told(shop).attempts[0].fix.approach == "f"  # of equal ones the newest


def test_of_many_fixes_the_newest_are_told(shop: "Checkout") -> None:
    record(shop, *({"approach": f"fix {number}"} for number in range(20)))
    found = [one.fix.approach for one in told(shop).attempts]
    assert found == [f"fix {number}" for number in range(19, 13, -1)]


def test_what_a_tool_says_alone_is_a_claim(shop: "Checkout") -> None:
    error = record(shop)
    with Memory.open(str(shop), settings={"actor": "agent:some-tool"}) as memory:
        memory.resolve(error, {"approach": "said"})
        memory.resolve(error, {"approach": "proven", "verification": PASSED})
    found = {one.fix.approach: one.verdict for one in told(shop).attempts}
    assert found == {"said": "claimed", "proven": "worked"}


ADDED = "--- a/typed.py\n+++ b/typed.py\n@@ -1 +1,2 @@\n a = 1\n+x = compute_total(a)\n"


@pytest.mark.parametrize(
    ("text", "verdict"), [("a = 1\nx = compute_total(a)\n", "did not hold"), ("a = 1\n", "worked")]
)
def test_a_fix_did_not_hold_where_it_is_in_the_code_and_the_error_came_again(
    shop: "Checkout", text: str, verdict: str
) -> None:
    (shop / "typed.py").write_text(text)
    record(shop, {"approach": "c", "patch": ADDED, "verification": PASSED})
    with Memory.open(str(shop)) as memory:
        (error,) = memory.list("kind:error")
        fields = memory.show(error.id).record
        assert told(shop).worked
        again = {"title": error.title, "message": getattr(fields, "message", ""),
                 "code": "reportUndefinedVariable", "tool": "pyright", "language": "python",
                 "location": {"file": "typed.py", "line": 9}}  # fmt: skip
        memory.add("error", again)
    assert [one.verdict for one in told(shop).attempts] == [verdict]


def test_the_commit_that_brought_a_fix_is_told_and_asked_for_anew(shop: "Checkout") -> None:
    record(shop, {"approach": "c"})
    with Memory.open(str(shop)) as memory:
        (known,) = memory.failures.known(memory_failures())
        teller = memory.failures.attempt_reader()
        assert teller.tell(known).attempts[0].origin is None
        commit = shop.commit("Mend it")
        teller.forget()
        origin = teller.tell(known).attempts[0].origin
    assert origin
    assert commit.startswith(origin.id)
    assert origin.subject == "Mend it"


def test_a_commit_that_is_there_no_more_is_not_told(shop: "Checkout") -> None:
    """What is known of a commit is kept while commits are only added, and only then."""
    record(shop, {"approach": "c"})

    def subject() -> str:
        teller.forget()
        origin = teller.tell(known).attempts[0].origin
        return origin.subject if origin else ""

    with Memory.open(str(shop)) as memory:
        (known,) = memory.failures.known(memory_failures())
        teller = memory.failures.attempt_reader()
        assert subject() == ""
        shop.commit("Mend it")
        assert subject() == "Mend it"
        shop.git("commit", "-q", "--allow-empty", "-m", "Go on")
        assert subject() == "Mend it"
        shop.git("reset", "-q", "--soft", "HEAD~2")
        shop.commit("Mend it otherwise")
        assert subject() == "Mend it otherwise"
        shop.git("commit", "-q", "--amend", "-m", "Mend it for good")
        assert subject() == "Mend it for good"


def test_a_branch_that_moves_after_its_log_was_written_is_followed(shop: "Checkout") -> None:
    """git logs a reset first; who looks in between still sees the commit, and must look again."""
    record(shop, {"approach": "c"})
    before = shop.git("rev-parse", "HEAD")
    with Memory.open(str(shop)) as memory:
        (known,) = memory.failures.known(memory_failures())
        teller = memory.failures.attempt_reader()
        commit = shop.commit("Mend it")
        with (shop / ".git" / "logs" / "HEAD").open("a") as log:
            log.write(f"{commit} {before} Ada <a@b.c> 1767323045 +0000\treset: moving to HEAD~1\n")
        teller.forget()
        origin = teller.tell(known).attempts[0].origin
        assert origin
        assert origin.subject == "Mend it"
        (shop / ".git" / "refs" / "heads" / "main").write_text(f"{before}\n")
        teller.forget()
        assert teller.tell(known).attempts[0].origin is None


def test_what_answers_at_once_waits_for_nobody_and_sees_what_others_take_in(
    shop: "Checkout",
) -> None:
    with Memory.open(str(shop)) as hurried:
        hurried.checks.without_sync()
        with pytest.raises(EnvironmentProblem):
            hurried.failures.known(memory_failures())
        nothing = hurried.workspace.edition()
        error = record(shop)
        with Memory.open(str(shop)) as memory:
            memory.checks.catch_up()
        first = hurried.workspace.edition()
        assert first != nothing
        (known,) = hurried.failures.known(memory_failures())
        assert [row.id for row in known.errors] == [error]
        with Memory.open(str(shop)) as memory:
            memory.forget(error)
            assert hurried.find(error).id == error
            memory.checks.catch_up()
        assert hurried.workspace.edition() != first
        assert hurried.failures.known(memory_failures())[0].errors == ()
        with pytest.raises(EnvironmentProblem):
            hurried.search("words")


def test_marks_speak_of_lines_whose_text_is_known(shop: "Checkout") -> None:
    shop.add("src/a.py", "one()\ntwo()\nboom_goes_the_shop()\n")
    with Memory.open(str(shop)) as memory:
        at = {"file": "src/a.py", "line": 3, "code": "boom_goes_the_shop()"}
        frame = {"file": "src/a.py", "function": "f", "line": 7, "in_app": True}
        memory.add("error", {"title": "with text", "message": "m", "location": at})
        memory.add("error", {"title": "without", "message": "m", "frames": [frame]})
        memory.add("decision", {"title": "all", "decision": "d", "governs": ["src/*.py"]})
        gone = memory.add("decision", {"title": "old", "decision": "d", "governs": ["src/*.py"]})
        memory.supersede(gone.id, {"title": "new", "decision": "d", "governs": ["doc/*"]})
        found = {(mark.row.title, mark.line, mark.text, mark.why)
                 for mark in memory.editor.marks(os.path.join(shop, "src/a.py"))}  # fmt: skip
        assert found == {
            ("with text", 3, "boom_goes_the_shop()", "error"),
            ("all", 0, "", "governs"),
        }
        assert memory.editor.marks("../elsewhere.py") == []


def test_a_patch_is_merged_where_its_place_has_changed_in_another_way(shop: "Checkout") -> None:
    """The hunk's own lines were changed since, elsewhere than the patch does: git merges that."""
    old = "".join(f"line {number}\n" for number in range(12))
    shop.add("a.py", old)
    shop.commit("base")
    shop.add("a.py", old.replace("line 5\n", "line five\n"))
    patch = shop.git("diff") + "\n"
    shop.git("checkout", "-q", "a.py")
    now = old.replace("line 3\n", "line three\n").replace("line 7\n", "line seven\n")
    conflict = old.replace("line 5\n", "line V\n")
    with Memory.open(str(shop)) as memory:
        (change,) = memory.code.changes_of(patch, {str(shop / "a.py"): now}.get)
        lines = now.split("\n")
        for one in reversed(change.splices):
            lines[one.start : one.end] = one.lines
        assert "\n".join(lines) == now.replace("line 5\n", "line five\n")
        with pytest.raises(ConflictError):
            memory.code.changes_of(patch, {str(shop / "a.py"): conflict}.get)
