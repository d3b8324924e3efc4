"""Pylint: a linter of Python; its lines are read as Ruff's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "pylint",
    order=122,
    language="python",
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("pylint",)),
)
