"""Coding memory for assistants: the ``coding_*`` functions, and ``CodingMemoryManager``."""

from typing import Any

from gitmem.parts.compat.coding_memory import CodingMemoryManager
from gitmem.parts.compat.coding_search import RecalledError
from gitmem.parts.compat.coding_vision import VisionAnalyzer

__all__ = [
    "CodingMemoryManager", "RecalledError", "VisionAnalyzer", "coding_analyze_patterns",
    "coding_end_session", "coding_get_project_context", "coding_record_decision",
    "coding_record_error", "coding_search_errors", "coding_start_session",
    "coding_track_file_change",
]  # fmt: skip


async def coding_track_file_change(
    user_id: str = "",
    project_id: str = "",
    file_path: str = "",
    action: str = "edit",
    diff: str = "",
    reason: str = "",
    related_files: object = None,
    line_range: object = None,
) -> dict[str, Any]:
    """Note why a file was changed; see ``CodingMemoryManager.track_file_change``."""
    manager = CodingMemoryManager(user_id, project_id)
    return await manager.track_file_change(
        file_path, action, diff, reason, related_files, line_range
    )


async def coding_record_error(  # noqa: PLR0917  the older interface
    user_id: str = "",
    project_id: str = "",
    error_type: str = "",
    message: str = "",
    stack_trace: str = "",
    file_path: str = "",
    line_number: int = 0,
    solution: str | None = None,
    screenshot: str | None = None,
    tags: object = None,
) -> str:
    """Write an error down; see ``CodingMemoryManager.record_error``."""
    manager = CodingMemoryManager(user_id, project_id)
    return await manager.record_error(
        error_type, message, stack_trace, file_path, line_number, solution, screenshot, tags
    )


async def coding_record_decision(  # noqa: PLR0917  the older interface
    user_id: str = "",
    project_id: str = "",
    decision: str = "",
    rationale: str = "",
    alternatives: object = None,
    impact: str = "",
    tags: object = None,
    related_files: object = None,
    confidence: float | None = None,
) -> str:
    """Write a decision down; see ``CodingMemoryManager.record_decision``."""
    manager = CodingMemoryManager(user_id, project_id)
    return await manager.record_decision(
        decision, rationale, alternatives, impact, tags, related_files, confidence
    )


async def coding_start_session(
    user_id: str = "", project_id: str = "", description: str = "", tags: object = None
) -> str:
    """Begin a session; see ``CodingMemoryManager.start_coding_session``."""
    return await CodingMemoryManager(user_id, project_id).start_coding_session(description, tags)


async def coding_end_session(
    user_id: str = "",
    project_id: str = "",
    summary: str | None = None,
    success: bool | None = None,  # noqa: FBT001  the older interface
) -> dict[str, Any]:
    """End the session; see ``CodingMemoryManager.end_coding_session``."""
    return await CodingMemoryManager(user_id, project_id).end_coding_session(
        summary, success=success
    )


async def coding_search_errors(
    user_id: str = "", project_id: str = "", query: str = "", k: int = 5
) -> list[dict[str, Any]]:
    """Find past errors; see ``CodingMemoryManager.search_errors``."""
    return await CodingMemoryManager(user_id, project_id).search_errors(query, k)


async def coding_get_project_context(
    user_id: str = "", project_id: str = "", focus: str | None = None
) -> str:
    """Give the project's context; see ``CodingMemoryManager.get_project_context``."""
    return await CodingMemoryManager(user_id, project_id).get_project_context(focus)


async def coding_analyze_patterns(user_id: str = "", project_id: str = "") -> dict[str, Any]:
    """Give what the code base shows; see ``CodingMemoryManager.analyze_patterns``."""
    return await CodingMemoryManager(user_id, project_id).analyze_patterns()
