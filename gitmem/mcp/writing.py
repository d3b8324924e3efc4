"""The tool with which an assistant records the outcome of a fix."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.errors import UsageError
from gitmem.mcp.arguments import AskedAs, questions
from gitmem.mcp.calls import Calls
from gitmem.mcp.reading import Project, Result
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import Answer, written_part

if TYPE_CHECKING:
    from gitmem.memory import Memory


def register(tools: Tools, calls: Calls) -> None:
    """Add the tool."""

    @tools.writing
    async def record_fix(
        ctx: Context,
        *,
        error: Annotated[str, Field(description="id or output")],
        approach: str,
        outcome: Literal["worked", "partial", "failed", "unverified"] = "unverified",
        why_failed: str = "",
        lessons: str = "",
        patch: str = "",
        verified_with: str = "",
        symptom: str = "",
        cause: str = "",
        asked_as: AskedAs = "",
        project: Project = "",
    ) -> Result:
        """Write down an attempt, also a failed one."""

        def question(memory: "Memory") -> Answer:
            fields: dict[str, Any] = {
                "approach": approach, "outcome": outcome, "why_failed": why_failed,
                "lessons": lessons, "patch": patch, "symptom": symptom, "cause": cause,
                "asked_as": questions(asked_as),
                "verification": {"command": verified_with} if verified_with else None,
            }  # fmt: skip
            given_fields = {name: value for name, value in fields.items() if value}
            # Before an error is written: what no record can hold is refused as a whole.
            memory.records.writer.refuse_wrong("fix", given_fields)
            named, new = _error(memory, error)
            record = memory.resolve(named, given_fields)
            written = [*new, record.id]
            head = f"Written: {', '.join(written)}.{calls.waits}"
            return Answer([written_part(record)], head, {"written": written})

        return await calls.write(ctx, question, project)


def _error(memory: "Memory", error: str) -> tuple[str, list[str]]:
    """Find the error that an id names, or that an output shows; write it if it is new."""
    if "\n" not in error and error.strip().startswith("err-"):
        return error.strip(), []
    taken = memory.failures.record_text(error)
    ids = [*taken.ids, *taken.known]
    if not ids:
        raise UsageError("there is no failure in this text", "send the id of an error")
    return ids[0], list(taken.ids)
