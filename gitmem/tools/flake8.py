"""Flake8: a linter of Python; its lines are read as Ruff's are."""

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

TOOL = Tool(
    "flake8",
    order=121,
    language="python",
    names=MappingProxyType({"pycodestyle": "", "pyflakes": ""}),
    bears=("ruff",),
    sources=("Flake8",),
    output=ToolOutput(like=("ruff",)),
    command=ToolCommand(programs=("flake8",)),
    files=ToolFiles(settings={".flake8": "Flake8"}, aside=(r"\.flake8",)),
    identity=ToolIdentity(code_tells="code"),
    silence=ToolSilence(
        allows=(r"#\s*noqa\b",),
        passes=(r"--exit-zero\b",),
        settings=(r"\.flake8", r"setup\.cfg", r"tox\.ini"),
        looser=(
            r"\b(?:extend-)?ignores?\b\s*[=:]",
            r"\bper-file-ignores\b",
            r"\bexclude\w*\b\s*[=:]",
        ),
        bars=MappingProxyType({"max-line-length": True, "max-complexity": True}),
    ),
    ending=ToolEnding(unreadable=("E999",)),
)
