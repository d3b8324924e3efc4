"""pnpm: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "pnpm",
    order=281,
    language="javascript",
    output=ToolOutput(like=("npm",), commands=("pnpm",)),
)
