"""Advice out of real memories: on errors, tasks, files, and on what fails now."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import UsageError
from gitmem.learning.retry_verdict import DONE, GO_ON, STOP
from gitmem.memory import Memory
from gitmem.records.convert import to_data
from gitmem.render import advice as render
from gitmem.render.text import Painter
from tests.observing import edit, failure, observe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.learning.advice import AdviceItem
    from gitmem.records.kinds import Record
    from tests.conftest import Checkout

ERROR = "TypeError: can't compare offset-naive and offset-aware datetimes"
OUTPUT = f"""\
Traceback (most recent call last):
  File "src/auth.py", line 4, in expired
    return token_time < now()
{ERROR}
"""
CODE = "import time\n\n\ndef expired(token_time):\n    return token_time < now()\n"
MENDED = CODE.replace("return token_time < now()", "return token_time.timestamp() < now()")
PATCH = """\
--- a/src/auth.py
+++ b/src/auth.py
@@ -3,3 +3,3 @@

 def expired(token_time):
-    return token_time < now()
+    return token_time.timestamp() < now()
"""
BASE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def memory(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Iterator[Memory]":
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    repo.add("src/auth.py", CODE)
    Memory.init(str(repo))
    repo.commit("auth")
    with Memory.open(str(repo), settings={"packs.off": "all"}) as memory:
        yield memory


def an_error(memory: Memory) -> "Record":
    (taken,) = memory.failures.record_text(OUTPUT).ids
    return memory.show(taken).record


def texts(items: "Sequence[AdviceItem]") -> list[str]:
    return [one.text for one in items]


def written(memory: Memory, **asked: Any) -> str:
    return "\n".join(render.plain(memory.advice.advise(**asked), Painter()))


def a_session(memory: Memory, number: int, goal: str, *, success: bool | None, **more: Any) -> str:
    start = BASE + timedelta(days=number)
    fields = {"title": goal, "goal": goal, "started": start.isoformat(),
              "ended": (start + timedelta(hours=1)).isoformat(), **more}  # fmt: skip
    if success is not None:
        fields["success"] = success
    return memory.add("session", fields).id


# An error


def test_s4_45_what_was_seen_before_worked_before_and_failed_before(memory: Memory) -> None:
    error = an_error(memory)
    bad = memory.resolve(error.id, {"approach": "strip the zone", "outcome": "failed",
                                    "why_failed": "times are off by hours"})  # fmt: skip
    good = memory.resolve(error.id, {"approach": "make all times aware"})
    found = memory.advice.advise(OUTPUT)
    assert found.about[0].startswith(f"{ERROR}: same error, seen 1 time, ")
    (item,) = found.tries
    assert (item.text, item.why, item.records) == (
        "make all times aware",
        "worked 1 of 1",
        (good.id,),
    )
    assert item.confidence
    assert item.confidence.word == "too little data"
    (item,) = found.avoid
    assert (item.text, item.records, item.says) == (
        "strip the zone", (bad.id,), "times are off by hours",
    )  # fmt: skip
    said = written(memory, text=OUTPUT)
    assert "worked 1 of 1, same error  confidence: too little data" in said
    assert "95 % CI" not in said  # says nothing of one attempt


def test_s4_2_many_attempts_give_a_word_and_an_interval(memory: Memory) -> None:
    error = an_error(memory)
    for _ in range(6):
        memory.resolve(error.id, {"approach": "make all times aware"})
    (item,) = memory.advice.advise(OUTPUT).tries
    assert item.confidence
    assert (item.confidence.word, len(item.records)) == ("high", 6)
    said = written(memory, text=OUTPUT)
    assert "worked 6 of 6 (95 % CI 61-100 %), same error  confidence: high" in said


def test_a_fix_that_did_not_hold_is_no_longer_advised(repo: "Checkout", memory: Memory) -> None:
    error = an_error(memory)
    memory.resolve(error.id, {"approach": "restart it", "patch": PATCH})
    assert texts(memory.advice.advise(OUTPUT).tries) == ["restart it"]
    memory.add("error", _plain(error))
    assert texts(memory.advice.advise(OUTPUT).tries) == ["restart it"], "it is not in the code"
    (repo / "src/auth.py").write_text(MENDED)
    found = memory.advice.advise(OUTPUT)
    assert (texts(found.tries), texts(found.avoid)) == ([], ["restart it"])
    assert found.avoid[0].why == "did not hold: worked 1 of 1, the error came back anyway"


def _plain(record: "Record") -> dict[str, Any]:
    data = to_data(record)
    names = ("title", "error_type", "message", "frames", "location", "tool", "language", "excerpt")
    return {name: data[name] for name in names if name in data}


def test_a_decision_on_the_failing_file_is_advised(memory: Memory) -> None:
    rule = memory.add("decision", {"title": "UTC everywhere", "decision": "aware times only",
                                   "governs": ["src/**"]})  # fmt: skip
    found = memory.advice.advise(OUTPUT)
    assert texts(found.tries) == ["keep to the decision: UTC everywhere"]
    assert (found.tries[0].records, found.tries[0].confidence) == ((rule.id,), None)


def test_s4_64_where_nothing_is_known_it_says_what_to_do(memory: Memory) -> None:
    found = memory.advice.advise(OUTPUT)
    assert not found.knows
    assert found.about == (f"{ERROR}: new",)
    assert found.notes[0] == "nothing is recorded about it yet"
    assert "gitmem run" in found.notes[1]


def test_words_find_what_an_error_text_would(memory: Memory) -> None:
    error = an_error(memory)
    memory.resolve(error.id, {"approach": "make all times aware"})
    memory.add("note", {"title": "Naive datetimes", "type": "gotcha", "body": "beware of now()"})
    found = memory.advice.advise("naive datetimes")
    assert found.about == (f"{error.title}: resolved, {error.id}",)
    assert texts(found.tries) == ["make all times aware", "see the note: Naive datetimes"]
    assert found.tries[0].confidence
    assert found.tries[0].confidence.label == "matched by text"


def test_s4_74_stale_records_are_not_advised(memory: Memory, repo: "Checkout") -> None:
    error = an_error(memory)
    anchor = {"path": "src/auth.py", "lines": [5, 5], "quote": "return token_time < now()"}
    memory.resolve(error.id, {"approach": "compare like this", "anchors": [anchor]})
    assert texts(memory.advice.advise("offset-naive datetimes").tries) == ["compare like this"]
    repo.add("src/auth.py", "import time\n")
    assert texts(memory.advice.advise("offset-naive datetimes").tries) == []
    found = memory.advice.advise(OUTPUT)
    assert texts(found.tries) == []
    assert "1 attempt withheld, the code is gone" in found.about[0]


def test_the_cap_on_a_recorded_error_is_a_setting(memory: Memory, repo: "Checkout") -> None:
    error = an_error(memory)
    for number in range(3):
        memory.resolve(error.id, {"approach": f"way {number}", "outcome": "failed"})
    assert memory.advice.keep_trying(error.id).answer == GO_ON
    with Memory.open(str(repo), settings={"advice.attempts": 3}) as strict:
        judged = strict.advice.keep_trying(error.id)
        assert judged.answer == STOP
        assert judged.reasons[0].text == "3 attempts without success: ask a human"
        (stop,) = strict.advice.advise(OUTPUT).stop
        assert (stop.why, len(stop.records)) == ("rule: most", 3)
    memory.resolve(error.id, {"approach": "the right way"})
    assert memory.advice.keep_trying(error.id).answer == DONE


def test_s0_64_the_same_approach_again_and_again(memory: Memory) -> None:
    error = an_error(memory)
    for _ in range(3):
        memory.resolve(error.id, {"approach": "Restart it!", "outcome": "failed"})
    assert [one.rule for one in memory.advice.keep_trying(error.id).reasons] == ["same"]


def test_s3_31_solutions_cross_the_types_of_errors(memory: Memory) -> None:
    # The document compares types as text, so these two never meet.
    error = memory.add("error", {"title": "ImportError: No module named yaml_parser",
                                 "error_type": "ImportError",
                                 "message": "No module named yaml_parser"})  # fmt: skip
    memory.resolve(error.id, {"approach": "install pyyaml"})
    found = memory.advice.advise("ModuleNotFoundError: No module named 'yaml_parser'")
    assert texts(found.tries) == ["install pyyaml"]


# What fails now


def test_s0_61_s0_62_s0_64_what_fails_now(memory: Memory, repo: "Checkout") -> None:
    found = memory.advice.advise()
    assert "gitmem run" in found.notes[1]
    edit(repo, "one\n")
    observe(repo, "cart", "order")
    assert memory.advice.keep_trying().answer == GO_ON
    edit(repo, "two\n")
    observe(repo, "cart", "order", "parcel")
    assert memory.failures.best_attempt().run.failures[-1].title.endswith("order is broken")
    assert [one.case.message for one in memory.failures.regressions().cases] == [
        "ValueError: parcel is broken",
    ]  # fmt: skip
    edit(repo, "three\n")
    observe(repo, "cart", "order")
    edit(repo, "four\n")
    observe(repo, "cart", "order")
    judged = memory.advice.keep_trying()
    assert (judged.answer, [one.rule for one in judged.reasons]) == (STOP, ["still"])
    told = memory.advice.advise()
    assert [one.why for one in told.stop] == ["rule: still"]
    assert len(told.about) == 2
    said = "\n".join(render.plain(told, Painter()))
    assert "no progress over the last 3 attempts: 2 failing, 2 before them: ask a human" in said
    assert "stop when: one approach failed 3 times; 3 attempts in a row" in said
    edit(repo, "five\n")
    observe(repo)
    assert memory.advice.keep_trying().answer == DONE
    assert memory.advice.advise().about == ("the last command passed",)


def test_an_edit_that_mended_one_of_several_was_no_attempt_at_the_others(
    memory: Memory, repo: "Checkout"
) -> None:
    left = ["cart", "order", "parcel", "bill"]
    while left:
        edit(repo, left[-1])
        observe(repo, *left)
        judged = memory.advice.keep_trying()
        assert (judged.answer, judged.tried) == (GO_ON, 0)
        left.pop()
    edit(repo, "in vain\n")
    observe(repo, "cart")
    assert memory.advice.keep_trying().tried == 1
    edit(repo, "worse\n")
    observe(repo, "order")
    assert memory.advice.keep_trying().tried == 2


def test_going_back_to_what_failed_first_is_no_attempt(memory: Memory, repo: "Checkout") -> None:
    for text in ("one\n", "two\n", "one\n", "two\n", "one\n", "two\n"):
        edit(repo, text)
        observe(repo, "cart")
    judged = memory.advice.keep_trying()
    assert judged.tried == 3
    assert {one.rule for one in judged.reasons} == {"same", "still"}


# A task


def test_s2_35_s3_30_similar_work_best_first(memory: Memory) -> None:
    task = {"category": "auth", "type": "feature"}
    near = a_session(memory, 1, "Add a login with OAuth", success=True, task=task)
    lost = a_session(memory, 2, "Add a login with OAuth again", success=False, task=task)
    far = a_session(memory, 3, "Tidy the cart", success=True, task={"category": "auth"})
    a_session(memory, 4, "Paint the logo", success=True, task={"category": "design"})
    asked = {"description": "Add a login with OAuth", **task}
    found = memory.advice.similar_work(asked)
    assert [one.id for one in found] == [near, lost, far]
    assert [name for name, _ in found[0].likeness.parts] == ["category", "type", "description"]
    assert [one.id for one in memory.advice.similar_work(asked, success_only=True)] == [near, far]
    assert [one.id for one in memory.advice.similar_work(asked, 1)] == [near]
    # By its words alone, too: nobody states a category in a question.
    assert [one.id for one in memory.advice.similar_work({"description": "login with OAuth"})] == [
        near,
        lost,
    ]


def test_s3_43_a_task_gets_an_approach_factors_and_tools(memory: Memory) -> None:
    task = {"category": "auth", "type": "feature"}
    for number in range(3):
        how = {"approach": "incremental", "success_factors": ["tests first"]}
        a_session(memory, number, f"Login {number}", success=True, task=task,
                  tools_used=["pytest"], **how)  # fmt: skip
    a_session(memory, 7, "Login 7", success=False, task=task, approach="all at once")
    rule = memory.add("decision", {"title": "Login by OAuth only", "decision": "no passwords"})
    found = memory.advice.advise(task={"description": "Add a login", **task})
    assert found.task
    assert (found.task.approach, len(found.task.similar)) == ("incremental", 3)
    assert found.task.factors == (("tests first", 3),)
    assert found.task.tools == (("pytest", 3),)
    assert texts(found.tries) == ["incremental", "keep to the decision: Login by OAuth only"]
    assert found.tries[1].records == (rule.id,)
    assert texts(found.avoid) == ["all at once"]
    assert memory.advice.recommend({"description": "Add a login", **task}).lines[0] == (
        "Use 'incremental' approach (used in 3 similar tasks)"
    )
    said = written(memory, task={"description": "Add a login", **task})
    assert "approach  incremental  worked in 3 of 3 similar tasks" in said
    data = render.as_data(found)
    assert (data["task"]["similar_count"], data["task"]["approach"]) == (3, "incremental")


def test_s2_24_a_pattern_is_suggested_for_a_task(memory: Memory) -> None:
    memory.add("pattern", {"title": "Retry with backoff", "code": "def retry(): ...",
                           "when_to_use": "a service is slow"})  # fmt: skip
    found = memory.advice.advise(task={"description": "retry a slow service"})
    assert texts(found.tries) == ["see the pattern: Retry with backoff"]


def test_s3_48_a_task_like_none(memory: Memory) -> None:
    found = memory.advice.advise(task={"description": "Add a login"})
    assert found.task
    assert found.task.approach == "standard"
    assert found.notes == ("no similar task has succeeded yet, so no approach is recommended",)


def test_a_description_is_no_query(memory: Memory) -> None:
    assert memory.advice.similar_work({"description": 'status:nonsense "open -x since:never'}) == []
    assert memory.advice.similar_work({"description": "…"}) == []


# A file


def test_s4_74_a_file_is_warned_about_before_it_is_changed(memory: Memory) -> None:
    error = an_error(memory)
    memory.resolve(error.id, {"approach": "strip the zone", "outcome": "failed"})
    memory.add("decision", {"title": "UTC everywhere", "decision": "x", "governs": ["src/*.py"]})
    found = memory.advice.advise(path="src/auth.py")
    assert found.about == ("src/auth.py: 1 error, 1 attempt",)
    assert texts(found.tries) == ["keep to the decision: UTC everywhere"]
    assert texts(found.avoid) == ["strip the zone"]
    assert found.notes == (f"1 error in it still open: {error.id}",)


def in_file(memory: Memory, path: str, message: str = "naive and aware datetimes") -> "Record":
    fields = {"error_type": "TypeError", "message": message, "cause": "A clock without a zone"}
    return memory.add("error", {**fields, "location": {"file": path, "line": 2}})


def test_s4_74_what_helped_on_the_same_failure_in_another_file_is_advised(memory: Memory) -> None:
    in_file(memory, "src/a.py")
    other = in_file(memory, "src/b.py")
    in_file(memory, "src/c.py")
    memory.resolve(other.id, {"approach": "take UTC", "outcome": "worked"})
    found = memory.advice.advise(path="src/a.py")
    assert found.about == ("src/a.py: 1 error, 1 attempt",)
    assert texts(found.tries) == ["take UTC"]
    sure = found.tries[0].confidence
    assert sure is not None
    assert sure.label == "same error"
    said = f"{other.title} was also in 2 other files: src/b.py, src/c.py; see: gitmem stats analyse"
    assert said in found.notes


def test_s4_73_a_cause_that_recurs_across_files_is_one_place_to_mend(memory: Memory) -> None:
    for path in ("src/a.py", "src/b.py"):
        in_file(memory, path)
        in_file(memory, path.replace("src", "lib"), "year is out of range")
    findings = memory.models.analyse()
    assert sorted(finding.files for finding in findings.failures) == [
        ("lib/a.py", "lib/b.py"),
        ("src/a.py", "src/b.py"),
    ]
    (said,) = findings.notes
    assert said.startswith("one cause of 2 failures in 4 files: ")
    assert said.endswith(": A clock without a zone")
    for path in ("src/a.py", "src/a.py"):
        in_file(memory, path, "only here")
    assert ("src/a.py",) in [finding.files for finding in memory.models.analyse().failures]


def test_s4_74_a_task_warns_of_the_files_that_it_names(memory: Memory, repo: "Checkout") -> None:
    repo.add("src/b.py", "x = 1\n")
    first = in_file(memory, "src/b.py")
    memory.resolve(first.id, {"approach": "strip the zone", "outcome": "failed"})
    memory.resolve(first.id, {"approach": "take UTC", "outcome": "worked"})
    memory.add("error", {**_plain(first), "links": {"duplicates": [first.id]}})
    memory.add("decision", {"title": "UTC only", "decision": "x", "governs": ["src/b.py"]})
    found = memory.advice.advise(task={"description": "Rename things in src/b.py, and in lib."})
    assert found.stop[0].text == f"{first.title}: it came back after it was fixed"
    assert "strip the zone" in texts(found.avoid)
    assert "keep to the decision: UTC only" in texts(found.tries)
    other = memory.advice.advise(task={"description": "Rename things in src/gone.py, /etc/passwd"})
    assert (other.stop, other.avoid) == ((), ())


def test_a_line_of_a_file(memory: Memory) -> None:
    memory.add("decision", {"title": "UTC everywhere", "decision": "x", "governs": ["src/*.py"]})
    found = memory.advice.advise(path="src/auth.py:5")
    assert found.about == ("src/auth.py:5: 0 errors, 0 attempts",)
    assert texts(found.tries) == ["keep to the decision: UTC everywhere"]


def test_an_error_that_names_a_line_without_its_text_is_told_at_that_line(memory: Memory) -> None:
    location = {"file": "src/auth.py", "line": 5}
    error = memory.add("error", {"message": "ValueError: bad zone", "location": location})
    memory.resolve(error.id, {"approach": "strip the zone", "outcome": "failed"})
    advice = memory.advice.advise(path="src/auth.py:5")
    assert advice.about == ("src/auth.py:5: 1 error, 1 attempt",)
    assert texts(advice.avoid) == ["strip the zone"]
    assert f"{error.id} named line 5, without its text: it may have moved" in advice.notes
    assert memory.advice.advise(path="src/auth.py:4").about == (
        "src/auth.py:4: 0 errors, 0 attempts",
    )


def test_nothing_is_advised_that_shares_only_fillers_with_a_question(memory: Memory) -> None:
    error = memory.add("error", {"message": "NameError: name 'x' is not defined"})
    memory.resolve(error.id, {"approach": "import it", "outcome": "failed"})
    advice = memory.advice.advise("how can I do it with a branch")
    assert (advice.about, advice.tries, advice.avoid) == ((), (), ())


def test_an_error_that_came_back_is_a_reason_to_stop(memory: Memory) -> None:
    first = an_error(memory)
    memory.resolve(first.id, {"approach": "restart it"})
    again = memory.add("error", {**_plain(first), "links": {"duplicates": [first.id]}})
    found = memory.advice.advise(path="src/auth.py")
    assert found.stop[0].text == f"{first.title}: it came back after it was fixed"
    assert found.stop[0].records in {(first.id,), (again.id,)}
    assert texts(found.tries) == ["restart it"], "nothing shows that it is in the code"


def test_a_file_that_nobody_knows(memory: Memory) -> None:
    found = memory.advice.advise(path="src/new.py")
    assert not found.knows
    assert found.notes[-1] == "there is no file src/new.py now"


# All of it


def test_only_one_thing_at_a_time(memory: Memory) -> None:
    with pytest.raises(UsageError, match="at once"):
        memory.advice.advise("x", path="y")


def test_text_of_records_cannot_act_on_a_terminal(memory: Memory) -> None:
    error = an_error(memory)
    memory.resolve(error.id, {"approach": "a\x1b[31mred\u202e\nline", "lessons": "x\x07"})
    said = written(memory, text=OUTPUT)
    assert not {"\x1b", "\x07", "\u202e"} & set(said)
    assert failure("cart").message == "cart is broken"


def test_s4_2_a_pack_speaks_where_the_memory_has_nothing_to_say(
    memory: Memory, repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not memory.advice.advise(OUTPUT).knows
    monkeypatch.delenv("GITMEM_PACKS_OFF")
    with Memory.open(str(repo)) as taught:
        found = taught.advice.advise(OUTPUT)
    assert found.tries
    assert found.tries[0].confidence
    assert found.tries[0].confidence.word == "too little data"
    assert found.tries[0].confidence.label.startswith("pack ")


def test_the_id_of_an_error_means_that_error(memory: Memory) -> None:
    """And no words that others may hold as well."""
    error = memory.add("error", {"error_type": "KeyError", "message": "'sub'"})
    fix = memory.resolve(error.id, {"approach": "Read the claim with get"})
    other = memory.add("error", {"error_type": "TypeError", "message": f"in {error.id}"})
    memory.resolve(other.id, {"approach": "Something else"})
    found = memory.advice.advise(error.id.upper())
    assert [one.records for one in found.tries] == [(fix.id,)]
    assert error.id in found.about[0]


# Have we tried this?


def test_a_task_is_told_what_was_tried_in_vain_first(memory: Memory) -> None:
    error = an_error(memory)
    memory.resolve(error.id, {"approach": "compare with datetime.now(UTC)"})
    failed = memory.resolve(
        error.id,
        {"approach": "use datetime.utcnow instead of now", "outcome": "failed",
         "why_failed": "utcnow is naive, too"},
    )  # fmt: skip
    for number in range(3):
        memory.add("decision", {"title": f"Name the stage {number}", "decision": "use its colour"})
    found = memory.advice.advise(task={"description": "use utcnow in expired"})
    assert [one.records for one in found.avoid] == [(failed.id,)]
    assert found.avoid[0].says == "utcnow is naive, too"
    assert found.tries == ()
    text = written(memory, task={"description": "use utcnow in expired"})
    assert "AVOID\n  use datetime.utcnow instead of now\n    failed 1 of 1" in text


def test_a_task_like_nothing_is_met_with_silence(memory: Memory) -> None:
    memory.resolve(an_error(memory).id, {"approach": "use aware times", "outcome": "failed"})
    for number in range(3):
        memory.add("decision", {"title": f"Use colours of stage {number}", "decision": "always"})
    found = memory.advice.advise(task={"description": "use a queue for the mails of orders"})
    assert (found.tries, found.avoid, found.stop) == ((), (), ())


def test_a_file_that_others_depend_on_is_no_file_to_change_lightly(
    repo: "Checkout", memory: Memory
) -> None:
    repo.add("src/base.py", "RATE = 1\n")
    for number in range(11):
        repo.add(f"src/user{number}.py", "from src.base import RATE\n")
    repo.commit("a base and its users")
    notes = memory.advice.advise(path="src/base.py").notes
    assert notes[0].startswith("11 other files depend on it: src/user0.py, ")
    assert not any("speaks against" in note for note in notes)
    nothing = memory.advice.advise(path="src/user1.py").notes
    assert nothing == ("nothing recorded speaks against a change",)


# What was tried on something else names what that was


def _tried(memory: Memory, approach: str, outcome: str, **error: Any) -> None:
    wrong = memory.add("error", error).id
    memory.resolve(wrong, {"approach": approach, "outcome": outcome})


def test_what_was_tried_once_in_another_language_is_no_advice_for_a_task(memory: Memory) -> None:
    """A retry tried on a type error, and a container's limit, were advised as they stood."""
    place = {"file": "src/loop.ts", "line": 4}
    _tried(memory, "Add a retry around the loop", "failed", message="no overload", location=place)
    _tried(memory, "Raise the limit, retry in a loop", "worked", message="container killed")
    found = memory.advice.advise(task={"description": "make a retry loop in TypeScript"})
    assert texts(found.tries) == []
    (item,) = found.avoid
    assert item.error == "no overload (src/loop.ts:4)"
    assert len(memory.advice.advise(task={"description": "make a retry loop"}).tries) == 1


def test_what_worked_in_a_file_names_its_error(memory: Memory) -> None:
    _tried(memory, "split the call", "worked", message="line too long",
           location={"file": "src/auth.py", "line": 5})  # fmt: skip
    (item,) = memory.advice.advise(path="src/auth.py").tries
    assert item.error == "line too long (src/auth.py:5)"
    assert "on: line too long (src/auth.py:5)" in written(memory, path="src/auth.py")
