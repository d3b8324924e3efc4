"""Flake8: a linter of Python; its lines are read as Ruff's are."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolIdentity, ToolOutput

TOOL = Tool(
    "flake8",
    order=121,
    language="python",
    names=MappingProxyType({"pycodestyle": "", "pyflakes": ""}),
    bears=("ruff",),
    sources=("Flake8",),
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("flake8",)),
    files=ToolFiles(
        settings={".flake8": "Flake8"},
    ),
    identity=ToolIdentity(code_tells="code"),
)
