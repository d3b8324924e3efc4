"""Writing an index of Whoosh's third format.

Any Whoosh opens what is written here, without gitmem: the schema holds only Whoosh's
classes. What goes another way than Whoosh's ``SegmentWriter`` is how postings come together:
counted in memory, written a term at a time (``term_table``) in large blocks, uncompressed,
small lists inside the table of terms.

Importing this module imports Whoosh: only updates do.
"""

import os
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from whoosh import columns, fields, formats
from whoosh.analysis import LowercaseFilter, SpaceSeparatedTokenizer
from whoosh.codec import whoosh3
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import TOC
from whoosh.util.numeric import byte_to_length, length_to_byte

from gitmem.index.term_table import TermTable
from gitmem.index.whoosh_files import (
    KEY_FIELD,
    NAME,
    TEXT_FIELD,
    Postings,
    SegmentInfo,
    swapped,
    toc_name,
)


def schema() -> Any:  # noqa: ANN401  Whoosh has no types
    """Make the schema: our key, and one field of terms with their impact as frequency."""
    text = fields.TEXT(
        analyzer=SpaceSeparatedTokenizer() | LowercaseFilter(), phrase=False, stored=False
    )
    text.format = formats.Frequency()
    key = fields.NUMERIC(int, bits=64, signed=False, unique=True, sortable=True, shift_step=0)
    return fields.Schema(**{KEY_FIELD: key, TEXT_FIELD: text})


class _Storage(FileStorage):  # type: ignore[misc]
    """Remembers the files it makes, so that they can be closed when writing fails."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self.made: list[Any] = []

    def create_file(self, name: str, **options: Any) -> Any:  # noqa: ANN401
        made = super().create_file(name, **options)
        self.made.append(made)
        return made


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
    storage = _Storage(directory)
    try:
        return _write(storage, keys, sizes, terms)
    finally:
        for stream in storage.made:
            stream.raw_file().close()


def _write(
    storage: _Storage,
    keys: "array[int]",
    sizes: "array[int]",
    terms: Iterable[tuple[str, Postings | int]],
) -> SegmentInfo:
    segment = whoosh3.W3Codec().new_segment(storage, NAME)
    count = len(keys)

    def column(field: str, data: bytes) -> None:
        name = whoosh3.W3Codec.column_filename(segment, field)
        with open(os.path.join(storage.folder, name), "wb") as stream:
            stream.write(data)

    column(KEY_FIELD, swapped(array("Q", keys)).tobytes())
    column(f"_{TEXT_FIELD}_len", bytes(map(length_to_byte, sizes)))
    stored = columns.PickleColumn(columns.CompressedBytesColumn())
    stream = storage.create_file(whoosh3.W3Codec.column_filename(segment, "_stored"))
    stored.writer(stream).finish(count)
    stream.close()

    with (
        open(os.path.join(storage.folder, segment.make_filename(".trm")), "wb") as table,
        open(os.path.join(storage.folder, segment.make_filename(".pst")), "wb") as postings,
    ):
        writer = TermTable(table, postings, (min(sizes), max(sizes)))
        writer.add_field(KEY_FIELD, _key_terms(schema()[KEY_FIELD], keys), weighted=False)
        encoded = ((term.encode(), found) for term, found in terms)
        writer.add_field(TEXT_FIELD, encoded, weighted=True)
        writer.finish()
    return SegmentInfo(segment.segid, count, frozenset(), sum(sizes))


def _key_terms(field: Any, keys: "array[int]") -> Iterator[tuple[bytes, Postings]]:  # noqa: ANN401
    found: dict[int, list[int]] = {}
    for at, key in enumerate(keys):
        found.setdefault(key, []).append(at)  # several: put again in the same update
    for key in sorted(found):
        yield field.to_bytes(key), Postings(found[key], array("I"))


def lengths(directory: str, info: SegmentInfo) -> list[int]:
    """Give the (rounded) number of terms in each document of a segment."""
    with open(os.path.join(directory, f"{info.name}._{TEXT_FIELD}_len.col"), "rb") as stream:
        return [byte_to_length(byte) for byte in stream.read()]


def toc(generation: int, segments: Iterable[SegmentInfo]) -> bytes:
    """Make the table of contents of a generation."""
    made = []
    for info in segments:
        segment = whoosh3.W3Segment(
            whoosh3.W3Codec(), NAME, info.documents, info.id, set(info.deleted) or None
        )
        segment._fieldlengths = {TEXT_FIELD: info.length}  # noqa: SLF001  as whoosh3 sets it
        made.append(segment)
    storage = RamStorage()
    TOC(schema(), made, generation).write(storage, NAME)
    return bytes(storage.files[toc_name(generation)])
