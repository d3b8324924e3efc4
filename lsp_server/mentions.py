"""Finds ids of records in any text: code comments, commit messages, record files."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from lsprotocol import types

from gitmem.records.layout import ALPHABET, KIND_OF, LENGTH
from lsp_server.positions import EditorRange, Units

_ID: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?!\w)")
_BEGUN: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{0,{LENGTH}}}$")


class IdMention(NamedTuple):
    """An id and its range in a line, in characters."""

    id: str
    start: int
    end: int


def mentions(line: str) -> Iterator[IdMention]:
    """Give the ids in a line, in order."""
    for match in _ID.finditer(line):
        yield IdMention(match[0], *match.span())


def mention_at(line: str, column: int) -> IdMention | None:
    """Give the id at a column, in characters; its end counts."""
    return next((each for each in mentions(line) if each.start <= column <= each.end), None)


def mention_in(line: str, at: types.Position, units: Units) -> tuple[IdMention, EditorRange] | None:
    """Give the id at an editor's position, and its range; None where there is none."""
    mention = mention_at(line, column_of(line, at.character, units))
    if mention is None:
        return None
    start, end = (units(line[:edge]) for edge in (mention.start, mention.end))
    return mention, EditorRange((at.line, start), (at.line, end))


def unfinished_id(before: str) -> str:
    """Give the beginning of an id that a text ends with, from its dash on; else nothing."""
    match = _BEGUN.search(before)
    return match[0] if match else ""


def column_of(line: str, character: int, units: Units) -> int:
    """Give the column in characters of a position in the editor's units; within the line."""
    if line.isascii():
        return min(character, len(line))
    counted = 0
    for column, letter in enumerate(line):
        if counted >= character:
            return column
        counted += units(letter)
    return len(line)
