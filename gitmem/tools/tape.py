"""tape: tests of JavaScript that print TAP."""

from gitmem.tools.base import Tool, ToolOutput, ToolTests

TOOL = Tool(
    "tape",
    order=11,
    language="javascript",
    output=ToolOutput(like=("tap",), commands=("tape",)),
    tests=ToolTests(
        names_failing=True,
        names_each=True,
        counts_points=True,
    ),
)
