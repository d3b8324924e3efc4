"""What a client can read by its address: a record, and what is known about a file."""

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from gitmem.errors import GitmemError, NotFoundError
from gitmem.mcp.calls import Calls, here
from gitmem.render.assistant import QUOTED, Answer, fitted, row_part

if TYPE_CHECKING:
    from gitmem.memory import Memory

_TEXT = "text/markdown"


def register(server: MCPServer[Any], calls: Calls) -> None:
    """Add the resources to a server."""

    @server.resource("memory://record/{id}", title="A record", mime_type=_TEXT)
    async def record(id: str, ctx: Context) -> str:  # noqa: A002
        """One record whole, quoted."""

        def question(memory: "Memory") -> str:
            from gitmem.render.page import page  # noqa: PLC0415  start-up

            return f"{QUOTED}\n\n{page(memory.show(id))}"

        return await _read(calls, ctx, question)

    @server.resource("memory://file/{+path}", title="What concerns a file", mime_type=_TEXT)
    async def file(path: str, ctx: Context) -> str:
        """Decisions, errors and fixes that concern a file."""

        def question(memory: "Memory") -> str:
            about = memory.about(here(memory, path))
            rows = [*about.decisions, *about.errors, *about.fixes]
            head = "" if rows else "Nothing is recorded about this file."
            return fitted(Answer([row_part(row) for row in rows], head), calls.options.budget)[0]

        return await _read(calls, ctx, question)


async def _read(calls: Calls, ctx: Context, question: Any) -> str:  # noqa: ANN401
    try:
        text: str = await calls.in_thread(ctx, "", question)
    except NotFoundError as error:
        raise ResourceNotFoundError(f"{error.message} ({error.hint})") from None
    except GitmemError as error:
        raise ResourceError(f"{error.message} ({error.hint})") from None
    return text
