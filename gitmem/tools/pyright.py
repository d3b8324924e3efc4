"""pyright and basedpyright: ``file:line:column - error: message (rule)``."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import number, one

_LINE: Final = re.compile(
    r"\s*(?P<file>[^\s:][^:\n]{0,400}|[A-Za-z]:[^:\n]{1,400}):(?P<line>\d+):(?P<column>\d+)"
    r" - error: (?P<message>.*)$"
)
_RULE: Final = re.compile(r"(?P<message>.*?) \((?P<rule>report\w+)\)\s*$")
_MORE: Final = re.compile(r"[\s ]{4,}\S")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message with the lines that explain it."""
    match = _LINE.match(lines[at])
    if not match or re.match(r"error TS\d", match["message"]):
        return None
    parts, end = [match["message"]], at + 1
    while end < len(lines) and end < at + 12 and _MORE.match(lines[end]):
        if _LINE.match(lines[end]):
            break
        parts.append(lines[end].strip())
        end += 1
    rule = _RULE.match(parts[-1])
    code = rule["rule"] if rule else ""
    if rule:
        parts[-1] = rule["message"]
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]))
    failure = Failure("pyright", "python", "", code, "\n".join(parts), location=place)
    return one(failure, lines, at, end)


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the command does.

    Servers indent explaining lines by hard blanks; on a terminal their indent says nothing.
    """
    lines = (line.replace("\N{NO-BREAK SPACE}", " ").strip() for line in message.split("\n"))
    return (code if code.startswith("report") else ""), "\n".join(line for line in lines if line)


TOOL = Tool(
    "pyright",
    order=100,
    language="python",
    names=MappingProxyType({"pylance": "", "basedpyright": ""}),
    sources=("Pylance", "Pyright"),
    output=ToolOutput(words=(" - error: ",), parse=parse),
    command=ToolCommand(programs=("pyright", "basedpyright"), comparable=True),
    files=ToolFiles(sections={"pyright": "Pyright"}),
    identity=ToolIdentity(counts_as="pyright", code_tells="words"),
    diagnostic=diagnostic,
    silence=ToolSilence(
        allows=(r"#\s*pyright:\s*ignore", r"#\s*type:\s*ignore"),
        settings=(r"pyrightconfig\.json", r"pyproject\.toml"),
        looser=(r"\bignores?\b\s*[=:]", r"\bexclude\w*\b\s*[=:]"),
    ),
    ending=ToolEnding(
        codes=frozenset({1}),
        harmless=("reportArgumentType", "reportReturnType", "reportAssignmentType"),
        by_file=True,
    ),
)
