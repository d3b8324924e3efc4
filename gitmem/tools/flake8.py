"""Flake8: a linter of Python; its lines are read as Ruff's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput

TOOL = Tool(
    "flake8",
    order=121,
    language="python",
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("flake8",)),
    files=ToolFiles(
        settings={".flake8": "Flake8"},
    ),
)
