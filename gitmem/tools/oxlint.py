"""oxlint: faults of JavaScript in a frame below their rule, a line each, or below their file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_PLACE: Final = re.compile(
    r"\s+(?:,-|\u256d\u2500+)\[(?P<file>[^\]\n]{1,400}?):(?P<line>\d{1,7}):(?P<column>\d{1,5})\]$"
)
_HEAD: Final = re.compile(
    r"\s{2}[!x\u26a0\u00d7\u2716] (?:(?P<plugin>[\w@/-]{1,80})\((?P<code>[\w/-]{1,100})\): )?"
    r"(?P<message>\S.*)$"
)
_FRAME: Final = re.compile(r"\s+(?:\d{1,7} [|\u2502]|[:|\u00b7\u2502]|`-{2,}|\u2570\u2500+)")
_CHECKED: Final = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|jsonc?|json5)$")
"""Its files and those of its settings: programs of other languages draw the same frame."""
_UNIX: Final = re.compile(
    r"(?P<file>\S[^:\n]{0,300}):(?P<line>\d{1,7}):(?P<column>\d{1,5}): (?P<message>\S.*) "
    r"\[(?P<level>Warning|Error)(?:/[\w@/-]{1,80}\((?P<code>[\w/-]{1,100})\))?\]$"
)
_GITHUB: Final = re.compile(
    r"::(?P<level>warning|error) file=(?P<file>[^,\n]{1,400}),line=(?P<line>\d{1,7}),"
    r"endLine=\d+,col=(?P<column>\d{1,5}),endColumn=\d+,"
    r"title=(?:[\w@/-]{1,80}\((?P<code>[\w/-]{1,100})\)|oxlint)::\S{1,400}: (?P<message>\S.*)$"
)
_STYLISH: Final = re.compile(
    r"\s+(?P<line>\d{1,7}):(?P<column>\d{1,5})\s+(?P<level>error|warning)\s+(?P<message>\S.*?)"
    r"\s{2,}[\w@/-]{1,80}\((?P<code>[\w/-]{1,100})\)$"
)
_INDENTED: Final = (" ", "\t")
_MOST: Final = 40
_MOST_ABOVE: Final = 300


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one fault, in whichever form it is told."""
    for form in (_UNIX, _GITHUB):
        if details := form.match(lines[at]):
            named = place_of(details["file"], details["line"], details["column"])
            return one(_fault(details["code"] or "", details["message"], named), lines, at, at + 1)
    if details := _STYLISH.match(lines[at]):
        file = _file_above(lines, at)
        if file and not _CHECKED.search(file):
            return None
        place = place_of(file, details["line"], details["column"]) if file else None
        return one(_fault(details["code"], details["message"], place), lines, at, at + 1)
    return _framed(lines, at, floor)


def _framed(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a fault whose place opens a frame around the code, below its message."""
    placed = _PLACE.match(lines[at])
    start = at - 1
    while placed and start > max(floor, at - _MOST) and lines[start].startswith("    "):
        start -= 1  # a long message goes on below its first line
    head = _HEAD.match(lines[start]) if placed and start >= floor else None
    if placed is None or head is None or not _CHECKED.search(placed["file"]):
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and _FRAME.match(lines[end]):
        end += 1
    while end < len(lines) and lines[end].lstrip().startswith(("help: ", "note: ")):
        end += 1
    rest = [line.strip(" \u2502|") for line in lines[start + 1 : at]]
    place = place_of(placed["file"], placed["line"], placed["column"])
    message = " ".join([head["message"], *rest])
    return one(_fault(head["code"] or "", message, place), lines, start, end)


def _fault(code: str, message: str, place: FailureLocation | None) -> Failure:
    # Warnings end a run like errors where that was asked for, so none is told as milder.
    return Failure("oxlint", "javascript", "", code, message, location=place)


def _file_above(lines: Sequence[str], at: int) -> str:
    """Find the file below whose name faults stand."""
    for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1):
        line = lines[near]
        if line.strip() and not line.startswith(_INDENTED):
            return line.strip()
    return ""


TOOL = Tool(
    "oxlint",
    order=131,
    language="javascript",
    output=ToolOutput(
        words=(",-[", "\u256d\u2500[", "[Warning/", "[Error", "::error file=", "eslint("),
        needs=r"\(|x |\u00d7 ",
        parse=parse,
        closing=(
            r"Found \d+ warnings? and \d+ errors?\.|Finished in \d+m?s on \d+ files? with .*"
            r"|\d+ problems?|\u2716 \d+ problems? \(\d+ errors?, \d+ warnings?\)"
        ),
    ),
    command=ToolCommand(programs=("oxlint",), comparable=True, only_tests=("",)),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"(?:oxlint|eslint)-disable\b",)),
)
