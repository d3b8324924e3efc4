"""The examples of the coding memory's document, one test a block; docs/seeds.md lists them."""

from typing import TYPE_CHECKING, Any

import pytest

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
from gitmem.errors import ConflictError
from tests.compat.calling import WHO, done

if TYPE_CHECKING:
    from tests.conftest import Checkout


def test_track_file_change(here: "Checkout") -> None:
    noted = done(
        coding_track_file_change(
            user_id="dev_john",
            project_id="api-service",
            file_path="src/auth.py",
            action="edit",
            diff="+ def validate_token(token: str) -> bool:\n+     ...",
            reason="Add JWT token validation for auth middleware",
            related_files='["src/middleware.py"]',
            line_range="42,57",
        )
    )
    assert noted["warnings"] == []


def test_record_error(here: "Checkout") -> None:
    screenshot = here.add("error_screenshot.png", b"\x89PNG\r\n\x1a\n")
    name = done(
        coding_record_error(
            user_id="dev_john",
            project_id="api-service",
            error_type="TypeError",
            message="can't compare offset-naive and offset-aware datetimes",
            stack_trace="Traceback:\n  File 'auth.py', line 42...",
            file_path="src/auth.py",
            line_number=42,
            solution="Use datetime.now(timezone.utc) consistently",
            screenshot=str(screenshot),
            tags='["datetime", "timezone"]',
        )
    )
    assert name.startswith("err-")


def test_record_decision(here: "Checkout") -> None:
    name = done(
        coding_record_decision(
            user_id="dev_john",
            project_id="api-service",
            decision="Use JWT tokens for authentication",
            rationale="Stateless auth enables horizontal scaling. No session storage needed.",
            alternatives='["Session-based auth", "OAuth only"]',
            impact="Eliminates session store, requires key rotation strategy",
            tags='["architecture", "security"]',
            related_files='["src/auth.py", "src/middleware.py"]',
            confidence=0.9,
        )
    )
    assert name.startswith("dec-")


def test_start_session(here: "Checkout") -> None:
    session_id = done(
        coding_start_session(
            user_id="dev_john",
            project_id="api-service",
            description="Implement JWT authentication system",
            tags='["feature", "authentication"]',
        )
    )
    assert session_id.startswith("ses-")


def test_end_session(here: "Checkout") -> None:
    done(coding_start_session(**WHO, description="Implement JWT authentication system"))
    result = done(
        coding_end_session(user_id="dev_john", project_id="api-service", summary=None, success=True)
    )
    assert result["summary"].startswith("Goal: Implement JWT authentication system")


def test_search_errors(here: "Checkout") -> None:
    done(
        coding_record_error(
            **WHO, error_type="TypeError", message="can't compare naive datetime objects"
        )
    )
    similar_errors = done(
        coding_search_errors(
            user_id="dev_john",
            project_id="api-service",
            query="TypeError comparing datetime objects",
            k=5,
        )
    )
    assert similar_errors[0]["error_type"] == "TypeError"


def test_get_project_context(here: "Checkout") -> None:
    done(coding_record_decision(**WHO, decision="authentication by token", rationale="simple"))
    context = done(
        coding_get_project_context(
            user_id="dev_john", project_id="api-service", focus="authentication"
        )
    )
    assert "authentication by token" in context


def test_analyze_patterns(here: "Checkout") -> None:
    here.add("a.py", "import os\n")
    here.commit()
    patterns = done(coding_analyze_patterns(user_id="dev_john", project_id="api-service"))
    assert patterns["files"] == 1


def test_s4_32_a_typical_session(here: "Checkout") -> None:
    who: dict[str, Any] = {"user_id": "dev_john", "project_id": "kagura-ai"}

    async def example() -> dict[str, Any]:
        await coding_start_session(
            **who, description="Implement coding memory system", tags='["feature", "memory"]'
        )
        here.add("src/kagura/core/memory/coding_memory.py", "class CodingMemoryManager: ...\n")
        await coding_track_file_change(
            **who,
            file_path="src/kagura/core/memory/coding_memory.py",
            action="create",
            diff="New file: CodingMemoryManager class",
            reason="Create coding-specialized memory manager",
        )
        await coding_record_error(
            **who,
            error_type="ImportError",
            message="No module named 'litellm'",
            stack_trace="...",
            file_path="src/kagura/llm/coding_analyzer.py",
            line_number=8,
            solution="Added litellm to dependencies",
        )
        await coding_record_decision(
            **who,
            decision="Use LiteLLM for model abstraction",
            rationale="Unified interface for OpenAI, Anthropic, Google models",
            alternatives='["Direct API calls", "LangChain"]',
            impact="Easy model switching, better error handling",
        )
        return await coding_end_session(**who, success=True)

    result = done(example())
    assert result["duration_minutes"] >= 0
    for said in ("coding_memory.py", "ImportError", "LiteLLM", "Added litellm to dependencies"):
        assert said in result["summary"]


@pytest.mark.parametrize(
    "options",
    [
        {"model": "gemini/gemini-2.0-flash-exp", "vision_model": "gemini/gemini-2.0-flash-exp",
         "auto_approve": False, "cost_threshold": 0.05},
        {"model": "gpt-5-mini", "vision_model": "gpt-4o"},
        {"model": "claude-sonnet-4-5", "vision_model": "gpt-4o", "auto_approve": True},
    ],
)  # fmt: skip
def test_python_configuration(options: dict[str, Any]) -> None:
    coding_mem = CodingMemoryManager(user_id="dev_john", project_id="my-project", **options)
    assert (coding_mem.model, coding_mem.vision_model) == (
        options["model"], options["vision_model"],
    )  # fmt: skip
    assert coding_mem.auto_approve is options.get("auto_approve", False)
    assert coding_mem.cost_threshold == options.get("cost_threshold", 0.10)


def test_approval_workflow_asks_nothing_where_nothing_costs(here: "Checkout") -> None:
    coding_mem = CodingMemoryManager(user_id="dev_john", project_id="my-project")

    async def example() -> dict[str, Any]:
        await coding_mem.start_coding_session("work")
        return await coding_mem.end_coding_session(success=True)

    assert done(example())["success"] is True
    assert coding_mem.coding_analyzer.call_count == 0


def test_cost_threshold() -> None:
    coding_mem = CodingMemoryManager(
        user_id="dev_john", project_id="my-project", cost_threshold=0.50
    )
    assert coding_mem.cost_threshold == 0.50


def test_auto_approve_mode() -> None:
    coding_mem = CodingMemoryManager(user_id="dev_john", project_id="my-project", auto_approve=True)
    assert coding_mem.auto_approve is True


def test_real_time_cost_tracking(here: "Checkout") -> None:
    coding_mem = CodingMemoryManager(user_id="dev_john", project_id="my-project")
    done(coding_mem.record_usage("gpt-5-mini", 1000, 200, 0.02))
    assert f"${coding_mem.coding_analyzer.total_cost:.2f}" == "$0.02"
    assert coding_mem.coding_analyzer.total_tokens == 1200
    assert coding_mem.coding_analyzer.call_count == 1
    lines = [
        f"{call['timestamp']}: {call['model']} - ${call['cost']:.4f}"
        for call in coding_mem.coding_analyzer.call_costs
    ]
    assert lines[0].endswith(": gpt-5-mini - $0.0200")


def test_s4_4_an_error_screenshot_is_kept(here: "Checkout") -> None:
    screenshot = here.add("screenshot.png", b"\x89PNG\r\n\x1a\n")
    done(
        coding_record_error(
            user_id="dev_john",
            project_id="api-service",
            error_type="Unknown",
            message="See screenshot",
            stack_trace="",
            file_path="unknown",
            line_number=0,
            screenshot=str(screenshot),
        )
    )
    assert len(list((here / ".memory/attachments").iterdir())) == 1


@pytest.mark.parametrize(
    ("diff", "reason", "warnings"),
    [
        ("Added function", "Update", 1),
        ("+ def validate_token(token: str) -> bool:\n+     return jwt.decode(...)",
         "Add JWT validation to support stateless auth. Needed for mobile app integration.", 0),
    ],
    ids=["bad", "good"],
)  # fmt: skip
def test_a_reason_for_each_change(here: "Checkout", diff: str, reason: str, warnings: int) -> None:
    noted = done(coding_track_file_change(**WHO, file_path="a.py", diff=diff, reason=reason))
    assert len(noted["warnings"]) == warnings


def test_record_errors_immediately(here: "Checkout") -> None:
    memory = CodingMemoryManager(**WHO)

    async def example() -> bool:
        error_id = await coding_record_error(**WHO, error_type="TypeError", message="naive")
        error = await memory.recall(error_id)
        error.solution = "Fixed by using timezone-aware datetimes"
        error.resolved = True
        await memory.store(error_id, error)
        return (await memory.recall(error_id)).resolved

    assert done(example())


def test_sessions_for_coherent_work(here: "Checkout") -> None:
    async def example() -> None:
        await coding_start_session(
            description="Implement rate limiting for API endpoints",
            tags=["feature", "security", "performance"],
        )
        await coding_end_session()
        await coding_start_session(
            description="Debug memory leak in background task", tags=["bugfix", "performance"]
        )
        await coding_end_session()

    done(example())


def test_search_by_meaning(here: "Checkout") -> None:
    done(coding_record_error(error_type="QueryError", message="async database query failed"))
    found = done(coding_search_errors(query="problem with async database queries not working", k=5))
    assert found[0]["error_type"] == "QueryError"


def test_session_already_active(here: "Checkout") -> None:
    done(coding_start_session(**WHO, description="one"))
    with pytest.raises(ConflictError, match="active already"):
        done(coding_start_session(**WHO, description="two"))
    done(coding_end_session(**WHO))
    done(coding_start_session(**WHO, description="two"))
