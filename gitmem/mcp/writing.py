"""The tool by which an assistant leaves behind what came of a fix."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from gitmem.errors import UsageError
from gitmem.mcp.calls import Calls
from gitmem.mcp.reading import Project, Result
from gitmem.records.ids import is_id
from gitmem.render.assistant import Answer, row_part

if TYPE_CHECKING:
    from gitmem.memory import Memory

WRITES = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)


def register(server: MCPServer[Any], calls: Calls) -> None:
    """Add the tools to a server."""

    @server.tool(title="Record a fix attempt", annotations=WRITES)
    async def record_fix(
        ctx: Context,
        *,
        error: Annotated[str, Field(description="id of the error, or its output")],
        approach: Annotated[str, Field(description="what was done, in a sentence or two")],
        outcome: Literal["worked", "partial", "failed", "unverified"] = "unverified",
        why_failed: str = "",
        lessons: str = "",
        patch: Annotated[str, Field(description="unified diff")] = "",
        verified_with: Annotated[str, Field(description="the command that showed it")] = "",
        symptom: Annotated[str, Field(description="what one sees, in one line")] = "",
        cause: Annotated[str, Field(description="why it happens, in one line")] = "",
        project: Project = "",
    ) -> Result:
        """Write down an attempt to fix an error, also one that failed: nobody repeats it then."""

        def question(memory: "Memory") -> Answer:
            fields: dict[str, Any] = {
                "approach": approach, "outcome": outcome, "why_failed": why_failed,
                "lessons": lessons, "patch": patch, "symptom": symptom or None,
                "cause": cause or None,
            }  # fmt: skip
            if verified_with:
                fields["verification"] = {"command": verified_with}
            said = {name: value for name, value in fields.items() if value}
            record = memory.resolve(_error(memory, error), said)
            row = memory.find(record.id)
            return Answer([row_part(row)], f"Written: {record.id}", {"written": [record.id]})

        said = {"error": error, "approach": approach, "why_failed": why_failed, "patch": patch,
                "lessons": lessons, "verified_with": verified_with}  # fmt: skip
        return await calls.ask(ctx, question, said, project=project, writes=True)


def _error(memory: "Memory", error: str) -> str:
    """Find the error that an id names, or that an output shows; write it if it is new."""
    if is_id(error.strip()) or ("\n" not in error and error.strip().startswith("err-")):
        return error.strip()
    taken = memory.record_text(error)
    ids = [*taken.ids, *taken.known]
    if not ids:
        raise UsageError("there is no failure in this text", "send the id of an error")
    return ids[0]
