"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolCommand, ToolTests

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
    tests=ToolTests(
        titles_end=r"\u2500+$",
    ),
    command=ToolCommand(
        programs=("ava",),
        only_tests=("",),
    ),
)
