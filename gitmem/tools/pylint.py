"""Pylint: a linter of Python; its lines are read as Ruff's are."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence

TOOL = Tool(
    "pylint",
    order=122,
    language="python",
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("pylint",)),
    silence=ToolSilence(
        allows=(r"#\s*pylint:\s*disable",),
        passes=(r"--exit-zero\b",),
        settings=(r"\.?pylintrc", r"pyproject\.toml", r"setup\.cfg", r"tox\.ini"),
        looser=(r"\bdisabled?\b\s*[=:]", r"\bignores?\b\s*[=:]"),
        bars=MappingProxyType({"max-line-length": True}),
    ),
)
