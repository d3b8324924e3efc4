"""What a long-lived process caches of an index from one question to the next.

Failures are told in the same words, so most terms of a pasted error were asked for by one before.
What the table says of a term is kept at once: a reference to bytes that were read anyway. The
impacts of a long list are kept from its second question on, so that a process that asks one
question spends nothing on it: one number for each document of the segment, found by counting.
2 us for 100 candidates, where reading a list of 1,000 takes 50.
"""

from array import array
from collections import deque
from collections.abc import Sequence
from typing import Final

from gitmem.index.protocol import Allow
from gitmem.index.whoosh_files import Segment

SPARSE: Final = 64
"""Lists of less than one in so many documents are read: kept, they would be mostly zeros."""
LEAST: Final = 16
"""Shorter lists are read as well, whatever their segment's size."""
_MOST_BYTES: Final = 16 << 20
"""For all lists: each takes two bytes a document of its segment."""
_MOST_TERMS: Final = 10_000
_MOST_FIRST_QUESTIONS: Final = 20_000
_SHORT: Final = 1 << 16

Entries = list[bytes | None]


class HotCache:
    """What is kept for one generation of an index.

    Attributes:
        entries: what ``Segment.find`` gave of terms, one entry a segment.
        counts: how many documents alive have a term.
        totals: the same, deleted ones too.

    """

    def __init__(self) -> None:
        self.entries: dict[str, Entries] = {}
        self.counts: dict[str, int] = {}
        self.totals: dict[str, int] = {}
        self._question = 0
        self._first_question: dict[tuple[int, str], int] = {}  # by which question first
        self._lists: dict[tuple[int, str], array[int]] = {}
        self._size = 0
        self._allowed: tuple[Allow, list[bytearray]] = (None, [])

    def allowed(self, allow: Allow, segments: Sequence[Segment]) -> list[bytearray]:
        """Tell of each document of the segments whether it may be found; empty: all may."""
        if allow is None:
            return []
        if allow is not self._allowed[0]:
            may = allow if callable(allow) else allow.__contains__
            self._allowed = allow, [bytearray(map(may, segment.keys)) for segment in segments]
        return self._allowed[1]

    def next_question(self) -> None:
        """Note that another question begins."""
        self._question += 1
        if len(self.entries) > _MOST_TERMS:
            for cache in (self.entries, self.counts, self.totals):
                cache.clear()

    def impacts(
        self, list_of: tuple[int, str], segment: Segment, entry: bytes
    ) -> "array[int] | None":
        """Give the impact of a term in each document, 0 for none; None if that is not kept.

        Args:
            list_of: the segment's number and the term.
            segment: that segment.
            entry: what its table says of the term.

        """
        impacts = self._lists.pop(list_of, None)
        if impacts is None:
            documents = segment.info.documents
            if segment.frequency(entry) < max(LEAST, documents // SPARSE):
                return None
            if len(self._first_question) >= _MOST_FIRST_QUESTIONS:
                self._first_question.clear()
            if self._first_question.setdefault(list_of, self._question) == self._question:
                return None
            impacts = _spread(segment, entry)
            self._size += impacts.itemsize * documents
        self._lists[list_of] = impacts  # behind those that were used before it
        while self._size > _MOST_BYTES and len(self._lists) > 1:
            oldest = self._lists.pop(next(iter(self._lists)))
            self._size -= oldest.itemsize * len(oldest)
        return impacts


def _spread(segment: Segment, entry: bytes) -> "array[int]":
    postings = segment.postings(entry)
    kind = "H" if max(postings.impacts, default=0) < _SHORT else "I"
    values = array(kind, bytes(array(kind).itemsize * segment.info.documents))
    deque(map(values.__setitem__, *postings), maxlen=0)
    return values
