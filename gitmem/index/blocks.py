"""Posting lists as they are stored: blocks of document numbers and impacts.

A list is a magic word and blocks. A block is its size (negative: the last one) and two pickles,
``(count, last document, highest weight, 0, shortest, longest)`` and ``(gaps, None, values)``;
see ``whoosh.codec.whoosh3.W3PostingsWriter._write_block``. Gaps are a tuple where they are
few, otherwise an array.

The pickle of an array has one form only, so its bytes are cut out at their place: 1 us a block
instead of 6.5. Whatever looks otherwise goes to the unpickler, which tells if it is nonsense.
"""

import array
import io
import struct
from collections.abc import Iterator
from itertools import accumulate
from pickle import Unpickler, UnpicklingError
from typing import Any, Final, NamedTuple

from gitmem.index.protocol import IndexDamaged


class Shell:
    """Stands for an object of a class that is not loaded: its attributes and nothing else."""

    def __init__(self, *args: object) -> None:
        self.args = args


# How arrays are pickled; it takes a type code and bytes and checks both.
_RECONSTRUCT_ARRAY: Final = getattr(array, "_array_reconstructor")  # noqa: B009  not in the stubs
_KNOWN: Final[dict[tuple[str, str], Any]] = {
    ("whoosh.codec.whoosh3", "W3Segment"): Shell,
    ("whoosh.codec.whoosh3", "W3Codec"): Shell,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
    ("array", "array"): array.array,
    ("array", "_array_reconstructor"): _RECONSTRUCT_ARRAY,
}


class _Unpickler(Unpickler):
    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401
        try:
            return _KNOWN[module, name]
        except KeyError:
            raise UnpicklingError(f"{module}.{name} has no place in an index") from None


def loads(data: bytes) -> Any:  # noqa: ANN401
    """Give the value that is pickled at the start of ``data``."""
    return _Unpickler(io.BytesIO(data)).load()


def loads_all(data: bytes, count: int) -> tuple[list[Any], int]:
    """Give ``count`` values that are pickled one behind the other, and where they end."""
    # Buffered, so that the unpickler looks ahead instead of reading byte by byte.
    stream: Any = io.BytesIO(data)
    stream = io.BufferedReader(stream)
    return [_Unpickler(stream).load() for _ in range(count)], stream.tell()


_INT = struct.Struct("!i")
_FRAME = struct.Struct("<2xBQ")
_START: Final = 11  # of what a pickle holds: behind protocol and length
_SHORT_BYTES: Final = b"C"
_ARRAY: Final = (
    b"\x8c\x05array\x94\x8c\x14_array_reconstructor\x94\x93\x94"
    b"(\x8c\x05array\x94\x8c\x05array\x94\x93\x94\x8c\x01"
)
_KIND_AT: Final = _START + len(_ARRAY)
_SIZE_AT: Final = _KIND_AT + 4  # behind the letter, its memo, and the format's number
_FORMATS: Final = {b"H\x94K\x02": ("H", 2), b"I\x94K\x06": ("I", 4)}  # little-endian ones
_TAIL: Final = b"\x94\x87\x94."
_NUMBER_SIZES: Final = {ord("K"): 1, ord("M"): 2, ord("J"): 4}


class PostingBlock(NamedTuple):
    """Some postings of a list, still packed: how many, the last document, the bytes."""

    size: int
    last: int
    data: bytes


def blocks(data: bytes) -> Iterator[PostingBlock]:
    """Split a posting list."""
    if data[:4] != b"W3Bl":
        raise IndexDamaged("there are no postings where they should be")
    at = 4
    size = 1
    while size > 0:
        (size,) = _INT.unpack_from(data, at)
        at += _INT.size
        block = data[at : at + abs(size)]
        at += abs(size)
        count, behind = _number(block, _START + 1)
        last, _ = _number(block, behind)
        yield PostingBlock(count, last, block)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Read a number that is not below 0 out of a pickle; give where it ends, too."""
    size = _NUMBER_SIZES[data[at]]
    return int.from_bytes(data[at + 1 : at + 1 + size], "little"), at + 1 + size


def unpacked(block: PostingBlock) -> tuple[list[int], bytes]:
    """Give the documents of a block, and their impacts as big-endian numbers of four bytes."""
    count, last, data = block
    start = _START + _FRAME.unpack_from(data)[1]  # of the second pickle
    kind = _FORMATS.get(data[start + _KIND_AT : start + _SIZE_AT])
    if kind is None or data[start + _START : start + _KIND_AT] != _ARRAY or data[-4:] != _TAIL:
        gaps, _, values = loads(data[start:])
    else:
        size = kind[1] * count
        at = start + _SIZE_AT
        at += 2 if data[at : at + 1] == _SHORT_BYTES else 5
        gaps = array.array(kind[0], data[at : at + size])
        values = data[-4 - 4 * count : -4]
    documents = list(accumulate(gaps))  # Whoosh starts each block's gaps at 0
    if len(documents) != count or documents[-1] != last:
        raise IndexDamaged("a block of postings is broken")
    return documents, values
