"""Mocha: tests of JavaScript; its errors are those of V8, with numbered titles above."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "mocha",
    order=211,
    language="javascript",
    output=ToolOutput(like=("node",)),
    ending=ToolEnding(early="-b|--bail.*"),
)
