"""Pylint: a linter of Python; its lines are read as Ruff's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolIdentity, ToolOutput


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the command does: no symbol, nothing below."""
    return code.partition(":")[0], message.partition("\n")[0]


TOOL = Tool(
    "pylint",
    order=122,
    language="python",
    sources=("Pylint",),
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("pylint",)),
    files=ToolFiles(
        settings={".pylintrc": "Pylint"},
    ),
    identity=ToolIdentity(code_tells="code"),
    diagnostic=diagnostic,
)
