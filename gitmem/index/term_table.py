"""Writes terms and postings in Whoosh's third format, one term at a time.

The formats are those of ``whoosh.filedb.filetables.OrderedHashWriter`` and
``whoosh.codec.whoosh3.W3PostingsWriter``. Written by Whoosh itself, a term passes seven
calls, an MD5 hash and two pickles; seven of ten terms occur in a single document, and for
those one ``struct`` is packed here, which is four times as fast.
"""

import pickle
import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import IO, Any, Final
from zlib import crc32

from gitmem.index.whoosh_files import Postings, swapped

BLOCK: Final = 1024
AS_TUPLE: Final = 24
_INLINE: Final = 4
"""Postings of up to so many documents lie in the table of terms."""
_PROTOCOL: Final = 4
_MAGIC: Final = b"W3Bl"
_CRC32: Final = 1  # one of the hashes that the table may have; it says which
_BUCKETS: Final = 256
_TOGETHER: Final = 10_000
"""Entries that are written at once: all of a large segment would take 100 MB."""
_LOW: Final = 0xFFFF_FFFF
_SMALL: Final = 1 << 32

_INFO = struct.Struct("!BfIBBfII")
_PLACE = struct.Struct("!qi")
_SIZES = struct.Struct("!ii")
_INT = struct.Struct("!i")
_SLOT = struct.Struct("!Iq")
# ((document,), (1.0,), (impact,)) as a pickle: the numbers always in four bytes.
_SINGLE_POSTING = (
    struct.Struct("<3si"),
    b"\x85G" + struct.pack(">d", 1.0) + b"\x85C\x04",
    b"\x85\x87.",
)


LENGTHS: Final = tuple(round((1.033**byte - 1) * 27) for byte in range(256))
"""The lengths of documents that a byte can stand for, as ``whoosh.util.numeric`` rounds them."""


def length_to_byte(length: int) -> int:
    """Give the byte of a document's length."""
    return bisect_left(LENGTHS, length) if length < LENGTHS[-1] else len(LENGTHS) - 1


def once(document: int, impact: int) -> int:
    """Say in one number that a term occurs in a single document: lists of one cost more."""
    return document << 32 | impact


def occurrence(number: int) -> tuple[int, int]:
    """Give document and impact of ``once``."""
    return number >> 32, number & _LOW


class _Ends(dict[int, bytes]):
    """How the data of a term in a single document ends, by its impact there."""

    def __missing__(self, impact: int) -> bytes:
        encoded = self[impact] = impact.to_bytes(4, "big") + _SINGLE_POSTING[2]
        return encoded


class TermTable:
    """The two files of a segment's terms: a table, and the postings that are too long for it.

    Args:
        table: takes the ``.trm`` file.
        postings: takes the ``.pst`` file.
        lengths: of the shortest and the longest document, in terms.

    """

    def __init__(self, table: IO[bytes], postings: IO[bytes], lengths: tuple[int, int]) -> None:
        self._table = table
        self._postings = postings
        self._offset = 0  # in the postings
        self._short, self._long = map(length_to_byte, lengths)
        self._fields: dict[str, int] = {}
        self._starts: dict[int, bytes] = {}
        self._positions = array("q")
        self._hashes = array("I")
        self._at = table.write(b"HSH3" + bytes([_CRC32]) + bytes(8))

    def add_field(
        self, name: str, terms: Iterable[tuple[bytes, Postings | int]], *, weighted: bool
    ) -> None:
        """Write the terms of a field: sorted, none without postings.

        Args:
            name: the field's; fields come in the order of the schema.
            terms: with where they occur; a number where that is ``once``.
            weighted: whether impacts are written, too.

        """
        number = self._fields[name] = len(self._fields)
        start = struct.pack("!H", number)
        at = self._at
        note_position, note_hash = self._positions.append, self._hashes.append
        sizes, in_one, starts, ends = _SIZES.pack, self._in_one, self._starts, _Ends()
        ready: list[bytes] = []
        add = ready.append
        for term, postings in terms:
            key = start + term
            if isinstance(postings, int):
                document = postings >> 32
                data = (starts.get(document) or in_one(document)) + ends[postings & _LOW]
            else:
                data = self._data(postings, weighted=weighted)
            note_position(at)
            note_hash(crc32(key))
            entry = sizes(len(key), len(data)) + key + data
            at += len(entry)
            add(entry)
            if len(ready) == _TOGETHER:
                self._table.write(b"".join(ready))
                ready.clear()
        self._table.write(b"".join(ready))
        self._at = at

    def _in_one(self, document: int) -> bytes:
        """Give the start of the data of a term that only this document has."""
        info = _INFO.pack(1, 1.0, 1, self._short, self._long, 1.0, document, document)
        encoded = self._starts[document] = (
            info + _SINGLE_POSTING[0].pack(b"\x80\x04J", document) + _SINGLE_POSTING[1]
        )
        return encoded

    def _data(self, postings: Postings, *, weighted: bool) -> bytes:
        documents, impacts = postings
        count = len(documents)
        inline = count <= _INLINE
        values = swapped(array("I", impacts)).tobytes() if weighted else b""
        highest = float(max(impacts)) if weighted else 1.0
        info = _INFO.pack(
            inline,
            float(count),
            count,
            self._short,
            self._long,
            highest,
            documents[0],
            documents[-1],
        )
        if inline:
            step = 4 if weighted else 0
            lists = (
                tuple(documents),
                (1.0,) * count,
                tuple(values[step * at : step * at + step] for at in range(count)),
            )
            return info + pickle.dumps(lists, _PROTOCOL)
        offset = self._offset
        blocks = [_MAGIC]
        for start in range(0, count, BLOCK):
            part = documents[start : start + BLOCK]
            block = self._block(part, values[4 * start : 4 * (start + BLOCK)])
            size = len(block)
            blocks += (_INT.pack(-size if start + BLOCK >= count else size), block)
        self._offset += self._postings.write(b"".join(blocks))
        return info + _PLACE.pack(offset, self._offset - offset)

    def _block(self, documents: list[int], values: bytes) -> bytes:
        gaps: Any = (documents[0], *map(int.__sub__, documents[1:], documents))
        if len(gaps) > AS_TUPLE:
            gaps = array("H" if documents[-1] < 1 << 16 else "I", gaps)
        # Documents, last one, highest weight, compression, lengths; see whoosh3._write_block.
        info = (len(documents), documents[-1], 1.0, 0, self._short, self._long)
        return pickle.dumps(info, _PROTOCOL) + pickle.dumps((gaps, None, values), _PROTOCOL)

    def finish(self) -> None:
        """Write hash tables, their directory, and the list of the terms' places."""
        buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
        hashes, positions = self._hashes, self._positions
        for number, key_hash in enumerate(hashes):
            buckets[key_hash & 255].append(number)
        for numbers in buckets:
            slots = 2 * len(numbers)
            flat = [0] * (2 * slots)  # hash and place in turn; no place is 0
            for number in numbers:
                slot = (hashes[number] >> 8) % slots
                while flat[2 * slot + 1]:
                    slot = (slot + 1) % slots
                flat[2 * slot] = hashes[number]
                flat[2 * slot + 1] = positions[number]
            self._table.write(struct.pack("!" + "Iq" * slots, *flat))
        counts = [2 * len(numbers) for numbers in buckets]
        starts = accumulate((_SLOT.size * count for count in counts), initial=self._at)
        directory = b"".join(map(_PLACE.pack, starts, counts))
        kind = "I" if self._at < _SMALL else "q"
        extras = {"fieldmap": self._fields, "indextype": kind, "indexlen": len(positions)}
        packed = swapped(array(kind, positions)).tobytes()
        end = pickle.dumps(extras, _PROTOCOL) + packed
        self._table.write(directory + end + _INT.pack(len(end)))
