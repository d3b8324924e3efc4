"""Faults in documents that are checked against a schema: a path inside tells where, and no line."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import FailureLocation

_BESIDE: Final = lazily(
    r"\s*(?P<file>[^\s:]{1,300}\.\w{1,10})::(?P<said>\$[\w.\[\]'\"$-]{0,300}: \S.*)$"
)
"""The file, and behind two colons the path."""
_HEAD: Final = lazily(
    r"(?=\S).{0,200}?\b(?:[Ee]rrors?|[Ii]nvalid|[Ff]ail\w*|not valid)\b.{0,80}?"
    r"['\"`](?P<file>[^'\"`\s]{1,300}\.\w{1,10})['\"`]"
)
_BELOW: Final = lazily(r"[ \t]+(?:[-*] )?(?P<said>[\w$][\w.\[\]$-]{0,200}: \S.*)$")
_LEAST: Final = 2
"""Lines with a path: one alone may be anything."""


class DocumentFault(NamedTuple):
    """What is wrong in a document, and the number of its line in the output."""

    at: int
    message: str
    place: FailureLocation


def document_faults(lines: Sequence[str]) -> Iterator[DocumentFault]:
    """Read faults with their file before them, or below a headline that names it."""
    for at, line in enumerate(lines):
        if beside := _BESIDE.match(line):
            yield DocumentFault(at, beside["said"], FailureLocation(beside["file"], None))
        elif head := _HEAD.match(line):
            below = []
            for number in range(at + 1, len(lines)):
                fault = _BELOW.match(lines[number])
                if fault is None:
                    break
                below.append((number, fault["said"]))
            if len(below) >= _LEAST:
                place = FailureLocation(head["file"], None)
                yield from (DocumentFault(number, words, place) for number, words in below)
