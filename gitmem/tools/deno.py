"""Deno: a runtime of JavaScript; its errors are those of V8."""

from gitmem.tools.base import Tool, ToolFrames, ToolOutput

TOOL = Tool(
    "deno",
    order=214,
    language="javascript",
    output=ToolOutput(like=("node",), commands=("deno",)),
    frames=ToolFrames(roots=("(?:deno|ext):",)),
)
