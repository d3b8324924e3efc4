"""pnpm: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "pnpm",
    order=281,
    language="javascript",
    output=ToolOutput(like=("npm",), commands=("pnpm",)),
    files=ToolFiles(
        locks=("pnpm-lock.yaml",),
        turn=30,
        runs={"package.json": "pnpm run "},
    ),
)
