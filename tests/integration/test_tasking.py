"""A piece of work that is observed: what is recorded, what is offered, and what is never done."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import InvalidError, UsageError
from gitmem.learning.adaptive import Left, chosen, recovered, success_factors, told_by
from gitmem.memory import Memory
from gitmem.memory.writing.writer import Writer
from gitmem.records.kinds import Fix, Session
from gitmem.sessions import Sessions

if TYPE_CHECKING:
    from tests.conftest import Checkout


class CacheError(Exception):
    """Of our own, so that no pack knows it."""


@pytest.fixture
def memory(repo: "Checkout") -> Iterator[Memory]:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def sessions(memory: Memory) -> list[Session]:
    records = [memory.show(row.id).record for row in memory.list("kind:session", sort="oldest")]
    return [one for one in records if isinstance(one, Session)]


def refuse() -> None:
    message = "the cache refused the connection"
    raise CacheError(message)


def solved(memory: Memory, steps: tuple[str, ...] = ("start the cache",)) -> str:
    """A failure of ``refuse`` that was fixed once; gives the fix's id."""
    with pytest.raises(CacheError), memory.advice.task("warm up"):
        refuse()
    (error,) = memory.list("kind:error")
    return memory.resolve(error.id, {"approach": "start it", "steps": list(steps)}).id


def test_a_block_becomes_a_session_with_what_it_told(memory: Memory, repo: "Checkout") -> None:
    with memory.advice.task(
        "build the login", category="frontend", type="feature", dependencies=["api"], effort=3,
        id="T-1", approach="incremental", tags=["auth"],
    ) as doing:  # fmt: skip
        repo.add("login.ts", "export {}\n")
        doing.used("vite")
        doing.helped("small steps")
        doing.called(2)
        doing.measured(score=0.9)
        doing.gave({"output": "a new Component"})
    (session,) = sessions(memory)
    assert session.id == doing.session
    assert (session.goal, session.success) == ("build the login", True)
    assert session.task
    assert (session.task.id, session.task.category, session.task.effort) == ("T-1", "frontend", 3)
    assert session.task.dependencies == ("api",)
    assert session.task.complexity == "low"
    assert (session.approach, session.tags) == ("incremental", ("auth",))
    assert session.success_factors == (
        "small steps", "file_creation", "api_integration", "component_creation",
    )  # fmt: skip
    assert session.tools_used == ("vite",)
    assert session.metrics == {"score": 0.9, "api_calls_made": 2}
    assert [change.path for change in session.changes] == ["login.ts"]
    assert session.ended >= session.started


def test_the_approach_is_the_one_that_worked_before(memory: Memory) -> None:
    for _ in range(3):
        with memory.advice.task("build a page", category="frontend", approach="incremental"):
            pass
    with memory.advice.task("build a page again", category="frontend") as doing:
        assert doing.approach == "incremental"
    with memory.advice.task("calculate taxes", category="finance") as doing:
        assert doing.approach == "standard"


def test_each_call_of_a_decorated_function_is_a_task(memory: Memory) -> None:
    @memory.advice.task("double a number", category="maths")
    def double(number: int, *, extra: int = 0) -> int:
        """Double it."""
        return 2 * number + extra

    assert (double(2), double(3, extra=1)) == (4, 7)
    assert double.__doc__ == "Double it."
    assert [one.success for one in sessions(memory)] == [True, True]


def test_coroutines_that_are_awaited_together_are_tasks_of_their_own(memory: Memory) -> None:
    @memory.advice.task("ask", category="api")
    async def ask(number: int) -> dict[str, int]:
        await asyncio.sleep(0.01 * (3 - number))
        if number == 2:
            refuse()
        return {"api_calls_made": number}

    async def both() -> list[Any]:
        return list(await asyncio.gather(ask(1), ask(2), return_exceptions=True))

    first, second = asyncio.run(both())
    assert first == {"api_calls_made": 1}
    assert isinstance(second, CacheError)
    found = {one.success: one for one in sessions(memory)}
    assert found[True].metrics == {"api_calls_made": 1}
    assert found[False].metrics["error_type"] == "CacheError"
    assert memory.sessions.live() == []


def test_a_block_can_say_that_it_did_not_succeed(memory: Memory) -> None:
    with memory.advice.task("ask") as doing:
        doing.success = False
    assert sessions(memory)[0].success is False


def test_outside_of_git_a_task_is_remembered_without_its_changes(
    tmp_path: Path, sealed_git: object
) -> None:
    Memory.init(str(tmp_path))
    with Memory.open(str(tmp_path)) as memory:
        with memory.advice.task("write a file") as doing:
            (tmp_path / "a.txt").write_text("x")
        (session,) = sessions(memory)
    assert (session.id, session.success, session.changes) == (doing.session, True, ())
    assert "not in a git repository" in session.events[0].text


def test_a_failure_is_recorded_once_and_raised_as_it_is(memory: Memory) -> None:
    for _ in range(2):
        with pytest.raises(CacheError, match="refused") as caught, memory.advice.task("warm up"):
            refuse()
        assert not hasattr(caught.value, "__notes__")
    first, second = sessions(memory)
    (error,) = memory.list("kind:error")
    assert error.session == first.id
    assert (first.success, first.metrics["error_type"]) == (False, "CacheError")
    assert first.metrics["error_message"] == "the cache refused the connection"
    assert [event.record for event in second.events] == [error.id]


def test_a_known_solution_is_offered_and_nothing_is_applied(memory: Memory) -> None:
    fix = solved(memory)
    with pytest.raises(CacheError) as caught, memory.advice.task("warm up") as doing:
        refuse()
    assert [one.fix for one in doing.solutions] == [fix]
    assert doing.solutions[0].steps == ("start the cache",)
    assert caught.value.__notes__ == [f"gitmem: same message, worked before: start it  {fix}"]
    assert memory.statistics.count("kind:fix") == 1


@pytest.mark.parametrize(
    ("fix", "evidence"),
    [
        ({"outcome": "unverified"}, "same error, not verified: start it"),
        ({"outcome": "worked", "author": {"name": "bot", "via": "agent"}},
         "same error, claimed to have worked: start it"),
    ],
)  # fmt: skip
def test_only_what_was_seen_to_work_is_said_to_have_worked(
    memory: Memory, fix: dict[str, Any], evidence: str
) -> None:
    with pytest.raises(CacheError), memory.advice.task("warm up"):
        refuse()
    (error,) = memory.list("kind:error")
    memory.resolve(error.id, {"approach": "start it", "steps": ["start the cache"], **fix})
    with pytest.raises(CacheError) as caught, memory.advice.task("warm up") as doing:
        refuse()
    (note,) = caught.value.__notes__
    assert evidence in note
    # Of its type only, it is no surer.
    (offered,) = memory.advice.solutions_of_type("CacheError")
    assert offered.evidence == doing.solutions[0].evidence


def test_steps_are_applied_after_a_yes_and_the_work_is_tried_again(memory: Memory) -> None:
    fix = solved(memory, ("one", "two"))
    asked: list[str] = []
    applied: list[str] = []

    def confirm(solution: Any) -> bool:
        asked.append(solution.fix)
        return True

    def work(_: object) -> str:
        if not applied:
            refuse()
        return "warm"

    task = memory.advice.task("warm up", category="backend", confirm=confirm, apply=applied.append)
    assert task.run(work) == "warm"
    assert (asked, applied) == ([fix], ["one", "two"])
    session = sessions(memory)[-1]
    assert (session.success, session.approach) == (True, "standard_recovered")
    assert session.success_factors[0] == "error_recovery"
    assert session.metrics["recovery_used"] is True
    (again,) = memory.list(f"kind:fix session:{session.id}")
    record = memory.show(again.id).record
    assert isinstance(record, Fix)
    assert (record.reuses, record.outcome) == (fix, "worked")
    assert record.links.fixes


def test_a_no_applies_nothing(memory: Memory) -> None:
    solved(memory)
    applied: list[str] = []
    task = memory.advice.task("warm up", confirm=lambda _: False, apply=applied.append)
    with pytest.raises(CacheError):
        task.run(lambda _: refuse())
    assert applied == []
    assert sessions(memory)[-1].success is False


def test_s3_61_a_recovery_that_fails_is_recorded_and_the_first_failure_raised(
    memory: Memory,
) -> None:
    fix = solved(memory)

    def apply(_: str) -> None:
        message = "no such service"
        raise OSError(message)

    task = memory.advice.task("warm up", confirm=lambda _: True, apply=apply)
    with pytest.raises(CacheError) as caught:
        task.run(lambda _: refuse())
    assert caught.value.__notes__[-1] == f"gitmem: {fix} did not help: no such service"
    session = sessions(memory)[-1]
    assert (session.success, session.metrics["recovery_used"]) == (False, False)
    (again,) = memory.list(f"kind:fix session:{session.id}")
    record = memory.show(again.id).record
    assert isinstance(record, Fix)
    assert (record.outcome, record.why_failed) == ("failed", "OSError: no such service")


def test_a_fix_that_reuses_another_is_the_same_solution(memory: Memory) -> None:
    solved(memory)
    applied: list[str] = []

    def work(_: object) -> None:
        if not applied:
            refuse()

    memory.advice.task("warm up", confirm=lambda _: True, apply=applied.append).run(work)
    with pytest.raises(CacheError), memory.advice.task("warm up") as doing:
        refuse()
    assert len(doing.solutions) == 1


def test_a_result_that_says_it_failed_is_believed(memory: Memory) -> None:
    answer = memory.advice.task("ask").run(lambda _: {"success": False, "tools_used": ["curl"]})
    assert answer["success"] is False
    (session,) = sessions(memory)
    assert (session.success, session.tools_used) == (False, ("curl",))


def test_who_presses_ctrl_c_says_nothing_about_success(memory: Memory) -> None:
    with pytest.raises(KeyboardInterrupt), memory.advice.task("long work"):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        memory.advice.task("long work").run(_interrupted)
    assert [one.success for one in sessions(memory)] == [None, None]
    assert memory.sessions.live() == []
    assert memory.statistics.count("kind:error") == 0


def _interrupted(_: object) -> None:
    raise KeyboardInterrupt


def test_tasks_inside_tasks_and_beside_a_session_keep_apart(memory: Memory) -> None:
    outer = memory.sessions.start("the whole day")
    with memory.advice.task("first") as one, memory.advice.task("second") as two:
        memory.add("note", {"body": "of the second"})
    ids = {live.id for live in memory.sessions.live()}
    assert ids == {outer.id}
    assert memory.list("kind:note")[0].session == two.session
    assert one.session != two.session


def test_what_can_not_be_recorded_never_hides_the_failure(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        message = "the disk is full"
        raise InvalidError(message)

    def work(_: object) -> None:
        monkeypatch.setattr(Writer, "add", broken)
        monkeypatch.setattr(Sessions, "end", broken)
        refuse()

    with pytest.raises(CacheError) as caught:
        memory.advice.task("warm up").run(work)
    assert caught.value.__notes__ == [
        "gitmem: nothing was looked up: the disk is full", "gitmem: not recorded: the disk is full",
    ]  # fmt: skip


def test_what_was_done_stands_whatever_becomes_of_its_record(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        message = "the disk is full"
        raise InvalidError(message)

    monkeypatch.setattr(Sessions, "end", broken)
    with pytest.warns(RuntimeWarning, match="not recorded: the disk is full"):
        assert memory.advice.task("warm up").run(lambda _: 3) == 3
    with pytest.warns(RuntimeWarning, match="not recorded"), memory.advice.task("warm up"):
        pass


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"description": " "}, "needs a description"),
        ({"description": "x", "confirm": lambda _: True}, "apply is missing"),
        ({"description": "x", "apply": print}, "confirm is missing"),
    ],
)
def test_a_task_that_makes_no_sense_is_refused(
    memory: Memory, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        memory.advice.task(**given)


def test_s3_64_success_factors_are_what_is_to_be_seen() -> None:
    assert success_factors(Left()) == ()
    assert success_factors(Left(created=1)) == ("file_creation",)
    assert success_factors(Left(calls=1)) == ("api_integration",)
    assert success_factors(Left(resolved=("db",))) == ("dependency_resolution",)
    assert success_factors(Left("frontend", output="Component made")) == ("component_creation",)
    assert success_factors(Left("backend", output="Component made")) == ()


def test_an_approach_is_stated_or_recommended_or_standard() -> None:
    assert chosen(" parallel ", "incremental") == "parallel"
    assert chosen("", "incremental") == "incremental"
    assert chosen("", "") == "standard"
    assert recovered(recovered("parallel")) == "parallel_recovered"


@pytest.mark.parametrize("result", [None, 3, "text", {"tools_used": 3, "api_calls_made": "many"}])
def test_a_result_of_another_form_says_nothing(result: object) -> None:
    assert told_by(result) == told_by({})
