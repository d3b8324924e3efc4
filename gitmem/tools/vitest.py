"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "vitest",
    order=161,
    language="javascript",
    output=ToolOutput(like=("jest",), commands=("vitest",)),
    ending=ToolEnding(early="--bail.*|-t"),
)
