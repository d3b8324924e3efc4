"""Prompts that a person picks: fix with memory, write a decision, end the session."""

from collections.abc import Mapping
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from gitmem.render.assistant import plain

_GET: Final = "prompts/get"


def register(server: MCPServer[Any]) -> None:
    """Add the prompts to a server."""

    async def checked(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Name what is wrong with a request; the SDK has a code of its own for it."""
        if ctx.method == _GET and (fault := await _fault(server, ctx.params or {})):
            raise MCPError(code=INVALID_PARAMS, message=fault)
        return await call_next(ctx)

    server.middleware.append(checked)

    @server.prompt(title="Fix an error with what is known")
    def fix_with_memory(error: str) -> str:
        """Fix an error: ask the memory first, do not repeat what failed, write down what came."""
        return (
            "Fix the failure below.\n"
            "1. Call gitmem_hint with it. Try first what worked before, and say so.\n"
            "2. Do not repeat what is recorded as failed, unless you can say what is different.\n"
            "3. Run the command that showed it again.\n"
            "4. Call gitmem_record_fix with what you did and its outcome, also if it failed.\n\n"
            f"{_quoted(error)}"
        )

    @server.prompt(title="Write down a decision")
    def write_decision(topic: str) -> str:
        """Write a decision record: search for older ones first, and say what was not chosen."""
        return (
            "Write down the decision on the topic below.\n"
            "1. Call gitmem_search with kind:decision and its words. If one of them decides it "
            "already, say so, and stop unless it is to be replaced (supersedes).\n"
            "2. Ask me for what you can't know: why, what else was possible, which files.\n"
            "3. Call gitmem_record_decision.\n\n"
            f"{_quoted(topic)}"
        )

    @server.prompt(title="End the session")
    def end_session() -> str:
        """Look back: what failed, what worked, what was decided; then end the session."""
        return (
            "End this session of work.\n"
            "1. For each error we met and did not record, and for each attempt, call "
            "gitmem_record_fix, with why it failed where it did.\n"
            "2. For each choice that others must know, call gitmem_record_decision; for each fact "
            "that took effort to find out, gitmem_note.\n"
            "3. Tell me in three sentences what was done and what is left."
        )


async def _fault(server: MCPServer[Any], params: Mapping[str, Any]) -> str:
    prompts = {prompt.name: prompt for prompt in await server.list_prompts()}
    prompt = prompts.get(str(params.get("name")))
    if prompt is None:
        return f"there is no such prompt; there are {', '.join(prompts)}"
    given = params.get("arguments") or {}
    named = {argument.name: argument.required for argument in prompt.arguments or ()}
    lacking = [name for name, required in named.items() if required and name not in given]
    if lacking:
        return f"{prompt.name} needs {', '.join(lacking)}"
    if any(name not in named for name in given):
        return f"{prompt.name} takes {', '.join(named) or 'no arguments'}"
    return ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in plain(text).split("\n"))
