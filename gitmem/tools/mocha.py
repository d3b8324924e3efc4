"""Mocha: tests of JavaScript; its errors are those of V8, with numbered titles above."""

from gitmem.tools.base import Tool, ToolCommand

TOOL = Tool(
    "mocha",
    order=211,
    language="javascript",
    command=ToolCommand(
        programs=("mocha",),
        comparable=True,
        shows=r"-R|-b|--bail",
        narrows=r"-[gf]|--f?grep.*",
        valued=("-R",),
        only_tests=("",),
    ),
)
