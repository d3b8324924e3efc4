"""Bun: a runtime of JavaScript with a runner of tests."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles

TOOL = Tool(
    "bun",
    order=212,
    language="javascript",
    command=ToolCommand(programs=("bun",)),
    files=ToolFiles(
        manifests=("bun.lockb",),  # no text that a patch could show
        locks=("bun.lock",),
        turn=32,
        runs={"package.json": "bun run "},
    ),
)
