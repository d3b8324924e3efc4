"""Rollup and Vite: what could not be resolved or is not exported, and in which file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_SPEAKER: Final = r"(?:\[[\w:./@-]+\](?::| ) ?|Error: |RollupError: |\[!\] )*"
_UNRESOLVED: Final = re.compile(
    _SPEAKER + r"(?P<message>(?:Rollup f|F)ailed to resolve import \"[^\"\n]+\") "
    r"from \"(?P<file>[^\"\n]+)\""
)
_COULD_NOT: Final = re.compile(
    _SPEAKER + r"(?P<message>Could not resolve [\"'][^\"'\n]+[\"']) from [\"']?(?P<file>[^\"'\s]+)"
)
_EXPORTED: Final = re.compile(
    _SPEAKER + r"(?:(?P<at>[^\s:()]+) \((?P<line>\d+):(?P<column>\d+)\): )?"
    r"(?P<message>\"[^\"\n]+\" is not exported by \"[^\"\n]+\"), "
    r"imported by \"(?P<file>[^\"\n]+)\""
)


_BOX: Final = re.compile(
    r"\s+\u256d\u2500\[ (?P<file>\S.{0,400}?):(?P<line>\d{1,7}):(?P<column>\d{1,5}) \]$"
)
_CODED: Final = re.compile(r"(?:.{0,80}: )?\[(?P<code>[A-Z][A-Z_]{2,60})\] (?P<message>\S.*)$")
_MOST: Final = 30


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, or one whose place opens a box around the code."""
    if box := _BOX.match(lines[at]):
        head = _CODED.match(lines[at - 1]) if at > floor else None
        return _boxed(lines, at, head, box) if head else None
    line = lines[at].strip()
    exported = _EXPORTED.match(line)
    match = exported or _UNRESOLVED.match(line) or _COULD_NOT.match(line)
    if match is None:
        return None
    place = FailureLocation(match["file"].rstrip("."))
    if exported:
        place = place._replace(line=number(match["line"]), column=number(match["column"]))
    failure = Failure("rollup", "javascript", "", "", match["message"], location=place)
    return one(failure, lines, at, at + 1)


def _boxed(lines: Sequence[str], at: int, head: re.Match[str], box: re.Match[str]) -> ParserResult:
    end = at + 1
    while end < len(lines) and end < at + _MOST and not lines[end - 1].startswith("\u2500"):
        end += 1
    place = FailureLocation(box["file"], number(box["line"]), number(box["column"]))
    message = head["message"].removesuffix(f" in {box['file']}")
    failure = Failure("rollup", "javascript", "", head["code"], message, location=place)
    return one(failure, lines, at - 1, end)


TOOL = Tool(
    "rollup",
    order=358,
    language="javascript",
    output=ToolOutput(
        words=("to resolve import", "Could not resolve ", " is not exported by ", "\u256d\u2500[ "),
        parse=parse,
        closing=(
            r"(?:[x\u2717\u2718] )?Build failed (?:in |with \d+ errors?:)|error during build"
            r"|  errors: \[Getter/Setter\]"
            r"|This is most likely unintended"
        ),
    ),
    command=ToolCommand(programs=("vite", "rollup")),
)
