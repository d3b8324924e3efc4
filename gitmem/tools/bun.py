"""Bun: a runtime of JavaScript with a runner of tests."""

from gitmem.tools.base import Tool, ToolCommand

TOOL = Tool(
    "bun",
    order=212,
    language="javascript",
    command=ToolCommand(programs=("bun",)),
)
