"""Pylint: a linter of Python; its lines are read as Ruff's are."""

from types import MappingProxyType

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)


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
    files=ToolFiles(settings={".pylintrc": "Pylint"}, aside=(r"\.?pylintrc",)),
    identity=ToolIdentity(code_tells="code"),
    diagnostic=diagnostic,
    silence=ToolSilence(
        allows=(r"#\s*pylint:\s*disable",),
        passes=(r"--exit-zero\b",),
        settings=(r"\.?pylintrc", r"pyproject\.toml", r"setup\.cfg", r"tox\.ini"),
        looser=(r"\bdisabled?\b\s*[=:]", r"\bignores?\b\s*[=:]"),
        bars=MappingProxyType({"max-line-length": True}),
    ),
    ending=ToolEnding(unreadable=("syntax-error",)),
)
