"""Writes segments of an index in Whoosh's third format without importing Whoosh.

What goes another way than Whoosh's ``SegmentWriter`` is how postings come together: counted in
memory, written a term at a time (``term_table``) in large blocks, uncompressed, small lists
inside the table of terms. The formats of columns are those of ``whoosh.columns``.
"""

import os
from array import array
from collections.abc import Iterable, Iterator
from typing import Final

from gitmem.index.spelling import is_word
from gitmem.index.term_table import LENGTHS, TermTable, length_to_byte
from gitmem.index.whoosh_files import (
    KEY_FIELD,
    TEXT_FIELD,
    Postings,
    SegmentInfo,
    swapped,
)

_FEW: Final = 1 << 15
"""Of more documents Whoosh's columns have offsets, too."""


def write_segment(
    directory: str,
    keys: "array[int]",
    sizes: "array[int]",
    terms: Iterable[tuple[str, Postings | int]],
) -> SegmentInfo:
    """Write the files of a new segment.

    Args:
        directory: the index's folder.
        keys: the key of each document.
        sizes: the number of terms in each document.
        terms: terms, sorted, with where they occur (see ``TermTable``); no list is empty.

    """
    segment = SegmentInfo(os.urandom(8).hex(), len(keys), frozenset(), sum(sizes))
    path = os.path.join(directory, segment.name)

    def column(field: str, data: bytes) -> None:
        with open(f"{path}.{field}.col", "wb") as stream:
            stream.write(data)

    column(KEY_FIELD, swapped(array("Q", keys)).tobytes())
    column(f"_{TEXT_FIELD}_len", bytes(map(length_to_byte, sizes)))
    column("_stored", _nothing_stored(len(keys)))
    with (
        open(f"{path}.trm", "wb") as table,
        open(f"{path}.pst", "wb") as postings,
    ):
        writer = TermTable(table, postings, (min(sizes), max(sizes)))
        writer.add_field(KEY_FIELD, _key_terms(keys), weighted=False)
        words: list[str] = []
        writer.add_field(TEXT_FIELD, _encoded(terms, words), weighted=True)
        writer.finish()
    with open(f"{path}.words", "w", encoding="utf-8", newline="\n") as listed:
        listed.write("\n".join(["", *words, ""]))
    return segment


def _encoded(
    terms: Iterable[tuple[str, Postings | int]], words: list[str]
) -> Iterator[tuple[bytes, Postings | int]]:
    """Encode terms, and put those aside that a misspelt word may mean."""
    for term, postings in terms:
        if is_word(term):
            words.append(term)
        yield term.encode(), postings


def _key_terms(keys: "array[int]") -> Iterator[tuple[bytes, Postings]]:
    places_of: dict[int, list[int]] = {}
    for at, key in enumerate(keys):
        places_of.setdefault(key, []).append(at)  # several: put again in the same update
    for key in sorted(places_of):
        # As ``whoosh.fields.NUMERIC`` has it: a shift of no bits, then the number.
        yield b"\0" + key.to_bytes(8, "big"), Postings(places_of[key], array("I"))


def _nothing_stored(documents: int) -> bytes:
    """Make the column of stored fields, of which there are none: lengths, offsets, their types."""
    if documents <= _FEW:
        return bytes(documents) + b"B"
    return bytes(2 * documents) + b"BBX"


def lengths(directory: str, info: SegmentInfo) -> list[int]:
    """Give the (rounded) number of terms in each document of a segment."""
    with open(os.path.join(directory, f"{info.name}._{TEXT_FIELD}_len.col"), "rb") as stream:
        return [LENGTHS[byte] for byte in stream.read()]
