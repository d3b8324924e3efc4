"""Reads an index of Whoosh's third format without importing Whoosh.

Importing Whoosh costs more than a search (30 ms of its 50 go to ``urllib``), and its
readers make objects for every posting. The formats are small; they are described at
``whoosh.index.TOC``, ``whoosh.filedb.filetables`` and ``whoosh.codec.whoosh3``:

- ``_MAIN_<generation>.toc``: which segments there are, and their deleted documents;
- ``<segment>.trm``: a table from field number and term to the place of its postings, or to
  the postings themselves where they are few: entries in order, then hash tables of places;
- ``<segment>.pst``: postings in ``blocks`` of document numbers and values;
- ``<segment>.key.col``: our key of each document, 8 bytes each;
- ``<segment>.words``: ours alone: terms that a misspelt word may mean (see ``spelling``).

All numbers are big-endian. Our text field is field 1; a posting's value (Whoosh: its
frequency) is the impact that ``scoring`` defines.
"""

import copy
import os
import struct
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final, NamedTuple, Self
from zlib import crc32

from gitmem.index.blocks import Shell, blocks, loads, loads_all, unpacked
from gitmem.index.protocol import IndexDamaged
from gitmem.system import pread

NAME: Final = "MAIN"
TOC_VERSION: Final = -111
_ORDER: Final = -12345
KEY_FIELD: Final = "key"
TEXT_FIELD: Final = "text"
_TEXT_NUMBER: Final = b"\0\1"
_BUCKETS: Final = 256
_INFO = struct.Struct("!BfIBBfII")
_LENGTHS = struct.Struct("!ii")
_PLACE = struct.Struct("!qi")
_DIRECTORY = struct.Struct("!" + "qi" * _BUCKETS)
_SLOT = struct.Struct("!Iq")
_INT = struct.Struct("!i")
_FIRST_ENTRY: Final = 13  # behind the magic word, the kind of hash, and a place
_CRC32: Final = 1  # the kind of hash that we write
_GUESSED: Final = 192
"""Bytes of an entry that are read at once: more than nine of ten have."""
_SLOTS_READ: Final = 8
_SPARSE: Final = 16
"""Where fewer than one of so many documents are wanted, each is looked for."""
_EXTRAS: Final = 256
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
    """An open segment. Any kind of exception may come out of damaged files.

    What is needed is read, not mapped: a term takes two reads of 1 us. A page of a map that is
    touched brings its neighbours into memory with it, and at 100,000 records a question touches
    so many that its process had 156 MB.
    """

    def __init__(self, directory: str, info: SegmentInfo) -> None:
        self.info = info
        self._dead = sorted(info.deleted)
        self._path = path = os.path.join(directory, info.name)
        self.keys = read_keys(directory, info)
        self._terms = open(f"{path}.trm", "rb", buffering=0)  # noqa: SIM115  see close
        try:
            self._postings = open(f"{path}.pst", "rb", buffering=0)  # noqa: SIM115
        except OSError:
            self._terms.close()
            raise
        self._handle = self._terms.fileno()
        try:
            self._directory = self._read_directory()
        except BaseException:
            self.close()
            raise

    def _read_directory(self) -> tuple[int, ...]:
        """Give for each bucket the place of its hash table and the number of slots."""
        size = os.fstat(self._handle).st_size
        magic = pread(self._handle, 5, 0)
        (length,) = _INT.unpack(pread(self._handle, _INT.size, size - _INT.size))
        at = size - _INT.size - length
        if magic != b"HSH3" + bytes([_CRC32]) or length < 0 or at < _DIRECTORY.size:
            raise IndexDamaged(f"{self.info.name} has no table of terms")
        (extras,), _ = loads_all(pread(self._handle, min(length, _EXTRAS), at), 1)
        if extras["fieldmap"][TEXT_FIELD] != _TEXT_NUMBER[1]:
            raise IndexDamaged(f"{self.info.name} has other fields")
        start = at - _DIRECTORY.size
        return _DIRECTORY.unpack(pread(self._handle, _DIRECTORY.size, start))

    def close(self) -> None:
        """Close its files."""
        self._terms.close()
        self._postings.close()

    def seen_as(self, info: SegmentInfo) -> Self:
        """Give the same files with other deletions; closed with one of the two, they are closed."""
        other = copy.copy(self)
        other.info = info
        other._dead = sorted(info.deleted)  # noqa: SLF001  of the same class
        return other

    def find(self, term: str) -> bytes | None:
        """Give what the table of terms says of a term: how often it occurs, and where.

        Asked of the table's hashes, as Whoosh does: two reads. A binary search takes 17.
        """
        key = _TEXT_NUMBER + term.encode()
        hashed = crc32(key)
        at, slots = self._directory[(hashed & 255) * 2 : (hashed & 255) * 2 + 2]
        if not slots:
            return None
        slot = (hashed >> 8) % slots
        for _ in range(slots // _SLOTS_READ + 2):
            count = min(_SLOTS_READ, slots - slot)
            data = pread(self._handle, count * _SLOT.size, at + slot * _SLOT.size)
            for hash_in_slot, position in _SLOT.iter_unpack(data):
                if not position:
                    return None
                if hash_in_slot == hashed and (entry := self._entry(position, key)) is not None:
                    return entry
            slot = (slot + count) % slots
        raise IndexDamaged(f"{self.info.name} has a broken table of terms")

    def _entry(self, position: int, key: bytes) -> bytes | None:
        data = pread(self._handle, _GUESSED, position)
        size, more = _LENGTHS.unpack_from(data)
        if size != len(key):
            return None
        start, end = 8 + size, 8 + size + more
        if end > len(data):
            data = pread(self._handle, end, position)
        return data[start:end] if data[8:start] == key else None

    def frequency(self, entry: bytes) -> int:
        """Count the documents, deleted ones too, that have a term."""
        return int(_INFO.unpack_from(entry)[2])

    def highest(self, entry: bytes) -> int | None:
        """Give the highest impact of a term, if the table says so."""
        flags, *_, highest, _, _ = _INFO.unpack_from(entry)
        return None if flags else int(highest)

    def living(self, entry: bytes) -> int:
        """Count the documents that have a term, deleted ones left out.

        Only blocks are unpacked in which a deleted one may be.
        """
        flags, _, count, *_, first, last = _INFO.unpack_from(entry)
        dead = self._dead
        at = bisect_left(dead, first) if dead else 0
        if at == len(dead) or dead[at] > last:
            return int(count)
        if flags:
            documents, _, _ = loads(entry[_INFO.size :])
            return int(count) - len(self.info.deleted.intersection(documents))
        gone = 0
        for block in blocks(self._list(entry)):
            if at < len(dead) and dead[at] <= block.last:
                documents, _ = unpacked(block)
                gone += len(self.info.deleted.intersection(documents))
                at = bisect_left(dead, block.last + 1, at)
        return int(count) - gone

    def postings(self, entry: bytes) -> Postings:
        """Read where a term occurs, deleted documents left out."""
        flags, _, count, *_ = _INFO.unpack_from(entry)
        impacts = array("I")
        documents: list[int]
        if flags:
            found_documents, _, values = loads(entry[_INFO.size :])
            documents = list(found_documents)
            impacts.frombytes(b"".join(values))
        else:
            documents = []
            for block in blocks(self._list(entry)):
                block_documents, packed = unpacked(block)
                documents += block_documents
                impacts.frombytes(packed)
        swapped(impacts)
        if not len(documents) == len(impacts) == count or documents[-1] >= self.info.documents:
            raise IndexDamaged(f"{self.info.name} has broken postings")
        if self.info.deleted and not self.info.deleted.isdisjoint(documents):
            return _without(documents, impacts, self.info.deleted)
        return Postings(documents, impacts)

    def impacts(self, entry: bytes, wanted: Sequence[int]) -> tuple[list[int], list[int]]:
        """Give those of ``wanted`` (living documents, rising) that have a term, with its impacts.

        Only blocks are unpacked in which one may be.
        """
        flags, *_, first, last = _INFO.unpack_from(entry)
        low, end = bisect_left(wanted, first), bisect_right(wanted, last)
        if low == end:
            return [], []
        if flags:
            documents, _, values = loads(entry[_INFO.size :])
            return among(documents, [int.from_bytes(value, "big") for value in values], wanted)
        wanted_impacts: list[int] = []
        impacts: list[int] = []
        for block in blocks(self._list(entry)):
            high = bisect_right(wanted, block.last, low, end)
            if low < high:
                documents, packed = unpacked(block)
                values = swapped(array("I", packed))
                block_documents, of_them = among(documents, values, wanted[low:high])
                wanted_impacts += block_documents
                impacts += of_them
                if high == end:
                    break
                low = high
        return wanted_impacts, impacts

    def _list(self, entry: bytes) -> bytes:
        offset, length = _PLACE.unpack_from(entry, _INFO.size)
        return pread(self._postings.fileno(), length, offset)

    def words(self) -> str:
        """Give the terms among which ``spelling.among`` looks."""
        with open(f"{self._path}.words", encoding="utf-8", newline="\n") as stream:
            return stream.read()

    def entries(self) -> Iterator[tuple[str, bytes]]:
        """Give all terms, sorted, with what ``find`` gives of them."""
        data = pread(self._handle, self._directory[0] - _FIRST_ENTRY, _FIRST_ENTRY)
        at = 0
        while at < len(data):
            size, more = _LENGTHS.unpack_from(data, at)
            start, end = at + _LENGTHS.size, at + _LENGTHS.size + size
            at = end + more
            if min(size, more) < 0 or at > len(data):
                raise IndexDamaged(f"{self.info.name} has a broken table of terms")
            if data.startswith(_TEXT_NUMBER, start):
                yield data[start + 2 : end].decode(), data[end:at]


def among(
    documents: Sequence[int], impacts: Sequence[int], wanted: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Give those documents that are wanted, with their impacts; all rise."""
    if len(wanted) * _SPARSE > len(documents):
        both = sorted(frozenset(wanted).intersection(documents))
        return both, [impacts[bisect_left(documents, document)] for document in both]
    found_documents: list[int] = []
    of_them: list[int] = []
    for document in wanted:
        at = bisect_left(documents, document)
        if at < len(documents) and documents[at] == document:
            found_documents.append(document)
            of_them.append(impacts[at])
    return found_documents, of_them


def _without(documents: list[int], impacts: "array[int]", deleted: frozenset[int]) -> Postings:
    living = [document not in deleted for document in documents]
    return Postings(list(compress(documents, living)), array("I", compress(impacts, living)))
