"""Flake8: a linter of Python; its lines are read as Ruff's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "flake8",
    order=121,
    language="python",
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("flake8",)),
)
