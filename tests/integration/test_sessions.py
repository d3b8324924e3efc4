"""Sessions: from a goal to a record, with what git saw in between."""

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import (
    ConflictError,
    EnvironmentProblem,
    GitmemError,
    InvalidError,
    NotFoundError,
    UsageError,
)
from gitmem.git.git_dirs import find, journal_dir
from gitmem.records import parts  # pytest would collect TestRun and TestCase by name
from gitmem.records.convert import decode, encode
from gitmem.records.kinds import Record, Session
from gitmem.records.layout import make_id
from gitmem.sessions import LiveSession, Produced, Sessions
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from tests.conftest import Checkout

ADA = parts.Author(name="Ada Lovelace", email="ada@example.com")
AGENT = parts.Author(
    name="Ada Lovelace", email="ada@example.com", via="agent", tool="claude-code", model="m1"
)


class Clock:
    """A clock that only moves when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)  # the commits' date, too

    def __call__(self) -> datetime:
        return self.now

    def passes(self, **units: float) -> None:
        self.now += timedelta(**units)


class World:
    """The records written, a clock, and sessions seen from any folder by any actor."""

    def __init__(self, repo: "Checkout") -> None:
        self.repo = repo
        self.clock = Clock()
        self.records: list[Record] = []

    def sessions(
        self, folder: Path | None = None, actor: parts.Author = ADA, **options: Any
    ) -> Sessions:
        places = find(str(folder or self.repo))
        assert places is not None
        settings: dict[str, Any] = {
            "journal": Journal(journal_dir(places)),
            "add_record": self.add,
            "root": places.root,
            "git_dirs": places,
            "actor": actor,
            "clock": self.clock,
            "new_id": lambda kind: make_id(kind, os.urandom(7)),
        }
        return Sessions(**(settings | options))

    def add(self, record: Record) -> str:
        if any(other.id == record.id for other in self.records):
            raise ConflictError("that id is taken")
        reading = decode(encode(record), "x.yaml")
        assert reading.record == record, reading.problems
        self.records.append(record)
        return record.id


@pytest.fixture
def world(repo: "Checkout") -> World:
    return World(repo)


@pytest.fixture
def sessions(world: World) -> Sessions:
    return world.sessions()


def described(session: Session) -> dict[str, str]:
    return {change.path: change.action for change in session.changes}


def gaps(session: Session) -> list[str]:
    return [event.text for event in session.events if event.type == "gap"]


def other_tree(world: World, name: str = "other") -> "Checkout":
    world.repo.git("worktree", "add", "-q", f"../{name}", "-b", name)
    return type(world.repo)(world.repo.parent / name)


def test_a_session_from_start_to_record(world: World, sessions: Sessions) -> None:
    world.repo.add("src/auth.py", "one\ntwo\n")
    world.repo.add("old.py", "1\n")
    world.repo.commit()
    world.repo.add("src/auth.py", "one\ntwo\nbefore the session\n")
    live = sessions.start("Add JWT validation\nfor the app", tags=["auth", "feature"])
    assert (live.here.branch, live.here.head) == ("main", world.repo.git("rev-parse", "HEAD"))
    assert live.stale_others == ()

    world.clock.passes(minutes=10)
    world.repo.add("src/auth.py", "one\n2\nbefore the session\n")
    world.repo.add("tests/test_auth.py", "new\n")
    (world.repo / "old.py").unlink()
    noted = sessions.log(
        "change",
        "",
        path="src/auth.py",
        reason="tokens must be checked against the clock in UTC",
        action="refactor",
        lines=(1, 2),
        related_files=["tests/test_auth.py"],
    )
    assert noted == (live.id, ())
    sessions.log("consensus", "both agree", role="CONSENSUS_JUDGE")
    red = parts.TestRun(
        result="failed",
        failed=1,
        passed=3,
        cases=(parts.TestCase(name="test_skew", status="failed"),),
    )
    sessions.log("test", "first run", test_run=red)
    sessions.log("test", "", test_run=parts.TestRun(result="passed", passed=4, failed=0))
    sessions.log("note", "the clock of the CI machine is off")
    world.clock.passes(hours=1)
    record = sessions.end(
        success=True,
        approach="tests first",
        tools_used=["pytest", "pytest", "ruff"],
        success_factors=["small steps"],
        llm=parts.Usage(calls=3, input_tokens=100),
        metrics={"reviewed": True},
        produced=lambda session: [
            Produced("fix-0000000000", "fix", f"Made in {session}", "worked"),
        ],
    )
    assert world.records == [record]
    assert (record.id, record.title) == (live.id, "Add JWT validation")
    assert record.ended - record.started == timedelta(minutes=70)
    assert record.tags == ("auth", "feature")
    assert record.tools_used == ("pytest", "ruff")
    assert record.branch == "main"
    assert record.changes == (
        parts.Change(path="old.py", action="delete", added=0, removed=1),
        parts.Change(
            path="src/auth.py",
            action="refactor",
            reason="tokens must be checked against the clock in UTC",
            lines=(1, 2),
            related_files=("tests/test_auth.py",),
            added=1,
            removed=1,
        ),
        parts.Change(path="tests/test_auth.py", action="create", added=1, removed=0),
    )
    assert [run.result for run in record.test_runs] == ["failed", "passed"]
    assert all(run.at for run in record.test_runs)
    assert [(event.type, event.role) for event in record.events] == [
        ("consensus", "CONSENSUS_JUDGE"),
        ("note", ""),
    ]
    assert (
        record.summary
        == f"""\
Goal: Add JWT validation
for the app
Worked 1 h 10 min on branch main. It succeeded.

Changed 3 files (+2 -2):
- old.py (delete, +0 -1)
- src/auth.py (refactor, +1 -1): tokens must be checked against the clock in UTC
- tests/test_auth.py (create, +1 -0)

Tests: 2 runs, 1 failed; the last one: passed, 4 passed, 0 failed.

Recorded:
- fix fix-0000000000: Made in {live.id} (worked)

Noted:
- the clock of the CI machine is off"""
    )
    assert sessions.current() is None
    assert sessions.live(everywhere=True) == []


def test_the_same_facts_give_the_same_summary_and_a_told_one_is_kept(
    world: World, sessions: Sessions
) -> None:
    def one() -> str:
        sessions.start("same")
        return sessions.end().summary

    assert one() == one()
    sessions.start("told")
    assert sessions.end(summary=" In my own words. ").summary == "In my own words."
    assert len(world.records) == 3


def test_what_is_open_ends_the_summary(sessions: Sessions) -> None:
    sessions.start("fail")
    cases = tuple(parts.TestCase(name=f"test_{n}", status="failed") for n in range(7))
    sessions.log("test", "", test_run=parts.TestRun(result="failed", cases=cases))
    produced = [
        Produced("err-0000000000", "error", "It breaks"),
        Produced("fix-0000000000", "fix", "Turn it off", "failed"),
    ]
    record = sessions.end(success=False, produced=lambda _: produced)
    assert "It did not succeed." in record.summary
    assert record.summary.endswith(
        "Still open:\n"
        "- the last test run did not pass: test_0, test_1, test_2, test_3, test_4 and 2 more\n"
        "- fix-0000000000 did not work: Turn it off\n"
        "- no fix that worked is recorded yet for err-0000000000"
    )


def test_a_second_start_says_how_to_go_on(sessions: Sessions) -> None:
    first = sessions.start("one")
    with pytest.raises(ConflictError) as caught:
        sessions.start("two")
    assert first.id in caught.value.message
    for way in ("gitmem session log", "gitmem session end", "gitmem session start --beside"):
        assert way in caught.value.hint
    second = sessions.start("two", beside=True)
    assert [live.id for live in sessions.live()] == [first.id, second.id]
    assert current(sessions).id == second.id


def current(sessions: Sessions) -> LiveSession:
    live = sessions.current()
    assert live is not None
    return live


def test_of_many_that_start_at_once_one_passes(world: World) -> None:
    barrier = threading.Barrier(6)
    outcomes: list[str] = []

    def begin() -> None:
        sessions = world.sessions()
        barrier.wait()
        try:
            outcomes.append(sessions.start("race").id)
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("refused") == 5
    assert len(world.sessions().live()) == 1


def test_each_actor_and_each_work_tree_has_its_own(world: World, sessions: Sessions) -> None:
    mine = sessions.start("mine")
    agents = world.sessions(actor=AGENT)
    its = agents.start("the agent's")
    there = world.sessions(other_tree(world))
    elsewhere = there.start("mine, elsewhere")
    assert [current(s).id for s in (sessions, agents, there)] == [mine.id, its.id, elsewhere.id]
    assert {live.id for live in sessions.live(everywhere=True)} == {mine.id, its.id, elsewhere.id}
    newer = parts.Author(
        name="Ada", email="ADA@example.com", via="agent", tool="claude-code", model="m2"
    )
    assert current(world.sessions(actor=newer)).id == its.id  # the model does not count
    assert agents.end().author == AGENT


def test_log_and_end_without_a_session(sessions: Sessions) -> None:
    for call in (lambda: sessions.log("note", "x"), sessions.end, sessions.status):
        with pytest.raises(NotFoundError) as caught:
            call()
        assert "gitmem session start" in caught.value.hint


def test_ids_that_are_unknown_ended_or_not_whole(sessions: Sessions) -> None:
    live = sessions.start("one")
    other = sessions.start("two", beside=True)
    assert sessions.status(live.id.upper()).live.id == live.id
    assert sessions.status(live.id[:12]).live.id == live.id
    with pytest.raises(UsageError) as ambiguous:
        sessions.end("ses-")
    assert live.id in ambiguous.value.message
    assert other.id in ambiguous.value.message
    for unknown in ("ses-zzzzzzzzzz", "nonsense", ""):
        with pytest.raises(NotFoundError) as caught:
            sessions.end(unknown)
        assert "gitmem session list" in caught.value.hint
    sessions.end(live.id)
    with pytest.raises(NotFoundError) as caught:
        sessions.end(live.id)
    assert "ended already" in caught.value.message


def test_the_environment_names_the_session_and_no_other_is_taken_instead(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sessions.start("one")
    second = sessions.start("two", beside=True)
    monkeypatch.setenv("GITMEM_SESSION", first.id)
    assert current(sessions).id == first.id
    sessions.end()
    assert sessions.current() is None
    with pytest.raises(NotFoundError) as caught:
        sessions.log("note", "x")
    assert "GITMEM_SESSION" in caught.value.message
    monkeypatch.setenv("GITMEM_SESSION", "../../etc/passwd")
    assert sessions.current() is None
    monkeypatch.setenv("GITMEM_SESSION", "")
    assert current(sessions).id == second.id


def test_ending_in_another_work_tree_says_where(world: World, sessions: Sessions) -> None:
    live = sessions.start("here")
    there = world.sessions(other_tree(world))
    with pytest.raises(ConflictError) as caught:
        there.end(live.id)
    assert f"gitmem -C {world.repo} session end" in caught.value.hint
    assert f"gitmem session resume {live.id}" in caught.value.hint
    assert current(sessions).id == live.id
    assert world.records == []


def test_taken_over_into_another_work_tree_it_knows_the_changes_of_both(
    world: World, sessions: Sessions
) -> None:
    world.repo.add("only-on-main", "1\n")
    live = sessions.start("move")
    world.repo.add("a", "made here\n")
    tree = other_tree(world)
    tree.add("there before", "x\n")
    there = world.sessions(tree)
    resumed = there.resume(live.id)
    assert resumed.id == current(there).id == live.id
    assert sessions.current() is None
    world.repo.add("late", "not part of it any more\n")
    tree.add("b", "made there\n")
    record = there.end()
    assert described(record) == {"a": "create", "b": "create"}
    assert record.branch == "other"
    assert gaps(record) == []


def test_the_work_tree_is_gone(world: World, sessions: Sessions) -> None:
    tree = other_tree(world)
    there = world.sessions(tree)
    live = there.start("in a tree that is removed")
    there.log("change", "", path="lost.py", reason="kept all the same")
    tree.add("lost.py", "x\n")
    world.repo.git("worktree", "remove", "--force", str(tree))
    record = sessions.end(live.id)
    assert described(record) == {"lost.py": "edit"}
    assert any("gone" in gap for gap in gaps(record))


def test_one_left_behind_does_not_stand_in_the_way(world: World, sessions: Sessions) -> None:
    old = sessions.start("crashed")
    world.repo.add("a", "1\n")
    world.clock.passes(minutes=30)
    sessions.log("note", "last sign of life")
    world.clock.passes(days=30)
    assert sessions.current() is None
    with pytest.raises(NotFoundError) as caught:
        sessions.log("note", "x")
    assert old.id in caught.value.message
    assert f"gitmem session resume {old.id}" in caught.value.hint
    new = sessions.start("next")
    assert new.stale_others == (old.id,)
    assert current(sessions).id == new.id

    world.repo.add("b", "of the next one\n")
    record = sessions.end(old.id)
    assert record.ended - record.started == timedelta(minutes=30)
    assert record.changes == ()
    assert any("left open" in gap for gap in gaps(record))
    assert described(sessions.end()) == {"b": "create"}


def test_one_left_behind_can_be_resumed_or_abandoned(world: World, sessions: Sessions) -> None:
    one = sessions.start("long")
    world.repo.add("a", "1\n")
    world.clock.passes(days=3)
    two = sessions.start("short")
    assert sessions.resume(one.id).stale is False
    assert current(sessions).id == one.id
    assert described(sessions.end()) == {"a": "create"}
    assert sessions.abandon(two.id).id == two.id
    assert len(world.records) == 1
    with pytest.raises(NotFoundError):
        sessions.abandon(two.id)


def test_events_keep_it_alive_and_the_limit_is_a_setting(world: World) -> None:
    sessions = world.sessions(max_hours=1)
    sessions.start("watched")
    for _ in range(3):
        world.clock.passes(minutes=59)
        sessions.log("note", "still here")
    world.clock.passes(minutes=61)
    assert sessions.current() is None


def test_anothers_session_can_be_taken_over_and_keeps_its_author(world: World) -> None:
    live = world.sessions(actor=AGENT).start("the agent's")
    mine = world.sessions()
    mine.resume(live.id)
    assert current(mine).id == live.id
    assert mine.end().author == AGENT


def test_the_clock_jumps_back(world: World, sessions: Sessions) -> None:
    sessions.start("time travel")
    world.clock.passes(days=-400)
    assert sessions.status().seconds == 0
    sessions.log("note", "earlier than the start")
    record = sessions.end()
    assert record.ended == record.started
    assert record.events[0].at >= record.started


@pytest.mark.parametrize("reason", [None, "", "  ", "update", "Fixed.", "minor changes", "WIP!"])
def test_a_change_without_a_telling_reason_gets_a_gentle_word(
    world: World, sessions: Sessions, reason: str | None
) -> None:
    sessions.start("x")
    noted = sessions.log("change", "", path="a.py", reason=reason)
    assert len(noted.warnings) == 1
    advice = "give the cause" if reason and reason.strip() else "no reason given"
    assert advice in noted.warnings[0]
    assert sessions.log("note", "", path="a.py").warnings == ()
    assert sessions.log("change", "", path="a.py", reason="tokens expire early").warnings == ()
    assert world.records == []


def test_logged_changes_that_git_does_not_see_become_events(
    world: World, sessions: Sessions
) -> None:
    world.repo.add(".gitignore", "*.log\n")
    world.repo.commit()
    sessions.start("x")
    world.repo.add("out.log", "1\n")
    sessions.log("change", "", path="out.log", reason="ignored by git")
    sessions.log("change", "", path=str(world.repo / "undone.py"), reason="tried and undone")
    record = sessions.end()
    assert record.changes == ()
    assert [event.text for event in record.events] == [
        "out.log: ignored by git",
        "undone.py: tried and undone",
    ]


def test_reasons_follow_a_file_to_its_new_name(world: World, sessions: Sessions) -> None:
    world.repo.add("old.py", "".join(f"{n}\n" for n in range(30)))
    world.repo.commit()
    sessions.start("x")
    sessions.log("change", "", path="old.py", reason="said under the old name")
    (world.repo / "old.py").rename(world.repo / "new.py")
    sessions.log("change", "", path="./new.py", reason="said under the new name")
    (change,) = sessions.end().changes
    assert (change.path, change.action, change.renamed_from) == ("new.py", "rename", "old.py")
    assert change.reason == "said under the old name; said under the new name"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"type": "change"}, UsageError),
        ({"type": "change", "path": "../outside"}, UsageError),
        ({"type": "change", "path": "/etc/passwd"}, UsageError),
        ({"type": "change", "path": "."}, UsageError),
        ({"type": "change", "path": "a", "action": "explode"}, InvalidError),
        ({"type": "change", "path": "a", "lines": (0, 3)}, InvalidError),
        ({"type": "two\nlines"}, InvalidError),
        ({"type": ""}, InvalidError),
        ({"type": "note", "record": "not an id"}, InvalidError),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_what_no_record_could_hold_is_refused_when_it_is_logged(
    sessions: Sessions, arguments: dict[str, Any], error: type[GitmemError]
) -> None:
    sessions.start("x")
    with pytest.raises(error) as caught:
        sessions.log(**({"text": ""} | arguments))
    assert caught.value.hint or isinstance(caught.value, InvalidError)
    assert sessions.status().live.logged == ()


def test_goals_tags_and_tasks_are_checked_at_the_start(sessions: Sessions) -> None:
    for goal in ("", " \n"):
        with pytest.raises(UsageError):
            sessions.start(goal)
    with pytest.raises(InvalidError):
        sessions.start("x", tags=["two words"])
    assert sessions.live() == []
    task = parts.Task(
        id="T1", category="backend", complexity="high", effort=3.5, dependencies=("T0",)
    )
    sessions.start("x" * 5000, task=task, tags=["a", "a"])
    record = sessions.end()
    assert (record.task, record.tags) == (task, ("a",))
    assert len(record.title) <= 200


def test_it_stays_live_if_its_record_cannot_be_written(world: World) -> None:
    def full(_record: Record) -> str:
        raise EnvironmentProblem("the disk is full", "free some space")

    sessions = world.sessions(add_record=full)
    sessions.start("x")
    sessions.log("note", "precious")
    with pytest.raises(EnvironmentProblem):
        sessions.end()
    with pytest.raises(InvalidError):
        world.sessions().end(tags=["two words"])
    record = world.sessions().end()
    assert record.events[0].text == "precious"


def test_a_record_written_without_closing_is_not_written_twice(
    world: World, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = sessions.start("x")

    def fail(_journal: Journal, _stream: str) -> None:
        raise EnvironmentProblem("the disk is full", "free some space")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "close_stream", fail)
        with pytest.raises(EnvironmentProblem) as caught:
            sessions.end()
    assert live.id in caught.value.message
    assert sessions.current() is None
    assert sessions.live(everywhere=True) == []
    assert len(world.records) == 1


def test_no_commit_yet(make_repo: Callable[..., "Checkout"]) -> None:
    world = World(make_repo("new", commit=False))
    sessions = world.sessions()
    live = sessions.start("the first steps")
    assert (live.here.head, live.here.branch) == ("", "main")
    world.repo.add("a", "1\n")
    world.repo.commit()
    world.repo.add("b", "1\n")
    record = sessions.end()
    assert described(record) == {"a": "create", "b": "create"}
    assert gaps(record) == []


def test_detached_head_and_the_middle_of_a_merge(world: World, sessions: Sessions) -> None:
    world.repo.add("f", "base\n")
    world.repo.commit()
    world.repo.git("switch", "-q", "-c", "side")
    world.repo.add("f", "side\n")
    world.repo.commit()
    world.repo.git("switch", "-q", "--detach", "main")
    world.repo.add("f", "detached\n")
    world.repo.commit()
    world.repo.git("merge", "-q", "side", code=1)
    live = sessions.start("resolve it")
    assert live.here.branch == ""
    assert any("merge was in progress" in gap for gap in live.gaps)
    world.repo.add("f", "resolved\n")
    assert described(sessions.end()) == {"f": "edit"}


def test_files_of_other_peoples_commits_are_left_out(
    world: World, sessions: Sessions, tmp_path: Path
) -> None:
    world.repo.add("shared", "1\n")
    world.repo.add("before", "1\n")
    world.repo.commit()
    world.repo.git("clone", "-q", str(world.repo), str(tmp_path / "colleague"))
    colleague = type(world.repo)(tmp_path / "colleague")
    colleague.add("theirs", "1\n")
    colleague.add("shared", "changed by them\n")
    colleague.git("config", "user.email", "bob@example.com")
    colleague.commit("theirs")

    world.repo.add("before", "not committed before the session\n")
    sessions.start("work while others push")
    world.repo.add("mine", "1\n")
    world.repo.git("add", "mine")
    world.repo.git("commit", "-q", "-m", "mine")
    world.repo.git("pull", "-q", "--no-rebase", "--no-edit", str(colleague), "main")
    world.repo.add("mine too", "not committed\n")
    record = sessions.end()
    assert described(record) == {"mine": "create", "mine too": "create"}
    assert any("left out: 2" in gap for gap in gaps(record))


def test_another_branch_is_no_work(world: World, sessions: Sessions) -> None:
    world.repo.git("switch", "-q", "-c", "old")
    world.repo.add("my own, but long ago", "1\n")
    world.repo.commit()
    world.repo.git("switch", "-q", "main")
    for number in range(3):
        world.repo.add(f"f{number}", "1\n")
        world.repo.commit("long ago", "--date=2020-01-01T00:00:00Z")
    world.clock.passes(days=1)
    sessions.start("look at the old branch")
    world.repo.git("switch", "-q", "old")
    world.repo.add("mine", "1\n")
    record = sessions.end()
    assert described(record) == {"mine": "create"}
    assert record.branch == "old"


def test_own_commits_amended_and_rebased_count(world: World, sessions: Sessions) -> None:
    world.repo.git("branch", "upstream")
    sessions.start("rewrite")
    world.repo.add("a", "1\n")
    world.repo.commit()
    world.repo.add("a", "2\n")
    world.repo.git("commit", "-q", "-a", "--amend", "-m", "better")
    world.repo.git("switch", "-q", "upstream")
    world.repo.add("theirs", "1\n")
    world.repo.git("add", "theirs")
    world.repo.git("-c", "user.email=bob@example.com", "commit", "-q", "-m", "theirs")
    world.repo.git("switch", "-q", "main")
    world.repo.git("rebase", "-q", "upstream")
    assert described(sessions.end()) == {"a": "create"}


def test_the_snapshot_of_the_start_is_gone(world: World, sessions: Sessions) -> None:
    world.repo.add("a", "1\n")
    world.repo.commit()
    world.repo.add("before", "not committed\n")
    sessions.start("long")
    world.repo.git("prune", "--expire=now")
    world.repo.add("b", "1\n")
    record = sessions.end()
    assert described(record) == {"b": "create", "before": "create"}
    assert any("is gone" in gap and "compared with commit" in gap for gap in gaps(record))
    assert "Not observed:" in record.summary


def test_git_fails_and_the_session_goes_on(
    world: World, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        live = sessions.start("no git here")
        assert live.gaps
        sessions.log("change", "", path="a.py", action="create", reason="it is needed here")
        record = sessions.end()
    assert record.changes == (
        parts.Change(path="a.py", action="create", reason="it is needed here"),
    )
    assert any("git was not found" in gap for gap in gaps(record))


def test_gaps_name_no_folder_of_this_machine(world: World, sessions: Sessions) -> None:
    tree = other_tree(world)
    there = world.sessions(tree)
    gone = there.start("in a tree that is removed")
    world.repo.git("worktree", "remove", "--force", str(tree))
    records = [sessions.end(gone.id)]
    sessions.start("with a snapshot that fails")
    world.repo.add(".git/index", b"no index")
    records.append(sessions.end())
    for record in records:
        assert gaps(record)
        assert str(world.repo.parent) not in encode(record).decode()


def test_nothing_of_mine_came_in_while_others_pushed(world: World, sessions: Sessions) -> None:
    sessions.start("only read")
    world.repo.add("theirs", "1\n")
    world.repo.git("add", "theirs")
    world.repo.git("-c", "user.email=bob@example.com", "commit", "-q", "-m", "theirs")
    record = sessions.end()
    assert record.changes == ()
    assert any("left out: 1" in gap for gap in gaps(record))


def test_outside_git(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    options: dict[str, Any] = {
        "git_dirs": None,
        "root": str(folder),
        "journal": Journal(str(tmp_path / "journal")),
    }
    sessions = world.sessions(**options)
    sessions.start("no repository")
    sessions.log("change", "", path="a.py", reason="because it must be")
    with pytest.raises(ConflictError):
        sessions.start("again")
    record = sessions.end()
    assert described(record) == {"a.py": "edit"}
    assert len(gaps(record)) == 1


def test_nothing_of_this_machine_reaches_the_record(world: World, sessions: Sessions) -> None:
    sessions.start("clean")
    world.repo.add("a", "1\n")
    sessions.log("change", "", path=str(world.repo / "a"), reason="told with a whole path")
    text = encode(sessions.end()).decode()
    assert str(world.repo) not in text
    assert str(os.getpid()) not in text.replace("\n", " ").split()


def test_a_session_leaves_the_repository_as_it_was(world: World, sessions: Sessions) -> None:
    world.repo.add("a", "1\n")
    world.repo.git("add", "a")
    world.repo.add("b", "1\n")
    index = (world.repo / ".git" / "index").read_bytes()
    status = world.repo.git("status", "--porcelain")
    sessions.start("quiet")
    sessions.status(compare=True)
    sessions.end()
    assert (world.repo / ".git" / "index").read_bytes() == index
    assert world.repo.git("status", "--porcelain") == status
    assert world.repo.git("stash", "list") == ""


def test_status_shows_what_was_logged_and_on_request_what_git_sees(
    world: World, sessions: Sessions
) -> None:
    sessions.start("x")
    world.clock.passes(minutes=5)
    world.repo.add("seen", "1\n")
    sessions.log("change", "", path="said", reason="not there yet")
    status = sessions.status()
    assert status.seconds == 300
    assert [change.path for change in status.changes] == ["said"]
    assert [change.path for change in sessions.status(compare=True).changes] == ["seen"]


@pytest.mark.parametrize(
    "line",
    [b'{"event":"log"}', b'{"event":"log","at":"soon","type":"x"}', b'{"event":"later"}', b"junk",
     b'{"event":"resume","at":"2026-01-02T03:04:05+00:00","actor":{"name":""}}'],
)  # fmt: skip
def test_damaged_events_do_not_lose_the_others(
    world: World, sessions: Sessions, line: bytes
) -> None:
    live = sessions.start("x")
    sessions.log("note", "one")
    path = Path(world.repo / f".git/gitmem/journal/{live.id}.jsonl")
    with path.open("ab") as file:
        file.write(line + b"\n")
    sessions.log("note", "two")
    assert [e.text for e in sessions.end().events if e.type == "note"] == ["one", "two"]


def test_a_session_whose_start_is_lost_does_not_stand_in_the_way(
    world: World, sessions: Sessions
) -> None:
    live = sessions.start("x")
    path = Path(world.repo / f".git/gitmem/journal/{live.id}.jsonl")
    path.write_bytes(path.read_bytes()[:50])
    assert sessions.live(everywhere=True) == []
    assert sessions.start("y").id != live.id


def test_thousands_of_changes_and_events_stay_bounded(world: World, sessions: Sessions) -> None:
    sessions.start("generate")
    for number in range(700):
        world.repo.add(f"gen/{number}", f"{number}\n")
    stream, at = current(sessions).id, world.clock().isoformat()
    for number in range(600):
        event = {"event": "log", "at": at, "type": "note", "text": str(number)}
        sessions._journal.append(stream, event)
    record = sessions.end()
    assert len(record.changes) == 500
    assert len(record.events) <= 510
    assert "Changed 700 files" in record.summary
    assert any("200 more changed files" in gap for gap in gaps(record))
