"""tape: tests of JavaScript that print TAP."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "tape",
    order=11,
    language="javascript",
    output=ToolOutput(like=("tap",)),
    command=ToolCommand(programs=("tape",)),
)
