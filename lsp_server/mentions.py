"""Ids of records as they stand in any text: code comments, commit messages, record files."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from gitmem.records.ids import ALPHABET, KIND_OF, LENGTH

_ID: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?!\w)")
_BEGUN: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{0,{LENGTH}}}$")


class Mention(NamedTuple):
    """An id and where it stands in a line, in characters."""

    id: str
    start: int
    end: int


def mentions(line: str) -> Iterator[Mention]:
    """Give the ids in a line, in order."""
    for match in _ID.finditer(line):
        yield Mention(match[0], *match.span())


def mention_at(line: str, column: int) -> Mention | None:
    """Give the id at a column, in characters; its end counts."""
    return next((one for one in mentions(line) if one.start <= column <= one.end), None)


def begun(before: str) -> str:
    """Give the beginning of an id that a text ends with, from its dash on; else nothing."""
    match = _BEGUN.search(before)
    return match[0] if match else ""


def column_of(line: str, character: int, units: Callable[[str], int]) -> int:
    """Give the column in characters of a position in the editor's units; within the line."""
    if line.isascii():
        return min(character, len(line))
    counted = 0
    for column, one in enumerate(line):
        if counted >= character:
            return column
        counted += units(one)
    return len(line)
