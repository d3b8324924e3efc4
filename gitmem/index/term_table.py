"""Writing terms and postings as Whoosh's third format has them, a term at a time.

The formats are those of ``whoosh.filedb.filetables.OrderedHashWriter`` and
``whoosh.codec.whoosh3.W3PostingsWriter``. Written by Whoosh itself, a term passes seven
calls, an MD5 hash and two pickles; seven of ten terms occur in a single document, and for
those one ``struct`` is packed here, which is four times as fast.
"""

import pickle
import struct
from array import array
from collections.abc import Iterable
from itertools import accumulate
from typing import IO, Any, Final
from zlib import crc32

from whoosh.codec.whoosh3 import WHOOSH3_HEADER_MAGIC
from whoosh.util.numeric import length_to_byte

from gitmem.index.whoosh_files import Postings, swapped

BLOCK: Final = 1024
AS_TUPLE: Final = 24
_INLINE: Final = 4
"""Postings of up to so many documents lie in the table of terms."""
_PROTOCOL: Final = 4
_CRC32: Final = 1  # one of the hashes that the table may have; it says which
_BUCKETS: Final = 256
_SMALL: Final = 1 << 32

_INFO = struct.Struct("!BfIBBfII")
_PLACE = struct.Struct("!qi")
_SIZES = struct.Struct("!ii")
_INT = struct.Struct("!i")
_SLOT = struct.Struct("!Iq")
# ((document,), (1.0,), (impact,)) as a pickle: the numbers always in four bytes.
_ONE = (
    struct.Struct("<3si"),
    b"\x85G" + struct.pack(">d", 1.0) + b"\x85C\x04",
    b"\x85\x87.",
)


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
        self._positions: list[int] = []
        self._hashes: list[int] = []
        self._at = table.write(b"HSH3" + bytes([_CRC32]) + bytes(8))

    def add_field(
        self, name: str, terms: Iterable[tuple[bytes, Postings]], *, weighted: bool
    ) -> None:
        """Write the terms of a field: sorted, none without postings.

        Args:
            name: the field's; fields come in the order of the schema.
            terms: with where they occur.
            weighted: whether impacts are written, too.

        """
        number = self._fields[name] = len(self._fields)
        start = struct.pack("!H", number)
        write, at = self._table.write, self._at
        note_position, note_hash = self._positions.append, self._hashes.append
        sizes, info, one = _SIZES.pack, _INFO.pack, _ONE[0].pack
        short, long = self._short, self._long
        for term, found in terms:
            key = start + term
            documents = found.documents
            if weighted and len(documents) == 1:
                document = documents[0]
                data = (
                    info(1, 1.0, 1, short, long, 1.0, document, document)
                    + one(b"\x80\x04J", document)
                    + _ONE[1]
                    + found.impacts[0].to_bytes(4, "big")
                    + _ONE[2]
                )
            else:
                data = self._data(found, weighted=weighted)
            note_position(at)
            note_hash(crc32(key))
            at += write(sizes(len(key), len(data)) + key + data)
        self._at = at

    def _data(self, found: Postings, *, weighted: bool) -> bytes:
        documents, impacts = found
        count = len(documents)
        inline = count <= _INLINE
        values = swapped(array("I", impacts)).tobytes() if weighted else b""
        info = _INFO.pack(
            inline, float(count), count, self._short, self._long, 1.0, documents[0], documents[-1]
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
        blocks = [WHOOSH3_HEADER_MAGIC]
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
            taken: list[int | None] = [None] * slots
            for number in numbers:
                slot = (hashes[number] >> 8) % slots
                while taken[slot] is not None:
                    slot = (slot + 1) % slots
                taken[slot] = number
            flat: list[int] = []
            for occupant in taken:
                flat += (0, 0) if occupant is None else (hashes[occupant], positions[occupant])
            self._table.write(struct.pack("!" + "Iq" * slots, *flat))
        counts = [2 * len(numbers) for numbers in buckets]
        starts = accumulate((_SLOT.size * count for count in counts), initial=self._at)
        directory = b"".join(map(_PLACE.pack, starts, counts))
        kind = "I" if self._at < _SMALL else "q"
        extras = {"fieldmap": self._fields, "indextype": kind, "indexlen": len(positions)}
        places = swapped(array("I" if kind == "I" else "q", positions)).tobytes()
        end = pickle.dumps(extras, _PROTOCOL) + places
        self._table.write(directory + end + _INT.pack(len(end)))
