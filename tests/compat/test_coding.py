"""The coding memory of assistants: sessions, changes, errors, decisions, context, profile."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.coding import (
    CodingMemoryManager,
    coding_analyze_patterns,
    coding_end_session,
    coding_get_project_context,
    coding_record_decision,
    coding_record_error,
    coding_search_errors,
    coding_start_session,
    coding_track_file_change,
)
from gitmem.errors import ConflictError, NotFoundError, UsageError
from gitmem.records.kinds import Decision, Error, Fix, Session
from tests.compat.calling import WHO, done
from tests.e2e.assistants import TRACE
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout


def records(filters: str) -> list[Any]:
    with Memory.open(".") as memory:
        return [memory.show(row.id).record for row in memory.list(filters, sort="oldest")]


def test_s4_23_and_24_a_change_is_noted_with_its_reason(here: "Checkout") -> None:
    session = done(coding_start_session(**WHO, description="auth"))
    here.add("src/auth.py", "def validate_token(): ...\n")
    noted = done(
        coding_track_file_change(
            **WHO,
            file_path="src/auth.py",
            action="edit",
            diff="+ def validate_token(token: str) -> bool:",
            reason="Add JWT token validation for auth middleware",
            related_files='["src/middleware.py"]',
            line_range="42,57",
        )
    )
    assert noted == {"session": session, "warnings": []}
    done(coding_end_session(**WHO))
    (record,) = records("kind:session")
    (change,) = record.changes
    assert (change.path, change.action, change.lines) == ("src/auth.py", "create", (42, 57))
    assert change.reason == "Add JWT token validation for auth middleware"
    assert change.related_files == ("src/middleware.py",)
    assert change.diff.startswith("+ def validate_token")


@pytest.mark.parametrize("action", ["create", "edit", "delete", "rename", "refactor", "test"])
def test_s4_24_every_action_is_taken(here: "Checkout", action: str) -> None:
    done(coding_start_session(**WHO, description="auth"))
    done(coding_track_file_change(**WHO, file_path="a.py", action=action, reason="because it was"))


def test_a_change_outside_a_session_becomes_one_of_its_own(here: "Checkout") -> None:
    here.add("a.py", "x")
    done(coding_track_file_change(**WHO, file_path="a.py", reason="it was too slow for CI"))
    (record,) = records("kind:session")
    assert record.goal == "it was too slow for CI"
    with Memory.open(".") as memory:
        assert memory.sessions.live() == []


def test_s4_23_a_change_that_git_does_not_see_keeps_all_that_was_said(here: "Checkout") -> None:
    done(
        coding_track_file_change(
            **WHO,
            file_path="src/auth.py",
            action="refactor",
            diff="+ def validate_token(token: str) -> bool:",
            reason="Add JWT token validation",
            related_files='["src/middleware.py"]',
            line_range="42,57",
        )
    )
    (session,) = records("kind:session")
    assert session.events[0].text == (
        "src/auth.py (refactor, lines 42-57, with src/middleware.py): Add JWT token validation\n"
        "+ def validate_token(token: str) -> bool:"
    )


def test_s4_25_an_error_is_recorded_with_its_solution_and_screenshot(here: "Checkout") -> None:
    shot = here.add("shot.png", b"\x89PNG\r\n\x1a\n")
    name = done(
        coding_record_error(
            **WHO,
            error_type="TypeError",
            message="can't compare offset-naive and offset-aware datetimes",
            stack_trace='Traceback:\n  File "auth.py", line 42',
            file_path="src/auth.py",
            line_number=42,
            solution="Use datetime.now(timezone.utc) consistently",
            screenshot=str(shot),
            tags='["datetime", "timezone"]',
        )
    )
    (error,) = records("kind:error")
    assert isinstance(error, Error)
    assert error.id == name
    assert error.location
    assert (error.location.file, error.location.line) == ("src/auth.py", 42)
    assert error.tags == ("project-api-service", "datetime", "timezone")
    assert error.author.name == "dev_john"
    assert len(error.attachments) == 1
    (fix,) = records("kind:fix")
    assert isinstance(fix, Fix)
    assert (fix.approach, fix.links.fixes) == (
        "Use datetime.now(timezone.utc) consistently", (name,),
    )  # fmt: skip


def test_a_trace_of_a_known_error_is_an_occurrence_of_it(here: "Checkout") -> None:
    with Memory.open(".") as memory:
        memory.failures.record_text(TRACE)
    again = done(
        coding_record_error(
            **WHO,
            error_type="TypeError",
            message="can't compare offset-naive and offset-aware datetimes",
            stack_trace=TRACE,
            file_path="src/when.py",
        )
    )
    with Memory.open(".") as memory:
        (known,) = memory.hint(TRACE)
        assert (known.label, len(known.errors)) == ("same error", 2)
        assert again in {error.id for error in known.errors}
        # What is said to be of another type is not what the trace shows.
        assert memory.failures.shown(TRACE, "ValueError") == {}


def test_s4_26_a_decision_is_recorded_with_its_alternatives(here: "Checkout") -> None:
    done(
        coding_record_decision(
            **WHO,
            decision="Use JWT tokens for authentication",
            rationale="Stateless auth enables horizontal scaling.",
            alternatives='["Session-based auth", "OAuth only"]',
            impact="Eliminates session store",
            tags='["architecture", "security"]',
            related_files='["src/auth.py", "src/middleware.py"]',
            confidence=0.9,
        )
    )
    (decision,) = records("kind:decision")
    assert isinstance(decision, Decision)
    assert decision.rationale.startswith("Stateless")
    assert [one.option for one in decision.alternatives] == ["Session-based auth", "OAuth only"]
    assert decision.consequences == "Eliminates session store"
    assert decision.governs == ("src/auth.py", "src/middleware.py")
    assert decision.confidence == 0.9
    assert "security" in decision.tags


def test_s4_27_and_28_and_62_a_session_has_tags_a_summary_and_a_duration(
    here: "Checkout",
) -> None:
    session = done(
        coding_start_session(**WHO, description="JWT", tags=["feature", "authentication"])
    )
    here.add("src/auth.py", "x\n")
    done(coding_record_error(**WHO, error_type="KeyError", message="'sub'"))
    result = done(coding_end_session(**WHO, summary=None, success=True))
    assert result["session_id"] == session
    assert "Goal: JWT" in result["summary"]
    assert "src/auth.py" in result["summary"]
    assert "KeyError" in result["summary"]
    assert result["duration_minutes"] >= 0
    (record,) = records("kind:session")
    assert isinstance(record, Session)
    assert record.tags == ("project-api-service", "feature", "authentication")
    assert record.success is True


def test_s4_28_a_summary_of_ones_own_is_kept(here: "Checkout") -> None:
    done(coding_start_session(**WHO, description="JWT"))
    assert done(coding_end_session(**WHO, summary="All done."))["summary"] == "All done."


def test_s4_29_and_63_errors_are_found_by_other_words_too(here: "Checkout") -> None:
    done(
        coding_record_error(
            **WHO,
            error_type="TypeError",
            message="can't compare offset-naive and offset-aware datetimes",
            solution="Use UTC everywhere",
        )
    )
    done(coding_record_error(**WHO, error_type="KeyError", message="'user'"))
    found = done(coding_search_errors(**WHO, query='comparing "datetime" objects: -naive', k=1))
    assert [one["error_type"] for one in found] == ["TypeError"]
    assert found[0]["message"] == "can't compare offset-naive and offset-aware datetimes"
    assert (found[0]["status"], found[0]["solution"]) == ("resolved", "Use UTC everywhere")
    assert found[0]["attempts"][0]["outcome"] == "claimed"


def test_s4_30_the_projects_context_tells_decisions_and_what_is_known(here: "Checkout") -> None:
    done(coding_record_decision(**WHO, decision="authentication uses JWT", rationale="stateless"))
    here.add("pyproject.toml", '[project]\nname = "shop"\ndependencies = ["click"]\n')
    context = done(coding_get_project_context(**WHO, focus="authentication"))
    assert "authentication uses JWT" in context
    assert "shop" in context
    here.add("a.py", "".join(f"def load_item{at}(x):\n    return x\n\n\n" for at in range(12)))
    here.commit()
    assert "functions in snake_case (12 of 12)" in done(coding_get_project_context(**WHO))


def test_s4_30_a_folder_outside_git_has_a_context_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done(coding_record_decision(**WHO, decision="All times are in UTC", rationale="they compare"))
    assert "All times are in UTC" in done(coding_get_project_context(**WHO, focus="times"))


def test_s4_31_patterns_are_counted_in_the_code(here: "Checkout") -> None:
    here.add("a.py", "import click\n\n\ndef first_name(x: int) -> int:\n    return x\n")
    here.commit()
    found = done(coding_analyze_patterns(**WHO))
    assert found["languages"][0][0].lower() == "python"


def test_s4_5_and_6_and_61_what_is_recorded_in_a_session_is_linked_to_it(
    here: "Checkout",
) -> None:
    session = done(coding_start_session(**WHO, description="work"))
    done(coding_record_error(**WHO, error_type="KeyError", message="'x'", solution="use get"))
    done(coding_record_decision(**WHO, decision="use get", rationale="fewer surprises"))
    done(coding_end_session(**WHO))
    assert {one.kind for one in records(f"session:{session}")} == {"error", "fix", "decision"}


def test_s4_10_and_11_sessions_are_told_apart_by_user_and_project(here: "Checkout") -> None:
    first = done(coding_start_session("ann", "shop", "one"))
    second = done(coding_start_session("ben", "shop", "two"))
    third = done(coding_start_session("ann", "api", "three"))
    assert len({first, second, third}) == 3
    done(coding_record_error("ben", "shop", error_type="KeyError", message="'x'"))
    assert records("kind:error")[0].session == second
    assert done(coding_end_session("ann", "api"))["session_id"] == third


def test_s4_66_a_second_session_is_an_error_that_says_what_to_do(here: "Checkout") -> None:
    done(coding_start_session(**WHO, description="one"))
    with pytest.raises(ConflictError, match="active already") as caught:
        done(coding_start_session(**WHO, description="two"))
    assert "coding_end_session" in caught.value.hint
    done(coding_end_session(**WHO))
    done(coding_start_session(**WHO, description="two"))


def test_ending_without_a_session_is_told(here: "Checkout") -> None:
    with pytest.raises(NotFoundError, match="no session is active"):
        done(coding_end_session(**WHO))


def test_s4_60_an_error_is_recorded_first_and_solved_later(here: "Checkout") -> None:
    manager = CodingMemoryManager(**WHO)

    async def work() -> None:
        name = await manager.record_error("TypeError", "naive and aware")
        error = await manager.recall(name)
        assert (error.solution, error.resolved) == ("", False)
        error.solution = "Fixed by using timezone-aware datetimes"
        error.resolved = True
        await manager.store(name, error)
        again = await manager.recall(name)
        assert (again.solution, again.resolved) == (error.solution, True)

    done(work())
    with Memory.open(".") as memory:
        assert [row.status for row in memory.list("kind:error")] == ["resolved"]


def test_storing_an_error_without_a_solution_is_refused(here: "Checkout") -> None:
    manager = CodingMemoryManager(**WHO)

    async def work() -> None:
        name = await manager.record_error("TypeError", "naive and aware")
        await manager.store(name, await manager.recall(name))

    with pytest.raises(UsageError, match="no solution"):
        done(work())


@pytest.mark.parametrize("reason", ["", "Update"])
def test_s4_59_a_poor_reason_is_answered_with_a_warning(here: "Checkout", reason: str) -> None:
    done(coding_start_session(**WHO, description="work"))
    noted = done(coding_track_file_change(**WHO, file_path="a.py", reason=reason))
    assert len(noted["warnings"]) == 1


def test_s4_50_and_51_costs_that_callers_hand_in_are_added_up(here: "Checkout") -> None:
    manager = CodingMemoryManager(**WHO, auto_approve=True, cost_threshold=0.5)

    async def work() -> None:
        await manager.start_coding_session("work")
        await manager.record_usage("small", 100, 20, 0.02)
        await manager.record_usage("large", 10, 5, 0.25)
        await manager.end_coding_session(success=True)

    done(work())
    costs = manager.coding_analyzer
    assert (round(costs.total_cost, 2), costs.total_tokens, costs.call_count) == (0.27, 135, 2)
    assert [(call["model"], call["cost"]) for call in costs.call_costs] == [
        ("small", 0.02), ("large", 0.25),
    ]  # fmt: skip
    (session,) = records("kind:session")
    assert session.llm.calls == 2
    assert session.llm.cost_usd == pytest.approx(0.27)


def test_a_line_range_that_is_none_is_refused(here: "Checkout") -> None:
    done(coding_start_session(**WHO, description="work"))
    with pytest.raises(UsageError, match="line_range"):
        done(coding_track_file_change(**WHO, file_path="a.py", reason="r r", line_range="top"))


def test_s4_12_and_72_what_was_recorded_goes_on_in_another_clone(
    here: "Checkout", tmp_path: Path
) -> None:
    name = done(coding_record_error(**WHO, error_type="KeyError", message="'user'"))
    here.commit("what we learnt")
    here.git("clone", "-q", str(here), str(tmp_path / "clone"))
    manager = CodingMemoryManager(**WHO, folder=str(tmp_path / "clone"))
    assert done(manager.search_errors("KeyError user"))[0]["id"] == name


def test_s4_71_the_command_line_does_the_same(here: "Checkout") -> None:
    ok(here, "session", "start", "Implement the login")
    ok(here, "session", "log", "change", "a.py", "--reason", "the login needs a form")
    assert "Implement the login" in ok(here, "session", "end", "--success")
    ok(here, "code", "profile")


def test_s4_76_patterns_of_ones_own_are_suggested(here: "Checkout") -> None:
    ok(here, "add", "pattern", "--title", "retry with backoff", "--code", "def retry(): ...",
       "--language", "python", "--when-to-use", "calls over the network fail")  # fmt: skip
    assert "retry with backoff" in ok(here, "code", "suggest", "retry a network call")


def test_s4_29_and_45_one_failure_three_times_is_one_answer_that_counts(here: "Checkout") -> None:
    for _ in range(3):
        done(
            coding_record_error(
                **WHO, error_type="TypeError", message="can't compare naive and aware datetimes"
            )
        )
    (found,) = done(coding_search_errors(**WHO, query="comparing datetimes", k=5))
    assert found["seen"] == 3


def test_s4_20_and_25_a_screenshot_that_is_not_there_loses_no_error(here: "Checkout") -> None:
    with pytest.warns(RuntimeWarning, match="without its screenshot"):
        done(
            coding_record_error(
                **WHO, error_type="TypeError", message="see it", screenshot="missing.png"
            )
        )
    with Memory.open(".") as memory:
        assert memory.statistics.count("kind:error") == 1


def test_s4_29_newer_errors_of_a_message_do_not_hide_what_solved_it(here: "Checkout") -> None:
    message = "'port'"
    done(coding_record_error(**WHO, error_type="KeyError", message=message, file_path="a.py",
                             line_number=3, solution="give every service a port"))  # fmt: skip
    for path in ("b.py", "c.py"):
        trace = f'Traceback (most recent call last):\n  File "{path}", line 9, in f\n'
        done(coding_record_error(**WHO, error_type="KeyError", message=message, file_path=path,
                                 stack_trace=f"{trace}KeyError: {message}"))  # fmt: skip
    found = done(coding_search_errors(**WHO, query="KeyError port", k=1))
    assert found[0]["solution"] == "give every service a port"


def test_s4_51_a_call_without_a_cost_has_that_of_the_price_list(here: "Checkout") -> None:
    manager = CodingMemoryManager(**WHO)
    done(manager.record_usage("gpt-5-mini", 1_000_000, 1_000_000))
    done(manager.record_usage("nobodys-model", 1_000_000))
    priced, unknown = manager.coding_analyzer.call_costs
    assert (priced["priced"], unknown["priced"], unknown["cost"]) == (True, False, 0.0)
    assert manager.coding_analyzer.total_cost == priced["cost"] > 0


def test_s4_30_what_a_pack_says_is_marked_as_the_packs(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    told = done(coding_get_project_context(**WHO, focus="authentication"))
    assert "What worked before" not in told
    assert "pack git" in told
