"""ty and pyrefly in their full and short forms, and lines that begin with the name of a checker.

ty: ``file:line:column: error[rule] message``, or ``error[rule]: message`` above an arrow.
pyrefly: ``ERROR file:line:column-column: message [rule]``, or ``ERROR message [rule]`` above one.
Who runs several checkers writes ``file:line: Pyright: error: message``.
"""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_PLACE: Final = r"(?P<file>[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb)):(?P<line>\d+)(?::(?P<column>\d+))?"
_TY: Final = re.compile(rf"{_PLACE}: (?:error|fatal)\[(?P<code>[a-z][a-z-]+)\] (?P<message>\S.*)")
_TY_HEAD: Final = re.compile(r"(?:error|fatal)\[(?P<code>[a-z][a-z-]+)\]: (?P<message>\S.*)")
_PYREFLY: Final = re.compile(
    rf"ERROR {_PLACE}(?:-[\d:]{{1,15}})?: (?P<message>\S.*) \[(?P<code>[a-z][a-z-]+)\]\s*$"
)
_PYREFLY_HEAD: Final = re.compile(r"ERROR (?P<message>\S.*) \[(?P<code>[a-z][a-z-]+)\]\s*$")
_NAMED: Final = re.compile(
    rf"(?:{_PLACE}: )?(?P<tool>[Bb]ased[Pp]yright|[Pp]yright|[Mm]ypy|[Pp]yrefly|ty): (?:error: )?"
    r"(?:\[(?P<code>[\w-]{2,60})\] )?(?P<message>\S.*?)"
    r"(?: {1,2}(?:\[(?P<rule>[a-z-]{2,60})\]|\((?P<report>report\w{1,60})\)))?\s*$"
)
_ARROW: Final = re.compile(rf"\s*--> {_PLACE}\s*$")
_BELOW: Final = re.compile(
    r"\s*(?:\d+\s)?\s*\||\s+(?:-->|:::) |(?:info|help|sub): |  \S|\s*\.\.\.$"
)
_SOURCE: Final = re.compile(r"\s*(?P<line>\d+)\s*\| (?P<code>.*)")
_MARKED: Final = re.compile(r"\s*\|[\s|-]*\^+(?: (?P<note>\S.*))?")
_MOST_BELOW: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, with its source line."""
    if _ARROW.match(lines[at]):
        at -= 1
    if at < floor:
        return None
    for pattern, tool in ((_TY, "ty"), (_PYREFLY, "pyrefly"), (_NAMED, "")):
        match = pattern.match(lines[at])
        if match:
            name = tool or match["tool"].lower().removeprefix("based")
            place = _place(match) if match["file"] else None
            code = match["code"] or ("" if tool else match["rule"] or match["report"]) or ""
            failure = Failure(name, "python", "", code, match["message"], location=place)
            return one(failure, lines, at, at + 1)
    for pattern, tool in ((_TY_HEAD, "ty"), (_PYREFLY_HEAD, "pyrefly")):
        match = pattern.match(lines[at])
        arrow = _ARROW.match(lines[at + 1]) if match and at + 1 < len(lines) else None
        if match and arrow:
            source, note, end = _snippet(lines, at + 2, arrow["line"])
            # What the short form says behind a colon stands under the source line here.
            message = f"{match['message']}: {note}" if note[:10].lower() == "expected `" else ""
            message = message or match["message"]
            place = _place(arrow)._replace(code=source)
            failure = Failure(tool, "python", "", match["code"], message, location=place)
            return one(failure, lines, at, end)
    return None


def _place(match: re.Match[str]) -> FailureLocation:
    return FailureLocation(match["file"], number(match["line"]), number(match["column"]))


def _snippet(lines: Sequence[str], at: int, wanted: str) -> tuple[str, str, int]:
    """Give the source line, what is said under it, and the end of what belongs to a message."""
    source = note = ""
    end = at
    while end < len(lines) and end < at + _MOST_BELOW and _BELOW.match(lines[end]):
        line, marked = _SOURCE.match(lines[end]), _MARKED.match(lines[end])
        if line and line["line"] == wanted and not source:
            source = line["code"].strip()
        elif marked and source and not note:
            note = marked["note"] or ""
        end += 1
    return source, note, end


TOOL = Tool(
    "ty",
    order=110,
    language="python",
    output=ToolOutput(words=("error[", "ERROR ", ": error: ", ".py:"), parse=parse),
    command=ToolCommand(programs=("ty",)),
    identity=ToolIdentity(code_tells="words"),
    ending=ToolEnding(
        codes=frozenset({1}),
        harmless=("invalid-argument-type", "invalid-return-type", "invalid-assignment"),
        by_file=True,
    ),
)
