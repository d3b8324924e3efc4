"""Hover on a record's id, in any file: what the record says and what came of it."""

import re
from collections.abc import Callable

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.records.ids import ALPHABET, KIND_OF, LENGTH
from gitmem.render.markdown import record_summary

_ID = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?!\w)")


def hover(
    memory: Memory, line: str, at: types.Position, units: Callable[[str], int]
) -> types.Hover | None:
    """Describe the record whose id stands at a position.

    Args:
        memory: where to look it up.
        line: the text of the position's line.
        at: the position, in the editor's units.
        units: counts a text in these units.

    """
    for match in _ID.finditer(line):
        start, end = (units(line[:i]) for i in match.span())
        if start <= at.character <= end:
            try:
                shown = memory.show(match[0])
            except GitmemError:
                return None
            return types.Hover(
                contents=types.MarkupContent(
                    kind=types.MarkupKind.Markdown, value=record_summary(shown)
                ),
                range=types.Range(
                    start=types.Position(line=at.line, character=start),
                    end=types.Position(line=at.line, character=end),
                ),
            )
    return None
