"""ShellCheck: faults in scripts of the shell, as ``shellcheck -f gcc`` and on a terminal."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, excerpt
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import one, passed_over

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
    r"(?P<level>error|warning|note): (?P<message>\S.{0,2000}) \[(?P<code>SC\d{4})\]$"
)
_MARKED: Final = re.compile(
    r" {0,500}\^-{0,500}\^? (?P<code>SC\d{4}) \((?P<level>error|warning|info|style)\): "
    r"(?P<message>\S.{0,2000})$"
)
_HEAD: Final = re.compile(r"In (?P<file>\S.{0,300}) line (?P<line>\d{1,7}):$")
_MOST: Final = 100
_MILD: Final = frozenset({"info", "style"})


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one fault, or those of one line; a note is none."""
    if _MARKED.match(lines[at]):
        return _marked(lines, at, floor)
    match = _LINE.match(lines[at])
    if not match:
        return None
    if match["level"] == "note":
        return passed_over(at, at + 1)
    place = FailureLocation(match["file"], int(match["line"]), int(match["column"]))
    return one(_failure(match, place), lines, at, at + 1)


def _marked(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what stands below a line of a script, two lines below the head that names it."""
    head = _HEAD.match(lines[at - 2]) if at - 2 >= floor else None
    if not head:
        return None
    failures, end = [], at
    while end < len(lines) and end < at + _MOST and (match := _MARKED.match(lines[end])):
        column = lines[end].index("^") + 1
        place = FailureLocation(head["file"], int(head["line"]), column, lines[at - 1].strip())
        if match["level"] not in _MILD:
            quoted = excerpt(lines, at - 2, end + 1)
            failures.append(_failure(match, place)._replace(excerpt=quoted))
        end += 1
    return ParserResult(tuple(failures), at - 2, end)


def _failure(match: re.Match[str], place: FailureLocation) -> Failure:
    return Failure("shellcheck", "shell", "", match["code"], match["message"], location=place)


TOOL = Tool(
    "shellcheck",
    order=135,
    language="shell",
    output=ToolOutput(words=(" [SC", "^ SC", "--^ SC"), parse=parse),
    command=ToolCommand(programs=("shellcheck",), comparable=True),
    ending=ToolEnding(codes=frozenset({1}), apart=True, by_file=True),
    identity=ToolIdentity(code_tells="code"),
    silence=ToolSilence(
        allows=("shellcheck disable",), settings=(r"(?:.*/)?\.shellcheckrc",), looser=("^disable=",)
    ),
    files=ToolFiles(settings={".shellcheckrc": "ShellCheck"}),
)
