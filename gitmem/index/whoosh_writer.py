"""Writing an index of Whoosh's third format, with Whoosh's own parts.

Any Whoosh opens what is written here, without gitmem: the schema holds only Whoosh's
classes. What goes another way than Whoosh's ``SegmentWriter`` is how postings come together:
counted in memory, written a term at a time in large blocks, uncompressed, small lists
inside the table of terms. That is what the codec interface (``whoosh.codec.base``) is for.

Importing this module imports Whoosh: only updates do.
"""

import os
import pickle
import struct
from array import array
from collections.abc import Iterable, Iterator
from typing import Any, Final

from whoosh import columns, fields, formats
from whoosh.analysis import LowercaseFilter, SpaceSeparatedTokenizer
from whoosh.codec import base, whoosh3
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import TOC
from whoosh.util.numeric import byte_to_length, length_to_byte

from gitmem.index.whoosh_files import (
    KEY_FIELD,
    NAME,
    TEXT_FIELD,
    Postings,
    SegmentInfo,
    swapped,
    toc_name,
)

BLOCK: Final = 1024
_INLINE: Final = 4
"""Postings of up to so many documents lie in the table of terms."""
AS_TUPLE: Final = 24
_PROTOCOL: Final = 4
_NO_ID: Final = 0xFFFFFFFF
_INFO = struct.Struct("!BfIBBfII")
_PLACE = struct.Struct("!qi")


def schema() -> Any:  # noqa: ANN401  Whoosh has no types
    """Make the schema: our key, and one field of terms with their impact as frequency."""
    text = fields.TEXT(
        analyzer=SpaceSeparatedTokenizer() | LowercaseFilter(), phrase=False, stored=False
    )
    text.format = formats.Frequency()
    key = fields.NUMERIC(int, bits=64, signed=False, unique=True, sortable=True, shift_step=0)
    return fields.Schema(**{KEY_FIELD: key, TEXT_FIELD: text})


class _TermInfo(whoosh3.W3TermInfo):  # type: ignore[misc]
    """What the table of terms says of a term, ready to be written."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    def to_bytes(self) -> bytes:
        return self._data


class _PostingsWriter(base.PostingsWriter):  # type: ignore[misc]
    """Takes the postings of a whole term at once."""

    def __init__(self, stream: Any, lengths: tuple[int, int]) -> None:  # noqa: ANN401
        self._stream = stream
        self._bounds = tuple(map(length_to_byte, lengths))
        self._postings = Postings([], array("I"))
        self._weighted = True

    def take(self, postings: Postings, *, weighted: bool) -> None:
        """Set what the next ``finish_postings`` writes."""
        self._postings = postings
        self._weighted = weighted

    def start_postings(self, format_: object, terminfo: object) -> None:
        """Begin a term: nothing to do, ``take`` brings everything."""

    def finish_postings(self) -> _TermInfo:
        documents, impacts = self._postings
        count = len(documents)
        inline = count <= _INLINE
        values = swapped(array("I", impacts)).tobytes() if self._weighted else b""
        info = _INFO.pack(
            inline, float(count), count, *self._bounds, 1.0, documents[0], documents[-1]
        )
        if inline:
            step = 4 if self._weighted else 0
            lists = (
                tuple(documents),
                (1.0,) * count,
                tuple(values[step * at : step * at + step] for at in range(count)),
            )
            return _TermInfo(info + pickle.dumps(lists, _PROTOCOL))
        offset = self._stream.tell()
        self._stream.write(whoosh3.WHOOSH3_HEADER_MAGIC)
        for start in range(0, count, BLOCK):
            part = documents[start : start + BLOCK]
            self._block(part, values[4 * start : 4 * (start + BLOCK)], last=start + BLOCK >= count)
        return _TermInfo(info + _PLACE.pack(offset, self._stream.tell() - offset))

    def _block(self, documents: list[int], values: bytes, *, last: bool) -> None:
        gaps: Any = (documents[0], *map(int.__sub__, documents[1:], documents))
        if len(gaps) > AS_TUPLE:
            gaps = array("H" if documents[-1] < 1 << 16 else "I", gaps)
        # Documents, last one, highest weight, compression, lengths; see whoosh3._write_block.
        info = (len(documents), documents[-1], 1.0, 0, *self._bounds)
        data = pickle.dumps(info, _PROTOCOL) + pickle.dumps((gaps, None, values), _PROTOCOL)
        self._stream.write_int(-len(data) if last else len(data))
        self._stream.write(data)


class _Storage(FileStorage):  # type: ignore[misc]
    """Remembers the files it makes, so that they can be closed when writing fails."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self.made: list[Any] = []

    def create_file(self, name: str, **options: Any) -> Any:  # noqa: ANN401
        made = super().create_file(name, **options)
        self.made.append(made)
        return made


class _Codec(whoosh3.W3Codec):  # type: ignore[misc]
    """Whoosh's codec with our way to write postings. Not pickled into the index."""

    def __init__(self, lengths: tuple[int, int]) -> None:
        super().__init__()
        self._lengths_seen = lengths
        self.writer: _PostingsWriter

    def postings_writer(self, dbfile: Any, byteids: bool = False) -> _PostingsWriter:  # noqa: ANN401, ARG002, FBT001, FBT002  Whoosh's
        self.writer = _PostingsWriter(dbfile, self._lengths_seen)
        return self.writer


def write_segment(
    directory: str, keys: "array[int]", sizes: "array[int]", terms: Iterable[tuple[str, Postings]]
) -> SegmentInfo:
    """Write the files of a new segment.

    Args:
        directory: the index's folder.
        keys: the key of each document.
        sizes: the number of terms in each document.
        terms: terms, sorted, with where they occur; no list is empty.

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
    terms: Iterable[tuple[str, Postings]],
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

    codec = _Codec((min(sizes), max(sizes)))
    writer = whoosh3.W3FieldWriter(codec, storage, segment)
    made = schema()

    def field(name: str, items: Iterable[tuple[bytes, Postings]], *, weighted: bool) -> None:
        writer.start_field(name, made[name])
        for term, postings in items:
            writer.start_term(term)
            codec.writer.take(postings, weighted=weighted)
            writer.finish_term()
        writer.finish_field()

    field(KEY_FIELD, _key_terms(made[KEY_FIELD], keys), weighted=False)
    field(TEXT_FIELD, ((term.encode(), found) for term, found in terms), weighted=True)
    writer.close()
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
