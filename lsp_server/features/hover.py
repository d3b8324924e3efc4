"""Hover on a record's id, in any file: what the record says and what came of it."""

import re

from lsprotocol import types

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.records.ids import ALPHABET, KIND_OF, LENGTH
from gitmem.render.markdown import record_summary

_ID = re.compile(rf"(?<![\w-])(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?!\w)")


def hover(memory: Memory, line: str, line_number: int, character: int) -> types.Hover | None:
    """Describe the record whose id stands at UTF-16 offset ``character`` of ``line``."""
    for match in _ID.finditer(line):
        start, end = (len(line[:i].encode("utf-16-le")) // 2 for i in match.span())
        if start <= character <= end:
            try:
                shown = memory.show(match[0])
            except GitmemError:
                return None
            return types.Hover(
                contents=types.MarkupContent(
                    kind=types.MarkupKind.Markdown, value=record_summary(shown)
                ),
                range=types.Range(
                    start=types.Position(line=line_number, character=start),
                    end=types.Position(line=line_number, character=end),
                ),
            )
    return None
