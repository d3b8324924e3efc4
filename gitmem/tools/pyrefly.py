"""Pyrefly: a type checker of Python; its messages are read as ty's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "pyrefly",
    order=111,
    language="python",
    output=ToolOutput(like=("ty",)),
    command=ToolCommand(programs=("pyrefly",)),
)
