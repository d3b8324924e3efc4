"""Updates an index on disk: new segments are written beside the old ones, then one rename.

Nothing that a reader has open is touched. Files are written first, the list of files next,
and the table of contents last, by a rename: an update that is cut short leaves the former
generation as it was, and some files that the next update removes.
"""

import gc
import heapq
import os
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, count, groupby
from operator import itemgetter
from typing import Final, Self

from gitmem.index import manifest
from gitmem.index.document import Document, Impacts
from gitmem.index.protocol import IndexDamaged
from gitmem.index.scoring import impacts
from gitmem.index.term_table import occurrence, once
from gitmem.index.whoosh_files import (
    NAME,
    Postings,
    Segment,
    SegmentInfo,
    latest_generation,
    read_keys,
    toc_name,
)
from gitmem.index.whoosh_toc import toc
from gitmem.index.whoosh_writer import lengths, write_segment

TOGETHER: Final = 8
"""So many segments of about a size are joined: sizes grow by this factor."""
MOST_JOINED: Final = 4_096
"""No more living documents are joined in one update: 270 ms were measured for 512 of them."""
MAX_POSTINGS: Final = 8_000_000
"""A new segment is written when it has so many postings (80 MB of memory)."""

_OURS = re.compile(
    rf"(?:_{NAME}_[0-9]+\.toc|{NAME}_[0-9a-z]+\.[A-Za-z0-9_.]+|gitmem_[0-9]+\.files|gitmem\.toc\.new)\Z"
)
_NEW_TOC: Final = "gitmem.toc.new"


def is_ours(name: str) -> bool:
    """Tell whether a file in an index's folder belongs to it."""
    return _OURS.match(name) is not None


class _Growing:
    """A segment in memory."""

    def __init__(self) -> None:
        self.keys = array("Q")
        self.lengths = array("I")
        self.size = 0
        # Documents and impacts in turn; of a term that occurs once, as most do, one number.
        self._terms: dict[str, int | array[int]] = {}

    def add(self, key: int, impact: dict[str, int]) -> None:
        number = len(self.keys)
        self.keys.append(key)
        self.lengths.append(len(impact))
        self.size += len(impact)
        terms, get = self._terms, self._terms.get
        first = once(number, 0)
        for term, value in impact.items():
            occurrences = get(term)
            if occurrences is None:
                terms[term] = first + value
            elif isinstance(occurrences, int):
                terms[term] = array("I", (*occurrence(occurrences), number, value))
            else:
                occurrences.append(number)
                occurrences.append(value)

    def postings(self) -> Iterator[tuple[str, Postings | int]]:
        terms = self._terms
        for term in sorted(terms):
            occurrences = terms[term]
            if isinstance(occurrences, int):
                yield term, occurrences
            else:
                yield term, Postings(occurrences[::2].tolist(), occurrences[1::2])

    def write(self, directory: str) -> SegmentInfo:
        return write_segment(directory, self.keys, self.lengths, self.postings())


class SegmentBuilder:
    """Makes segments that belong to no index yet; ``Update.adopt`` takes them in.

    Args:
        directory: where their files go, on the file system of the index.

    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._growing = _Growing()
        self._written: list[SegmentInfo] = []

    def add(self, key: int, document: Document | Impacts) -> None:
        """Take a document in. No key may come twice."""
        if self._growing.size >= MAX_POSTINGS:
            self._flush()
        self._growing.add(key, impacts(document))

    def _flush(self) -> None:
        if self._growing.keys:
            self._written.append(self._growing.write(self._directory))
            self._growing = _Growing()

    def finish(self) -> list[SegmentInfo]:
        """Write what was added; give the segments."""
        self._flush()
        return self._written


class Update:
    """One update: ``put`` documents, then ``commit``. Used in a ``with`` block.

    Args:
        directory: the index's folder; it is made if it is missing.
        segments: those of the generation that is open.
        number: that generation, -1 if there is none.
        known: the list of its files.

    """

    def __init__(
        self,
        directory: str,
        segments: Sequence[Segment],
        number: int,
        entries: Mapping[str, manifest.ManifestEntry],
    ) -> None:
        self._entries = entries
        self._directory = directory
        self._old = segments
        self._number = number
        self._growing = _Growing()
        self._written: list[SegmentInfo] = []
        self._last: dict[int, tuple[int, int]] = {}
        self._dead: dict[int, set[int]] = {}
        self._committed = False
        self._collecting = gc.isenabled()

    def __enter__(self) -> Self:
        os.makedirs(self._directory, exist_ok=True)
        gc.disable()  # a build makes no cycles, and looking for them doubles its time
        return self

    def __exit__(self, *_: object) -> None:
        if self._collecting:
            gc.enable()
        if not self._committed:
            for info in self._written:
                self._remove(name for name in self._files() if name.startswith(f"{info.name}."))

    def put(self, key: int, document: Document | Impacts) -> None:
        """Take a document in."""
        if self._growing.size >= MAX_POSTINGS:
            self._flush()
        self._forget(key)
        self._last[key] = (len(self._written), len(self._growing.keys))
        self._growing.add(key, impacts(document))

    def adopt(self, directory: str, segments: Iterable[SegmentInfo]) -> None:
        """Take in segments that were built in another folder, with new keys."""
        self._flush()
        names = os.listdir(directory)
        for info in segments:
            for name in names:
                if name.startswith(f"{info.name}."):
                    os.replace(os.path.join(directory, name), os.path.join(self._directory, name))
            keys = read_keys(self._directory, info)
            for document, key in enumerate(keys):
                self._forget(key)
                self._last[key] = (len(self._written), document)
            self._written.append(info)

    def _forget(self, key: int) -> None:
        if key in self._last:
            segment, document = self._last[key]
            self._dead.setdefault(segment, set()).add(document)

    def _flush(self) -> None:
        growing = self._growing
        if growing.keys:
            self._written.append(growing.write(self._directory))
            self._growing = _Growing()

    def commit(self, deletes: Iterable[int]) -> bool:
        """Make what was put, and the deletions, the next generation; False if none is due."""
        if latest_generation(self._directory) != self._number:
            raise IndexDamaged("somebody else changed it meanwhile")
        gone = {*deletes, *self._last}
        old = [(segment, _deleted(segment, gone)) for segment in self._old]
        if not self._last and all(deleted == s.info.deleted for s, deleted in old):
            return False
        self._flush()
        remaining = [
            (segment, segment.info._replace(deleted=deleted))
            for segment, deleted in old
            if len(deleted) < segment.info.documents
        ]
        new = [
            info._replace(deleted=frozenset(self._dead.get(at, ())))
            for at, info in enumerate(self._written)
        ]
        self._publish(self._merged(remaining, new), self._number + 1)
        return True

    def _merged(
        self, remaining: list[tuple[Segment, SegmentInfo]], new: list[SegmentInfo]
    ) -> list[SegmentInfo]:
        """Join some small old segments where there are too many of a size."""
        joined = to_join([info for _, info in remaining])
        if not joined:
            return [*(info for _, info in remaining), *new]
        merged = _merge(
            self._directory,
            [segment.seen_as(info) for segment, info in remaining if info.id in joined],
        )
        self._written.append(merged)
        return [*(info for _, info in remaining if info.id not in joined), merged, *new]

    def _publish(self, segments: list[SegmentInfo], number: int) -> None:
        data = toc(number, segments)
        names = {info.name for info in segments}
        noted = self._entries
        own_files = [name for name in self._files() if name.partition(".")[0] in names]
        entries = {name: noted[name] for name in own_files if name in noted}
        entries |= manifest.take(self._directory, (name for name in own_files if name not in noted))
        manifest.write(self._directory, number, data, entries)
        new = os.path.join(self._directory, _NEW_TOC)
        with open(new, "wb") as stream:
            stream.write(data)
        os.replace(new, os.path.join(self._directory, toc_name(number)))
        self._committed = True
        current = {*own_files, toc_name(number), manifest.name(number)}
        self._remove(name for name in self._files() if name not in current)

    def _files(self) -> list[str]:
        return [name for name in os.listdir(self._directory) if is_ours(name)]

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            os.unlink(os.path.join(self._directory, name))


def to_join(segments: Sequence[SegmentInfo]) -> set[str]:
    """Choose segments to be joined, by id; often none.

    ``TOGETHER`` of one order of magnitude become one of the next, as in a number that is
    counted up: a document is written again once for each order, and of each order there are few.
    A segment of which most was deleted is rewritten.
    """
    sizes: dict[int, list[SegmentInfo]] = {}
    for info in segments:
        living = info.documents - len(info.deleted)
        if living < len(info.deleted) and living <= MOST_JOINED:
            return {info.id}
        order = 0
        while living >= TOGETHER:
            living //= TOGETHER
            order += 1
        sizes.setdefault(order, []).append(info)
    for _, alike in sorted(sizes.items()):
        smallest = sorted(alike, key=lambda info: info.documents - len(info.deleted))[:TOGETHER]
        documents = sum(info.documents - len(info.deleted) for info in smallest)
        if len(smallest) == TOGETHER and documents <= MOST_JOINED:
            return {info.id for info in smallest}
    return set()


def _deleted(segment: Segment, gone: set[int]) -> frozenset[int]:
    if gone.isdisjoint(segment.keys):  # as of most, after few changes: found out twice as fast
        return segment.info.deleted
    deleted = frozenset(compress(count(), map(gone.__contains__, segment.keys)))
    return segment.info.deleted | deleted if deleted else segment.info.deleted


def _merge(directory: str, segments: Sequence[Segment]) -> SegmentInfo:
    """Write the living documents of several segments into one."""
    keys = array("Q")
    sizes = array("I")
    numbers: list[dict[int, int]] = []
    for segment in segments:
        living = [at for at in range(segment.info.documents) if at not in segment.info.deleted]
        numbers.append({old: len(keys) + new for new, old in enumerate(living)})
        keys.extend(segment.keys[at] for at in living)
        sizes_before = lengths(directory, segment.info)
        sizes.extend(sizes_before[at] for at in living)

    def entries(source: int) -> Iterator[tuple[str, int, bytes]]:
        return ((term, source, entry) for term, entry in segments[source].entries())

    def terms() -> Iterator[tuple[str, Postings | int]]:
        merged_entries = heapq.merge(*map(entries, range(len(segments))))
        for term, sources in groupby(merged_entries, key=itemgetter(0)):
            documents: list[int] = []
            values = array("I")
            for _, source, entry in sources:
                postings = segments[source].postings(entry)
                documents += map(numbers[source].__getitem__, postings.documents)
                values += postings.impacts
            if len(documents) == 1:
                yield term, once(documents[0], values[0])
            elif documents:
                yield term, Postings(documents, values)

    return write_segment(directory, keys, sizes, terms())
