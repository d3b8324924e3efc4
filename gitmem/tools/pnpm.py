"""pnpm: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput

TOOL = Tool(
    "pnpm",
    order=278,
    language="javascript",
    output=ToolOutput(like=("npm",)),
    command=ToolCommand(programs=("pnpm",), starts=("pnpm exec",)),
    files=ToolFiles(
        locks=("pnpm-lock.yaml",),
        turn=30,
        runs={"package.json": "pnpm run "},
        aside=(r"pnpm-lock\.yaml",),
    ),
)
