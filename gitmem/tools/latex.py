"""TeX and its formats: the first error, with what stands at the line."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(
    r"(?:(?P<file>[^\s:][^:\n]{0,300}\.\w{1,5}):(?P<line>\d+):|!) (?P<message>\S.*?)\s*$"
)
_LINE: Final = re.compile(r"l\.(?P<line>\d+) ?(?P<code>.*)$")
_MACRO: Final = re.compile(r"\\(?:[A-Za-z@]+|\W)")
_FILE: Final = re.compile(r"\((?P<file>\.{0,2}/?[^\s()/][^\s()]*\.(?:tex|ltx|sty|cls|bbl|toc))")
_STOPPED: Final = "Emergency stop."
_MOST: Final = 20
_MOST_ABOVE: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error; the macro that is not defined is the last one before the line breaks off."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    message, code, end = head["message"], "", at + 1
    line = number(head["line"])
    for near in range(at + 1, min(len(lines), at + _MOST)):
        if lines[near].startswith("! "):
            break
        if shown := _LINE.match(lines[near]):
            line, code, end = number(shown["line"]), shown["code"], near + 1
            break
    else:
        if head["file"]:
            return None
    macros = _MACRO.findall(code)
    if "ndefined control sequence" in message and macros:
        message = f"{message.rstrip('.')} {macros[-1]}"
    stopped = message == _STOPPED
    place = _place(head["file"] or _file_above(lines, at, floor), line, code)
    failure = Failure(
        "latex", "latex", "", "", message, location=place,
        severity="consequence" if stopped else "error",
    )  # fmt: skip
    return one(failure, lines, at, end)


def _place(file: str, line: int | None, code: str) -> FailureLocation | None:
    return FailureLocation(file, line, None, code.strip()) if file else None


def _file_above(lines: Sequence[str], at: int, floor: int) -> str:
    """Give the project's file that was opened last; those of TeX lie below the root."""
    for near in range(at - 1, max(floor, at - _MOST_ABOVE) - 1, -1):
        opened: list[str] = _FILE.findall(lines[near])
        if opened:
            return opened[-1].removeprefix("./")
    return ""


TOOL = Tool(
    "latex",
    order=357,
    language="latex",
    output=ToolOutput(
        words=(
            "! LaTeX", "! Undefined", "ndefined control sequence", "! Missing", "! Emergency stop",
            "! Package", "! Extra", "! Too many", "! Illegal", "! Paragraph ended", "! Misplaced",
            "! pdfTeX error", "! I can't find",
        ),
        parse=parse,
        closing=(
            r"!\s+==> Fatal error occurred|Emergency stop|No pages of output|Transcript written"
        ),
    ),
    command=ToolCommand(programs=("pdflatex", "latex", "xelatex", "lualatex", "tex", "latexmk")),
    files=ToolFiles(noise=("*.aux", "*.fls", "*.fdb_latexmk", "*.toc")),
)  # fmt: skip
