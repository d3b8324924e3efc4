"""Deno: a runtime of JavaScript; its errors are those of V8."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "deno",
    order=214,
    language="javascript",
    output=ToolOutput(like=("node",), commands=("deno",)),
    files=ToolFiles(
        locks=("deno.lock",),
    ),
)
