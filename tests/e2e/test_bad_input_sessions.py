"""Sessions that can't be meant: case 13."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from gitmem.memory.core import workspace
from tests.e2e.running import (
    CONFLICT,
    INVALID,
    NOT_FOUND,
    USAGE,
    complains,
    content,
    in_process,
    ok,
    run,
    untouched,
)

if TYPE_CHECKING:
    from tests.conftest import Checkout


def test_13_ending_logging_or_resuming_without_a_live_session(memory: "Checkout") -> None:
    with untouched(memory):
        for command in (("end",), ("abandon",), ("log", "note", "x")):
            complains(
                run(memory, "session", *command), NOT_FOUND, "no live session", "session start"
            )
        for verb in ("end", "resume", "abandon"):
            complains(
                run(memory, "session", verb, "ses-zzzz"), NOT_FOUND, "ses-zzzz", "session list"
            )
        complains(run(memory, "session", "show", "ses-zzzz"), NOT_FOUND, "ses-zzzz")
        assert "no session is live" in ok(memory, "session", "status")


def test_13_a_second_session_says_how_to_continue_end_or_start_beside(memory: "Checkout") -> None:
    first = ok(memory, "session", "start", "the first").split()[0]
    with untouched(memory):
        second = run(memory, "session", "start", "the second")
        complains(second, CONFLICT, first, "session end", "--beside")
    beside = ok(memory, "session", "start", "the second", "--beside").split()[0]
    assert beside != first
    assert {first, beside} <= set(ok(memory, "session", "list").split())
    ok(memory, "session", "end", first)
    ok(memory, "session", "end", beside)
    complains(run(memory, "session", "end", first), NOT_FOUND, "ended already", "gitmem show")


def test_13_ending_a_session_of_another_work_tree_names_it(memory: "Checkout") -> None:
    memory.commit()
    memory.git("worktree", "add", "-q", "../beside")
    beside = type(memory)(memory.parent / "beside")
    started = ok(memory, "session", "start", "over here").split()[0]
    with untouched(memory), untouched(beside):
        complains(run(beside, "session", "end"), NOT_FOUND, "in this work tree")
        refused = run(beside, "session", "end", started)
        complains(refused, CONFLICT, str(memory), "session resume")
    ok(beside, "session", "resume", started)
    assert started in ok(beside, "session", "end")


def test_13_a_session_that_was_left_behind_last_month(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=30)
    with monkeypatch.context() as then:
        then.setattr(workspace, "time", SimpleNamespace(time=long_ago.timestamp))
        left = in_process(memory, "session", "start", "then it crashed").out.split()[0]
    with untouched(memory):
        complains(in_process(memory, "session", "end"), NOT_FOUND, left, "resume", "abandon")
        assert "left open" in in_process(memory, "session", "show", left).out
        assert left in in_process(memory, "session", "status").err
        assert f"session left open {left}" in in_process(memory, "status").out
    started = in_process(memory, "session", "start", "now")
    assert started.code == 0, started
    assert f"{left} was left open" in started.err
    assert in_process(memory, "session", "end").code == 0
    ended = in_process(memory, "session", "end", left)
    assert ended.code == 0, ended
    record = json.loads(ok(memory, "show", left, "--json"))["record"]
    assert record["ended"] == record["started"], "nobody worked for a month"


def test_13_a_damaged_journal_loses_only_what_is_damaged(memory: "Checkout") -> None:
    started = ok(memory, "session", "start", "a goal").split()[0]
    ok(memory, "session", "log", "note", "kept")
    stream = memory / ".git" / "gitmem" / "journal" / f"{started}.jsonl"
    with stream.open("ab") as file:
        file.write(b'{"event": "log", "at": "20\xff\x00 half a line')
    ok(memory, "session", "log", "note", "after it")
    ended = ok(memory, "session", "end")
    assert "kept" in ended
    assert "after it" in ended


SESSION_MISUSE: dict[str, tuple[tuple[str, ...], int | None]] = {
    "no-goal": (("start",), USAGE),
    "blank-goal": (("start", "  "), USAGE),
    "bad-tag": (("start", "x", "--tag", "two words"), INVALID),
    "change-without-path": (("log", "change"), USAGE),
    "path-outside": (("log", "change", "../../etc/passwd"), USAGE),
    "bad-lines": (("log", "change", "a.py", "--lines", "ten"), USAGE),
    "lines-backwards": (("log", "change", "a.py", "--lines", "9-3"), None),
    "result-of-a-note": (("log", "note", "x", "--result", "passed"), USAGE),
    "test-without-result": (("log", "test", "--command", "pytest"), USAGE),
    "unknown-record": (("log", "note", "x", "--record", "err-zzz"), NOT_FOUND),
    "type-of-two-lines": (("log", "a\nb", "x"), INVALID),
}  # fmt: skip


@pytest.mark.parametrize("case", SESSION_MISUSE)
def test_13_misuse_of_a_live_session_is_refused_and_leaves_it_alone(
    memory: "Checkout", case: str
) -> None:
    command, code = SESSION_MISUSE[case]
    if command[0] == "log":
        in_process(memory, "session", "start", "a goal")
    journal = memory / ".git" / "gitmem" / "journal"
    before = content(journal)
    result = in_process(memory, "session", *command)
    complains(result, result.code if code is None else code)
    assert result.code in {USAGE, NOT_FOUND, INVALID}, result
    assert content(journal) == before
