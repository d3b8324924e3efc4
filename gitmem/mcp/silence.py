"""A server for all projects of a user offers nothing in those that have no memory."""

from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer

from gitmem.mcp.calls import Calls

_OFFERED: Final = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


def register(server: MCPServer[Any], calls: Calls) -> None:
    """Let a server list nothing where no folder that its client has open has a memory."""

    async def listed(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        given = await call_next(ctx)
        member = _OFFERED.get(ctx.method)
        if member is None or not isinstance(given, dict):
            return given
        if await calls.any_memory(Context(request_context=ctx, mcp_server=server)):
            return given
        return {**{key: value for key, value in given.items() if key != "nextCursor"}, member: []}

    server.middleware.append(listed)
