"""Rows with a line, and mostly a column, of a file that stands alone above them. Pure.

Some tools number their faults: the place stands behind the number, and below it what is wrong.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.places import alone
from gitmem.output.failure import FailureLocation
from gitmem.tools.common.closing import is_closing

_LONGEST: Final = 1_000
_SAID: Final = lazily(r"[^\W\d_]{2,}")
_LEAST_SAID: Final = 2
RULED: Final = lazily(
    r"(?P<rule>[@\w-]+(?:/[\w-]+)+|[a-z]+(?:-[a-z]+)+|[A-Z]{1,6}\d{2,6})?(?:\s+FIXABLE)?"
    r"[\s\u2500\u2501-]*$"
)
FILE: Final = lazily(
    r"(?i:file:? )?(?P<file>(?:[A-Za-z]:)?[^\s:|<>()'\"]{0,300}\.[A-Za-z]\w{0,9})"
    r"(?::| \(\d+\)|:? *-+)?\s*$"
)
_TABLE: Final = lazily(r"\s*Line\s{2,}(?P<file>[^\s:|<>()'\"]{1,300}\.[A-Za-z]\w{0,9})\s*$")
"""The head of a table, whose rows are the lines of a file."""
_ROW: Final = lazily(
    r"(?:\s+(?:\W\s+)?|(?=\d+:\d+\s))(?:[Ll]ine:? )?(?P<line>\d{1,7})"
    r"(?:(?::|, ?(?:[Cc]ol(?:umn)?:? )?)(?P<column>\d{1,6}))?"
    r"\s*(?::|,| -|\s| \|)\s*(?:[\u2713\u2714] )?"
    r"(?:(?P<level>(?i:error|warning|warn|fatal|info))\b(?:[:\s]| \|)\s*(?:\[[x ]\] )?"
    r"|(?P<mark>[\u00d7\u2716\u2717\u2718\u274c\u26a0\u2715])\s+)?"
    r"(?P<message>[^\s|\u2502].*?)"
    r"(?:(?:\s{2,}|(?<=[.?!)]) (?=[a-z]+(?:-[a-z]+)+\s*$))(?P<code>[@\w./()-]{2,80}))?\s*$"
)
_CODED: Final = lazily(r"(?P<code>[A-Z]{1,4}\d{2,5}):? (?P<message>\S.*)$")
"""What a row says behind the code of its rule: such a row needs no column."""
_NUMBERED: Final = lazily(r"\s{0,4}(?:\[\d{1,4}\]|\d{1,4}[.)]) (?P<place>\S+?)(?: at [#/$]\S*)?$")
_MOST_BELOW: Final = 2
"""Lines below a numbered place of which one says what is wrong."""
_ROW_WITH_CODE: Final = lazily(
    r"(?P<code>[A-Z]{1,4}\d{2,5}) (?P<line>\d{1,7}):(?P<column>\d{1,6}):? (?P<level>(?!))?"
    r"(?P<mark>(?!))?(?P<message>\S.*)$"
)


class FaultRow(NamedTuple):
    """A row: the number of its line in the output, what it says, and whether it only warns."""

    at: int
    code: str
    message: str
    place: FailureLocation
    mild: bool


def fault_rows(lines: Sequence[str]) -> Iterator[FaultRow]:
    """Give the rows, in their order."""
    file, table = "", False
    for at, line in enumerate(lines):
        if len(line) > _LONGEST or not line.strip():
            continue
        if heading := _TABLE.match(line):
            file, table = heading["file"], True
            continue
        if numbered := _stated_below(lines, at):
            yield numbered
            continue
        row = _ROW_WITH_CODE.match(line) if file else None
        if row is None and not (line[0].isspace() or (line[0].isdigit() and _ROW.match(line))):
            heading = FILE.match(line)
            if heading or not (RULED.match(line) or is_closing(line)):
                file, table = (heading["file"] if heading else ""), False
            continue
        row = row or (_ROW.match(line) if file else None)
        if row is None:
            continue
        coded = _CODED.match(row["message"])
        if not (table or coded or row["column"] or row["level"] or row["mark"]):
            continue
        if not _SAID.search(row["message"]) or is_closing(row["message"]):
            continue
        level = (row["level"] or "").lower()
        if level != "info":
            column = int(row["column"]) if row["column"] else None
            place = FailureLocation(file, int(row["line"]), column)
            mild = level in {"warning", "warn"} or row["mark"] == "\u26a0"
            code = row["code"] or (coded["code"] if coded else "")
            code = code.partition("(")[2].rstrip(")") or code
            wrapped = _wrapped(lines, at, row.start("message")) if table else []
            wording = coded["message"] if coded and code == coded["code"] else row["message"]
            message = " ".join([wording.strip(), *wrapped])
            yield FaultRow(at, code, message, place, mild)


def _stated_below(lines: Sequence[str], at: int) -> FaultRow | None:
    """Read a place with a number before it, and the statement below it."""
    numbered = _NUMBERED.match(lines[at])
    place = alone(numbered["place"]) if numbered else None
    if place is None:
        return None
    below = (line for line in lines[at + 1 : at + 1 + _MOST_BELOW] if line.strip())
    statement = next(below, "").strip()
    if len(_SAID.findall(statement)) < _LEAST_SAID or is_closing(statement) or alone(statement):
        return None
    return FaultRow(at, "", statement, place, mild=False)


def _wrapped(lines: Sequence[str], at: int, column: int) -> list[str]:
    """Give what a row of a table goes on with, below the column in which its message begins."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and not lines[end][:column].strip():
        if not lines[end].strip()[0].isascii():  # a sign, behind which the row's rule is told
            break
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]
