"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolCommand

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
    command=ToolCommand(
        programs=("ava",),
        only_tests=("",),
    ),
)
