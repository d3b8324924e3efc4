"""The outline of a record file's text, also while it is invalid YAML during typing.

Records are plain YAML in block style. What else YAML can do (flow mappings, several lines of
one plain scalar) is passed over, which loses an entry of the outline and nothing more.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

Steps = tuple[str | int, ...]
_KEY: Final = re.compile(r"(?P<key>[A-Za-z_][\w.-]*|\"[^\"]*\"|'[^']*')[ \t]*:(?:[ \t]+|$)")
_BLOCK: Final = re.compile(r"[|>][-+0-9]*(?:[ \t]+#.*)?$")
_ITEM: Final = re.compile(r"-(?:[ \t]+|$)")


class OutlineEntry(NamedTuple):
    """One key or one entry of a list.

    Attributes:
        steps: where it stands in the record, such as ``("links", "fixes", 0)``.
        line: its line, from 0.
        column: where its key begins, or what an entry of a list holds; in characters.
        end: where the key ends; for an entry of a list, its column.
        start: where the value begins on the line.
        value: the rest of the line, without blanks at its end.
        last: the last line that belongs to it.

    """

    steps: Steps
    line: int
    column: int
    end: int
    start: int
    value: str
    last: int

    @property
    def is_block(self) -> bool:
        """Whether the text follows on the lines below."""
        return _BLOCK.match(self.value) is not None


@dataclass
class _IndentLevel:
    column: int
    steps: Steps
    is_list: bool
    here: str | int


def outline(lines: Sequence[str]) -> list[OutlineEntry]:
    """List all keys and entries, in order."""
    entries: list[OutlineEntry] = []
    levels: list[_IndentLevel] = []
    text_below = -1  # the indent of the key whose block of text we are in
    for number, raw in enumerate(lines):
        line = raw.rstrip()
        column = len(line) - len(line.lstrip(" "))
        body = line[column:]
        if text_below >= 0:
            if not body or column > text_below:
                continue
            text_below = -1
        if not body or body.startswith(("#", "---", "<<<<<<<", "=======", ">>>>>>>")):
            continue
        while item := _ITEM.match(line, column):
            _enter_item(levels, column)
            after = item.end()
            entries.append(_entry(levels, number, (after, after, after), line))
            text_below = column if entries[-1].is_block else text_below
            column = after
        if key := _KEY.match(line, column):
            _enter_key(levels, column, key["key"].strip("\"'"))
            where = (column, key.end("key"), key.end())
            entries.append(_entry(levels, number, where, line))
            if entries[-1].is_block:
                # A key after a dash is indented as far as the key itself stands.
                text_below = column
    return _with_ends(entries, lines)


def _entry(
    levels: list[_IndentLevel], line: int, where: tuple[int, int, int], text: str
) -> OutlineEntry:
    column, end, start = where
    top = levels[-1]
    return OutlineEntry((*top.steps, top.here), line, column, end, start, text[start:], line)


def _enter_key(levels: list[_IndentLevel], column: int, key: str) -> None:
    while levels and (
        levels[-1].column > column or (levels[-1].column == column and levels[-1].is_list)
    ):
        levels.pop()
    if levels and levels[-1].column == column:
        levels[-1].here = key
    else:
        levels.append(_IndentLevel(column, _steps(levels), is_list=False, here=key))


def _enter_item(levels: list[_IndentLevel], column: int) -> None:
    while levels and levels[-1].column > column:
        levels.pop()
    if levels and levels[-1].column == column and levels[-1].is_list:
        levels[-1].here = int(levels[-1].here) + 1
    else:
        levels.append(_IndentLevel(column, _steps(levels), is_list=True, here=0))


def _steps(levels: list[_IndentLevel]) -> Steps:
    return (*levels[-1].steps, levels[-1].here) if levels else ()


def _with_ends(entries: list[OutlineEntry], lines: Sequence[str]) -> list[OutlineEntry]:
    ended = []
    for number, entry in enumerate(entries):
        below = len(entry.steps)
        after = next(
            (later.line for later in entries[number + 1 :] if later.steps[:below] != entry.steps),
            len(lines),
        )
        last = max(after - 1, entry.line)
        while last > entry.line and not lines[last].strip():
            last -= 1
        ended.append(entry._replace(last=last))
    return ended


def kind_in(entries: Sequence[OutlineEntry]) -> str:
    """Give the kind that a record says it is of; empty if it does not."""
    return next((plain(entry.value) for entry in entries if entry.steps == ("kind",)), "")


def plain(value: str) -> str:
    """Take comment and quotes off a value of one line."""
    value = re.sub(r"[ \t]+#.*$", "", value)
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] in "'\"" else value
