"""pnpm: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "pnpm",
    order=278,
    language="javascript",
    output=ToolOutput(like=("npm",)),
    command=ToolCommand(
        programs=("pnpm",),
        starts=("pnpm exec",),
    ),
)
