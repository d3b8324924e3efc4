"""Splits words into the numbered pieces of the word table (byte-pair encoding).

The vocabulary comes as JSON of two megabytes, which takes longer to read than a search may
last. It is written once into a sorted file that is looked up by bisection as it lies.

Pieces are numbered in the order in which they were learnt, so the pair to join next is the
one whose joint piece has the lowest number (Sennrich, Haddow, Birch 2016: "Neural Machine
Translation of Rare Words with Subword Units", section 3.2).
"""

import mmap
import os
import struct
import zlib
from itertools import pairwise
from typing import Final

_MAGIC: Final = b"gmpieces2\n\0\0"
_BLANK: Final = "\u2581"
"""Stands for the blank before a word."""
_FIRST_BYTE: Final = 3
"""Number of the piece for byte 0: a character without a piece is spelt in its UTF-8 bytes."""
_LONGEST: Final = 48
_REMEMBERED: Final = 50_000


class PiecesDamaged(Exception):  # noqa: N818  it names a state of the file
    """The file is not one that ``write`` made."""


def write(vocabulary: str, path: str) -> None:
    """Convert a tokenizer's JSON file to a file for ``Pieces``, written atomically."""
    import json  # noqa: PLC0415  only where the file is made

    with open(vocabulary, encoding="utf-8") as stream:
        numbers: dict[str, int] = json.load(stream)["model"]["vocab"]
    entries = sorted((piece.encode(), number) for piece, number in numbers.items())
    starts, at = [], 0
    for piece, _ in entries:
        starts.append(at)
        at += len(piece)
    count = len(entries)
    data = b"".join(
        (
            struct.pack("<II", count, at),
            struct.pack(f"<{count + 1}I", *starts, at),
            struct.pack(f"<{count}I", *(number for _, number in entries)),
            *(piece for piece, _ in entries),
        )
    )
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "wb") as temporary:
            temporary.write(_MAGIC + struct.pack("<I", zlib.crc32(data)) + data)
        os.replace(draft, path)
    except OSError:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise


class Pieces:
    """Looks words up in a file that ``write`` made.

    Raises:
        PiecesDamaged: the file is something else.
        OSError: it can't be read.

    """

    def __init__(self, path: str) -> None:
        head = len(_MAGIC) + 4
        with open(path, "rb") as stream:
            if os.fstat(stream.fileno()).st_size < head + 8:
                raise PiecesDamaged(path)
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        with memoryview(data)[head:] as rest:
            expected = _MAGIC + struct.pack("<I", zlib.crc32(rest))
        if data[:head] != expected:
            data.close()
            raise PiecesDamaged(path)
        count, length = struct.unpack_from("<II", data, head)
        begin = head + 8
        middle = begin + 4 * (count + 1)
        self._texts = middle + 4 * count
        if len(data) != self._texts + length:
            data.close()
            raise PiecesDamaged(path)
        view = memoryview(data)
        self._data = data
        self._count = count
        self._starts = view[begin:middle].cast("I")
        self._numbers = view[middle : self._texts].cast("I")
        self._pieces_of: dict[str, tuple[int, ...]] = {}

    def close(self) -> None:
        """Let go of the file."""
        self._starts.release()
        self._numbers.release()
        self._data.close()

    def find(self, piece: str) -> int:
        """Give the number of a piece, or -1."""
        wanted = piece.encode()
        low, high = 0, self._count
        data, starts, texts = self._data, self._starts, self._texts
        while low < high:
            middle = (low + high) // 2
            if data[texts + starts[middle] : texts + starts[middle + 1]] < wanted:
                low = middle + 1
            else:
                high = middle
        if low == self._count:
            return -1
        is_there = data[texts + starts[low] : texts + starts[low + 1]] == wanted
        return self._numbers[low] if is_there else -1

    def of(self, word: str) -> tuple[int, ...]:
        """Give the pieces of one word without blanks; of a very long one, of its head."""
        pieces = self._pieces_of.get(word)
        if pieces is None:
            if len(self._pieces_of) >= _REMEMBERED:
                self._pieces_of.clear()
            pieces = self._pieces_of[word] = self._split(word[:_LONGEST])
        return pieces

    def _split(self, word: str) -> tuple[int, ...]:
        parts = [_BLANK, *word]
        joined: dict[tuple[str, str], int] = {}
        while len(parts) > 1:
            best, position = -1, -1
            for at, pair in enumerate(pairwise(parts)):
                number = joined.get(pair)
                if number is None:
                    number = joined[pair] = self.find(pair[0] + pair[1])
                if number >= 0 and (best < 0 or number < best):
                    best, position = number, at
            if position < 0:
                break
            parts[position : position + 2] = [parts[position] + parts[position + 1]]
        numbers: list[int] = []
        for part in parts:
            number = self.find(part)
            if number >= 0:
                numbers.append(number)
            else:
                numbers.extend(byte + _FIRST_BYTE for byte in part.encode())
        return tuple(numbers)
