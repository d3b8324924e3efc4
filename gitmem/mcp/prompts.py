"""Prompts that a person picks: fix with memory, write a decision, end the session."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from gitmem.render.assistant import plain


def register(server: MCPServer[Any]) -> None:
    """Add the prompts to a server."""

    @server.prompt(title="Fix an error with what is known")
    def fix_with_memory(error: str) -> str:
        """Fix an error: ask the memory first, do not repeat what failed, write down what came."""
        return (
            "Fix the failure below.\n"
            "1. Call hint with it. If an attempt worked before, try that first, and say so.\n"
            "2. Do not repeat what is recorded as failed, unless you can say what is different.\n"
            "3. Run the command that showed it again.\n"
            "4. Call record_fix with what you did and what came of it, also if it failed.\n\n"
            f"{_quoted(error)}"
        )

    @server.prompt(title="Write down a decision")
    def write_decision(topic: str) -> str:
        """Write a decision record: search for older ones first, and say what was not chosen."""
        return (
            "Write down the decision on the topic below.\n"
            "1. Call search with kind:decision and its words. If one of them decides it already, "
            "say so, and stop unless it is to be replaced.\n"
            "2. Ask me for what you can't know: why, what else was possible, which files.\n"
            "3. Call coding_record_decision.\n\n"
            f"{_quoted(topic)}"
        )

    @server.prompt(title="End the session")
    def end_session() -> str:
        """Look back: what failed, what worked, what was decided; then end the session."""
        return (
            "End this session of work.\n"
            "1. For each error we met and did not record, call coding_record_error; for each "
            "attempt, record_fix, with why it failed where it did.\n"
            "2. For each choice that others must know, call coding_record_decision.\n"
            "3. Call coding_end_session, with success as I would judge it. Leave summary out: it "
            "is put together from the facts."
        )


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in plain(text).split("\n"))
