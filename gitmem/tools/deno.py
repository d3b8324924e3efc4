"""Deno: a runtime of JavaScript; its errors are those of V8."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "deno",
    order=214,
    language="javascript",
    output=ToolOutput(like=("node",)),
    command=ToolCommand(programs=("deno",)),
)
