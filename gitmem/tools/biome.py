"""Biome: rules and layout for JavaScript."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput, ToolSilence
from gitmem.tools.common.reading import number, one, passed_over

_HEAD: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}?)(?::(?P<line>\d+):(?P<column>\d+))? "
    r"(?P<rule>(?:lint|assist|suppressions|nursery)/\S+|parse|format|organizeImports|check|ci)"
    r"(?: +FIXABLE)? +\u2501{3,}$"
)
_CONCISE: Final = re.compile(
    r"(?:[\u00d7\u2716!] )?(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<rule>(?:lint|assist)/[\w/]+|parse): (?P<message>\S.*)$"
)
_SAID: Final = re.compile(r"\s+(?P<sign>[\u00d7\u2716!\u26a0\u2139i]) (?P<message>\S.*)$")
_SOURCE: Final = re.compile(r"\s*(?:> )?\d+ \u2502|\s*\u2502")
_SHOWN: Final = re.compile(r"\s*> \d+ \u2502 ?(?P<code>.*)$")
_MILD: Final = "\u2139i"
_ABORTED: Final = "aborted due to parsing errors"
_WARNS: Final = "!\u26a0"
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message with the line that it shows."""
    short = _CONCISE.match(lines[at])
    if short:
        return one(_failure(short, short["message"], ""), lines, at, at + 1)
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    words: list[str] = []
    if _ABORTED in " ".join(lines[at + 1 : at + 3]):
        return passed_over(at, at + 3)
    code, end, is_mild = "", at + 1, False
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        if line.strip() and not line.startswith(" "):
            break
        wording, shown = _SAID.match(line), _SHOWN.match(line)
        if wording and wording["sign"] not in _MILD and not words:
            words.append(wording["message"])
            is_mild = wording["sign"] in _WARNS
        elif words and not code and line.strip() and not (wording or _SOURCE.match(line)):
            words.append(line.strip())
        if shown:
            code = code or shown["code"].strip() or "-"
        elif wording and wording["sign"] in _MILD:
            code = code or "-"
        end += 1
    source = "" if code == "-" else code
    failure = _failure(head, "\n".join(words), source)
    return one(failure._replace(severity="warning" if is_mild else "error"), lines, at, end)


def _failure(match: re.Match[str], message: str, source: str) -> Failure:
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    return Failure("biome", "javascript", "", match["rule"], message, location=place)


TOOL = Tool(
    "biome",
    order=145,
    language="javascript",
    output=ToolOutput(words=(" \u2501\u2501\u2501", ": lint/"), parse=parse),
    command=ToolCommand(programs=("biome",)),
    silence=ToolSilence(
        allows=("biome-ignore",), settings=(r"biome\.json",), looser=(r"\bignores?\b\s*[=:]",)
    ),
    files=ToolFiles(settings={"biome.json": "Biome"}),
)
