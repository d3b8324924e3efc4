"""Writes changed files into catalog and index, in pieces that are each consistent.

A piece is committed in the index first and in the catalog next. If the second does not come
about, the index is found to be ahead, and is made anew. What was committed is not read again
after an interruption.
"""

import os
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from gitmem.catalog.catalog import Catalog, CatalogChange, FileState
from gitmem.store.files import Store
from gitmem.store.listing import Stamp
from gitmem.sync import Progress
from gitmem.sync.difference import DIGEST, Difference
from gitmem.sync.record_reader import read_files
from gitmem.sync.record_vectors import EmbeddingBatches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.config import TeamRules
    from gitmem.index.document import Impacts
    from gitmem.index.whoosh_index import WhooshIndex
    from gitmem.sync.record_reader import ReadRecord
    from gitmem.sync.record_vectors import RecordVectors
    from gitmem.sync.workers import Piece, Workers

PIECE = 12_500
"""Files that one process reads for one commit: a segment of the index, 100 MB of memory."""
BATCH = 250
"""Files that are written into the catalog together."""
MANY = 800
"""Fewer files are read here before other processes have even started."""
_ENOUGH_TO_SHOW = 50


class Ingest:
    """Reads files of a store into a catalog and, if there is one, an index.

    Other processes may read and write in ``directory``, where derived state lies; empty: none
    does. Texts are embedded as they are read where there is a ``meaning``; other vectors fall
    behind.
    """

    def __init__(
        self,
        store: Store,
        team_rules: "TeamRules",
        catalog: Catalog,
        index: "WhooshIndex | None",
        directory: str,
        progress: Progress,
        meaning: "RecordVectors | None" = None,
    ) -> None:
        self.store = store
        self.meaning = meaning
        self.team_rules = team_rules
        self.catalog = catalog
        self.index = index
        self.parts = directory and os.path.join(directory, "parts")
        self.progress = progress

    def take(self, changes: Difference) -> None:
        """Take changed files in."""
        wanted = {**changes.read, **changes.recheck}
        states = self.catalog.states_of(wanted)
        gone = list(changes.gone.values())
        if len(wanted) >= MANY and self.parts:
            wanted = self._by_workers(wanted, states, gone)
            states = self.catalog.states_of(wanted)
        readings = read_files(
            self.store,
            wanted,
            self.team_rules,
            states,
            with_text=self.meaning is not None,
            with_document=self.index is not None,
        )
        done = 0
        while gone or done < len(wanted):
            self._piece(islice(readings, PIECE), states, gone, (done, len(wanted)))
            done += PIECE
            gone.clear()

    def _by_workers(
        self,
        wanted: dict[str, Stamp],
        states: dict[str, FileState],
        gone: list[int],
    ) -> dict[str, Stamp]:
        """Let other processes read; give what is left to be read here."""
        from gitmem.sync import workers

        job = workers.plan(
            self.store, self.team_rules, self.parts, wanted, states, self.catalog.last()
        )
        if self.meaning:
            job = job._replace(vocabulary=self.meaning.vocabulary)
        job = job._replace(indexed=self.index is not None)
        started = workers.start(job)
        if not started:
            return wanted
        left = dict(wanted)
        try:
            with closing(started):
                for piece in job.pieces:
                    self._piece_of(started, piece, states, gone, left, len(wanted))
        except workers.WorkerLost:
            pass  # limits, or a sandbox
        return left

    def _piece_of(
        self,
        started: "Workers",
        piece: "Piece",
        states: dict[str, FileState],
        gone: list[int],
        left: dict[str, Stamp],
        total: int,
    ) -> None:
        taken: list[int] = []
        dropped = list(gone)
        batches = EmbeddingBatches(self.meaning)
        read = total - len(left)
        with self.catalog.writing():
            self._begin(gone)
            if self.index is None:
                self.catalog.fall_behind()
            for at, batch in enumerate(piece):
                numbers = {file.path: file.number for file in batch}
                answer = started.read(at)
                changes = [(numbers[change.path], change) for change in answer.changes]
                for file, change in self._put(changes, states):
                    (taken if change.entry else dropped).append(file)
                batches.write(answer.vectors)
                read += len(batch)
                self.progress("reading", read, total)
            if self.index is not None:
                generation = self.index.adopt(started.directory, started.segments(), dropped)
                self.catalog.set_indexed(taken, dropped, generation)
            batches.note(self.catalog, taken)
        gone.clear()
        for batch in piece:
            for read_file in batch:
                del left[read_file.path]

    def _piece(
        self,
        readings: "Iterator[ReadRecord]",
        states: dict[str, FileState],
        gone: list[int],
        progress: tuple[int, int],
    ) -> None:
        done, total = progress
        taken: list[int] = []
        dropped = list(gone)
        batches = EmbeddingBatches(self.meaning)

        def take() -> "Iterator[tuple[int, Impacts]]":
            count = done
            last = self.catalog.last()
            while batch := list(islice(readings, BATCH)):
                changes: list[tuple[int, CatalogChange]] = []
                for number, (change, _, _) in enumerate(batch, last + 1):
                    state = states.get(change.path)
                    changes.append((state.file if state else number, change))
                last += len(batch)
                other = {change.path: file for file, change in self._put(changes, states)}
                for change, document, text in batch:
                    file = other.get(change.path)
                    if file and document is not None:
                        taken.append(file)
                        batches.add(file, change.digest, text)
                        yield file, document
                    elif file:
                        dropped.append(file)  # it holds no record any more, or nobody indexes it
                    count += 1
                    self._show(count, total)

        with self.catalog.writing():
            self._begin(gone)
            if self.index is None:
                self.catalog.fall_behind()
                for _ in take():
                    pass
            else:
                # The index asks for what it must drop after it has taken everything else.
                generation = self.index.update(take(), dropped)
                self.catalog.set_indexed(taken, dropped, generation)
            batches.note(self.catalog, taken)

    def _begin(self, gone: list[int]) -> None:
        self.catalog.set_meta(DIGEST, "")
        self.catalog.remove(gone)

    def _put(
        self, changes: list[tuple[int, CatalogChange]], states: dict[str, FileState]
    ) -> list[tuple[int, CatalogChange]]:
        """Write files into the catalog; give those whose content is another one."""
        same: list[tuple[int, CatalogChange]] = []
        other: list[tuple[int, CatalogChange]] = []
        for file, change in changes:
            state = states.get(change.path)
            is_same = state and change.digest and state.digest == change.digest
            (same if is_same else other).append((file, change))
        self.catalog.restamp(same)
        self.catalog.put(other)
        return other

    def _show(self, done: int, total: int) -> None:
        if done % _ENOUGH_TO_SHOW == 0 or done == total:
            self.progress("reading", done, total)

    def feed(self) -> None:
        """Take into the index what only the catalog has taken in so far."""
        if self.index is None:
            return
        new, gone = self.catalog.index_backlog()
        left = iter(new.items())
        complete = True
        while (piece := dict(islice(left, PIECE))) or gone:
            taken: list[int] = []
            batches = EmbeddingBatches(self.meaning)
            generation = self.index.update(self._documents(piece, taken, batches), gone)
            with self.catalog.writing():
                self.catalog.set_indexed(taken, gone, generation)
                batches.note(self.catalog, taken)
            complete = complete and len(taken) == len(piece)
            gone = []
        if complete:
            with self.catalog.writing():
                self.catalog.catch_up_index()

    def documents(self, files: dict[int, str]) -> "Iterator[tuple[int, Impacts]]":
        """Read what the index keeps of files that are in the catalog (number -> path)."""
        return self._documents(files, [], EmbeddingBatches(None))

    def embed(self, files: dict[int, str]) -> bool:
        """Make the vectors of files that are in the catalog; tell whether all have one now."""
        taken: list[int] = []
        batches = EmbeddingBatches(self.meaning)
        for _ in self._documents(files, taken, batches):
            pass
        with self.catalog.writing():
            batches.note(self.catalog, taken)
        return len(batches.written) == len(files)

    def _documents(
        self, files: dict[int, str], taken: list[int], batches: EmbeddingBatches
    ) -> "Iterator[tuple[int, Impacts]]":
        numbers = {path: file for file, path in files.items()}
        states = self.catalog.states_of(numbers)
        # The catalog has the true stamps; only the content is wanted.
        readings = read_files(
            self.store,
            dict.fromkeys(numbers, (0, 0, 0, 0)),
            self.team_rules,
            with_text=self.meaning is not None,
        )
        for done, (change, document, text) in enumerate(readings, 1):
            self.progress("indexing", done, len(files))
            # What changed since, the next catch-up takes: the index must not be ahead either.
            if document is not None and change.digest == states[change.path].digest:
                taken.append(numbers[change.path])
                batches.add(numbers[change.path], change.digest, text)
                yield numbers[change.path], document
