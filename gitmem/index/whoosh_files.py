"""Reading an index of Whoosh's third format, without importing Whoosh.

Importing Whoosh costs more than a search (30 ms of its 50 go to ``urllib``), and its
readers make objects for every posting. The formats are small; they are described at
``whoosh.index.TOC``, ``whoosh.filedb.filetables`` and ``whoosh.codec.whoosh3``:

- ``_MAIN_<generation>.toc``: which segments there are, and their deleted documents;
- ``<segment>.trm``: an ordered table from field number and term to the place of its
  postings, or to the postings themselves where they are few;
- ``<segment>.pst``: postings in blocks of document numbers and values;
- ``<segment>.key.col``: our key of each document, 8 bytes each.

All numbers are big-endian. Our text field is field 1; a posting's value (Whoosh: its
frequency) is the impact that ``scoring`` defines.
"""

import copy
import mmap
import os
import struct
import sys
from array import array
from itertools import accumulate
from typing import Final, NamedTuple, Self

from gitmem.index.plain_pickle import Shell, loads, loads_all
from gitmem.index.protocol import IndexDamaged

NAME: Final = "MAIN"
TOC_VERSION: Final = -111
_ORDER: Final = -12345
KEY_FIELD: Final = "key"
TEXT_FIELD: Final = "text"
_TEXT_NUMBER: Final = b"\0\1"
_DIRECTORY_SIZE: Final = 256 * 12
_INFO = struct.Struct("!BfIBBfII")
_LENGTHS = struct.Struct("!ii")
_TABLE = struct.Struct("!qi")
_PLACE = struct.Struct("!qi")
_INT = struct.Struct("!i")
_SWAPPED: Final = sys.byteorder == "little"


class SegmentInfo(NamedTuple):
    """A segment as the table of contents names it."""

    id: str
    documents: int
    deleted: frozenset[int]
    length: int

    @property
    def name(self) -> str:
        """The start of the names of its files."""
        return f"{NAME}_{self.id}"


class Postings(NamedTuple):
    """Where a term occurs: document numbers, rising, and the impact in each."""

    documents: list[int]
    impacts: "array[int]"


def toc_name(generation: int) -> str:
    """Name the table of contents of a generation."""
    return f"_{NAME}_{generation}.toc"


def latest_generation(directory: str) -> int:
    """Find the last generation that was committed; -1 if there is none."""
    best = -1
    start, end = toc_name(0).split("0")
    try:
        names = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return best
    for name in names:
        number = name.removeprefix(start).removesuffix(end)
        if name.startswith(start) and name.endswith(end) and number.isdecimal():
            best = max(best, int(number))
    return best


def read_toc(data: bytes) -> list[SegmentInfo]:
    """Read a table of contents; any kind of exception if it is none."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:  # noqa: PLR2004  the last one has no top bit
                return value

    sizes = [varint() for _ in range(3)]
    order, version = struct.unpack_from("!ii", data, at)
    at += 8
    if sizes != [4, 8, 4] or order != _ORDER or version != TOC_VERSION:
        raise IndexDamaged(f"its format ({version}) is not known")
    for _ in range(3):
        varint()  # Whoosh's own version
    schema_size = varint()
    at += schema_size + 8  # the schema, the generation, a spare number
    return [_segment(shell) for shell in loads(data[at:])]


def _segment(shell: Shell) -> SegmentInfo:
    state = vars(shell)
    lengths = state.get("_fieldlengths", {})
    return SegmentInfo(
        state["segid"],
        state["_doccount"],
        frozenset(state["_deleted"] or ()),
        lengths[TEXT_FIELD],
    )


def swapped(numbers: "array[int]") -> "array[int]":
    """Turn numbers of the machine's byte order into big-endian ones, or back, in place."""
    if _SWAPPED:
        numbers.byteswap()
    return numbers


def read_keys(directory: str, info: SegmentInfo) -> "array[int]":
    """Read the key of each document of a segment."""
    with open(os.path.join(directory, f"{info.name}.{KEY_FIELD}.col"), "rb") as stream:
        keys = array("Q", stream.read())
    if len(keys) != info.documents:
        raise IndexDamaged(f"{info.name} has {len(keys)} keys")
    return swapped(keys)


class Segment:
    """An open segment. Any kind of exception may come out of damaged files."""

    def __init__(self, directory: str, info: SegmentInfo) -> None:
        self.info = info
        path = os.path.join(directory, info.name)
        self.keys = read_keys(directory, info)
        self._terms = _mapped(f"{path}.trm")
        self._postings = _mapped(f"{path}.pst")
        self._lexicon: list[str] | None = None
        terms = self._terms
        if terms[:4] != b"HSH3":
            raise IndexDamaged(f"{info.name} has no table of terms")
        end = len(terms) - _INT.size
        extras_at = end - _INT.unpack_from(terms, end)[0]
        (extras,), size = loads_all(terms[extras_at:end], 1)
        self._end: int = _TABLE.unpack_from(terms, extras_at - _DIRECTORY_SIZE)[0]
        self._count: int = extras["indexlen"]
        self._position = struct.Struct(f"!{extras['indextype']}")
        self._index_at = extras_at + size

    def close(self) -> None:
        """Close its files."""
        for part in (self._terms, self._postings):
            if isinstance(part, mmap.mmap):
                part.close()

    def seen_as(self, info: SegmentInfo) -> Self:
        """Give the same files with other deletions. Not to be closed."""
        other = copy.copy(self)
        other.info = info
        return other

    def _key_at(self, position: int) -> bytes:
        size, _ = _LENGTHS.unpack_from(self._terms, position)
        return self._terms[position + 8 : position + 8 + size]

    def find(self, term: str) -> int | None:
        """Give the place of a term's data."""
        key = _TEXT_NUMBER + term.encode()
        terms, unpack, base, width = (
            self._terms, self._position.unpack_from, self._index_at, self._position.size
        )  # fmt: skip
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            position = unpack(terms, base + middle * width)[0]
            found = self._key_at(position)
            if found < key:
                low = middle + 1
            elif found == key:
                return int(position + 8 + len(key))
            else:
                high = middle
        return None

    def frequency(self, place: int) -> int:
        """Count the documents, deleted ones too, that have the term at ``place``."""
        return int(_INFO.unpack_from(self._terms, place)[2])

    def postings(self, place: int) -> Postings:
        """Read where the term at ``place`` occurs, deleted documents left out."""
        flags, _, count, *_ = _INFO.unpack_from(self._terms, place)
        place += _INFO.size
        impacts = array("I")
        if flags:
            documents, _, values = loads(self._terms[place : place + 64 + 32 * count])
            documents = list(documents)
            impacts.frombytes(b"".join(values))
        else:
            documents = []
            for ids, values in self._blocks(*_PLACE.unpack_from(self._terms, place)):
                documents += ids
                impacts.frombytes(values)
        swapped(impacts)
        if not len(documents) == len(impacts) == count or documents[-1] >= self.info.documents:
            raise IndexDamaged(f"{self.info.name} has broken postings")
        if self.info.deleted and not self.info.deleted.isdisjoint(documents):
            return _without(documents, impacts, self.info.deleted)
        return Postings(documents, impacts)

    def _blocks(self, offset: int, length: int) -> list[tuple[list[int], bytes]]:
        data = self._postings[offset : offset + length]
        if data[:4] != b"W3Bl":
            raise IndexDamaged(f"{self.info.name} has no postings where they should be")
        at = 4
        last = False
        blocks = []
        while not last:
            size = _INT.unpack_from(data, at)[0]
            last = size < 0
            at += _INT.size
            block = data[at : at + abs(size)]
            at += abs(size)
            (_, (gaps, _, values)), _ = loads_all(block, 2)
            # Whoosh starts each block's gaps at 0.
            blocks.append((list(accumulate(gaps)), values))
        return blocks

    def lexicon(self) -> list[str]:
        """Give all terms, sorted."""
        if self._lexicon is None:
            terms, unpack = self._terms, _LENGTHS.unpack_from
            found = []
            at = self._position.unpack_from(terms, self._index_at)[0] if self._count else self._end
            while at < self._end:
                size, more = unpack(terms, at)
                if terms[at + 8 : at + 10] == _TEXT_NUMBER:
                    found.append(terms[at + 10 : at + 8 + size].decode())
                at += 8 + size + more
            self._lexicon = found
        return self._lexicon


def _mapped(path: str) -> mmap.mmap | bytes:
    with open(path, "rb") as stream:
        if not os.fstat(stream.fileno()).st_size:
            return b""  # no postings but those in the table of terms; can't be mapped
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _without(documents: list[int], impacts: "array[int]", deleted: frozenset[int]) -> Postings:
    kept = [at for at, document in enumerate(documents) if document not in deleted]
    return Postings([documents[at] for at in kept], array("I", [impacts[at] for at in kept]))
