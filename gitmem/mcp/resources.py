"""Resources by address: records, what is known about a file, the project."""

from typing import TYPE_CHECKING, Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.mcp.advising import LEAST_CONTEXT, of_focus
from gitmem.mcp.calls import MOST, Calls, here
from gitmem.mcp.limits import CallLimits
from gitmem.mcp.reading import whole
from gitmem.mcp.tools import error_line
from gitmem.render.assistant import Answer, about, fitted, row_part

if TYPE_CHECKING:
    from gitmem.memory import Memory

PAGE: Final = 50
"""Records in one answer to ``resources/list``."""
_TEXT: Final = "text/markdown"
_LIST: Final = "resources/list"
_PROJECT: Final = "project"
_CONTEXT: Final = {
    "uri": f"memory://context/{_PROJECT}",
    "name": "context",
    "description": "What the project is, what fails, what was decided.",
    "mimeType": _TEXT,
}


def register(server: MCPServer[Any], calls: Calls, limits: CallLimits) -> None:
    """Add the resources to a server."""

    async def read(ctx: Context, question: Any, budget: int) -> str:  # noqa: ANN401
        try:
            limits.pass_on({}, writes=False)
            answer: Answer = await calls.in_thread(ctx, "", question)
        except NotFoundError as error:
            raise ResourceNotFoundError(error_line(error)) from None
        except GitmemError as error:
            raise ResourceError(error_line(error)) from None
        return fitted(answer, budget)[0]

    @server.resource("memory://context/{+focus}", title="What to know", mime_type=_TEXT)
    async def context(focus: str, ctx: Context) -> str:
        """What to know before an attempt on a file or on some words; project: on the whole."""
        room = max(calls.options.budget, LEAST_CONTEXT)
        meant = "" if focus == _PROJECT else focus
        return await read(ctx, lambda memory: of_focus(memory, meant, room), room)

    @server.resource("memory://record/{id}", title="A record", mime_type=_TEXT)
    async def record(id: str, ctx: Context) -> str:  # noqa: A002  what records call it
        """One record whole, quoted."""
        return await read(ctx, lambda memory: whole(memory, id), MOST)

    @server.resource("memory://file/{+path}", title="What concerns a file", mime_type=_TEXT)
    async def file(path: str, ctx: Context) -> str:
        """Decisions, errors and fixes that concern a file."""

        def question(memory: "Memory") -> Answer:
            overview = memory.editor.about(here(memory, path))
            rows = [*overview.decisions, *overview.errors, *overview.fixes]
            head = "" if rows else "Nothing is recorded about this file."
            return Answer([row_part(row) for row in rows], head)

        return await read(ctx, question, calls.options.budget)

    async def paged(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Add the newest records to the list of resources, a page at a time."""
        given = await call_next(ctx)
        if ctx.method != _LIST or not isinstance(given, dict):
            return given
        offset = _offset((ctx.params or {}).get("cursor"))
        try:
            limits.pass_on({}, writes=False)
            rows = await calls.in_thread(
                Context(request_context=ctx, mcp_server=server),
                "",
                lambda memory: _listed(memory, offset),
            )
        except (NotFoundError, UsageError):
            rows = []  # no memory, or nobody can tell which: what is fixed is listed all the same
        except GitmemError as error:
            raise MCPError(code=INVALID_PARAMS, message=error_line(error)) from None
        fixed = [] if offset else [_CONTEXT]
        shown = {**given, "resources": [*fixed, *rows[:PAGE]]}
        return {**shown, "nextCursor": str(offset + PAGE)} if len(rows) > PAGE else shown

    server.middleware.append(paged)


def _listed(memory: "Memory", offset: int) -> list[dict[str, str]]:
    return [
        {
            "uri": f"memory://record/{row.id}",
            "name": row.id,
            "description": about(row),
            "mimeType": _TEXT,
        }
        for row in memory.list(limit=PAGE + 1, offset=offset)
    ]


def _offset(cursor: object) -> int:
    if cursor is None:
        return 0
    if not isinstance(cursor, str) or not cursor.isdecimal() or len(cursor) > len(str(2**31)):
        raise MCPError(code=INVALID_PARAMS, message="this cursor is not one that the server gave")
    return int(cursor)
