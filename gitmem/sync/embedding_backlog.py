"""Makes missing vectors, a few at a time, so that nobody waits long."""

import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import Final

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.vector_rows import BESIDE
from gitmem.errors import ConflictError
from gitmem.semantic.protocol import VectorRow, VectorsDamaged
from gitmem.store.files import Store
from gitmem.sync import Progress, quiet
from gitmem.sync.ingest import Ingest
from gitmem.sync.record_reader import read_files
from gitmem.sync.record_vectors import BATCH, RecordVectors, TextToEmbed
from gitmem.system import LockUnavailable

PIECE: Final = 1_000
_SLOW_PIECE: Final = 64
_FEW: Final = 32
"""Records whose vectors are lost if making them is interrupted: a few seconds of work."""
_ATTEMPTS: Final = 2


def embed_backlog(
    meaning: RecordVectors,
    catalog: Catalog,
    ingest: Ingest,
    locked: Callable[[], AbstractContextManager[None]],
) -> None:
    """Make missing vectors, unless another process writes them.

    Args:
        meaning: the vectors.
        catalog: the catalog, which is in step with the files.
        ingest: reads files for them.
        locked: excludes other writers, without waiting.

    """
    ingest.meaning = meaning
    for _ in range(_ATTEMPTS):
        if meaning.in_step(catalog):
            return
        try:
            _embed(meaning, catalog, ingest, locked)
        except LockUnavailable:
            return  # who has it makes vectors, too, or the next question does
        except VectorsDamaged:
            with locked():
                meaning.mend(catalog)


def make_alone(
    meaning: RecordVectors,
    catalog: Catalog,
    store: Store,
    locked: Callable[[], AbstractContextManager[None]],
    alone: AbstractContextManager[None],
    seconds: float,
    progress: Progress,
) -> bool:
    """Make missing vectors that take long, as ``make_vectors`` does, unless another process does.

    Raises:
        ConflictError: another one does, or writes all the time.

    """
    try:
        with alone:
            return make_vectors(meaning, catalog, store, locked, seconds, progress)
    except LockUnavailable:
        raise ConflictError(
            "another process is computing vectors", "it continues in the background"
        ) from None


def make_vectors(
    meaning: RecordVectors,
    catalog: Catalog,
    store: Store,
    locked: Callable[[], AbstractContextManager[None]],
    seconds: float = math.inf,
    progress: Progress = quiet,
) -> bool:
    """Make missing vectors that take long, the newest records first; tell whether all are there.

    Others may read and write meanwhile: the lock is held only while some vectors are written.
    What was made stays if this is interrupted.

    Args:
        meaning: the vectors.
        catalog: the catalog, which is in step with the files.
        store: the files.
        locked: excludes other writers; waits for them.
        seconds: after which no more are begun.
        progress: told how it goes.

    Raises:
        LockUnavailable: another process has written all the time.

    """
    end = time.monotonic() + seconds
    with locked():
        if not meaning.prepare(catalog):
            return False
        meaning.mend(catalog)
        backlog = catalog.vector_backlog(meaning.of)
    left = iter(backlog.items())
    done = 0
    while time.monotonic() < end and (piece := dict(islice(left, _FEW))):
        _embed_piece(meaning, catalog, store, piece, locked)
        done += len(piece)
        progress("computing vectors", done, len(backlog))
        if meaning.embedder() is None:
            return False  # it failed, and that was told
    with locked(), catalog.writing():
        complete = not catalog.vector_backlog(meaning.of)
        if complete:
            catalog.vectors_catch_up(meaning.of)
    return complete


def _embed_piece(
    meaning: RecordVectors,
    catalog: Catalog,
    store: Store,
    piece: Mapping[int, str],
    locked: Callable[[], AbstractContextManager[None]],
) -> None:
    """Embed some files; keep the vectors of those that have not changed meanwhile."""
    stamps = dict.fromkeys(piece.values(), (0, 0, 0, 0))
    readings = [r for r in read_files(store, stamps, with_text=True) if r.text is not None]
    embeddings = meaning.embedded([reading.text for reading in readings if reading.text])
    files = {path: file for file, path in piece.items()}
    with locked():
        states = catalog.states_of(stamps)
        rows = []
        for (change, _, text), embedding in zip(readings, embeddings, strict=False):
            state = states.get(change.path)
            if (
                text
                and state
                and state.digest == change.digest
                and state.file == files[change.path]
            ):
                rows.append(VectorRow(state.file, state.digest, text.manner, embedding))
        with catalog.writing():
            catalog.set_vectors(meaning.write(rows), meaning.of)


def wrong_vectors(meaning: RecordVectors, catalog: Catalog, store: Store) -> list[int]:
    """Give the files that have no vector though they should, or another one than their text has.

    A server or a sentence model is not asked anew: of what they gave, only damage is noticed.
    """
    embedder = meaning.embedder()
    if embedder is None or catalog.vectors_by(meaning.of) != embedder.name:
        return []
    paths = catalog.record_paths()
    digests = catalog.with_vectors(sorted(paths), meaning.of)
    wrong = sorted(paths.keys() - digests.keys()) if meaning.in_step(catalog) else []
    try:
        if meaning.remote or meaning.of == BESIDE:
            return wrong + meaning.damaged(digests)
        numbers = {paths[file]: file for file in digests}
        texts = (
            TextToEmbed(numbers[reading.change.path], reading.change.digest, reading.text)
            for reading in read_files(store, store.stamps(numbers), with_text=True)
            if reading.text is not None
        )
        while batch := list(islice(texts, BATCH)):
            wrong += meaning.unlike(batch)
    except VectorsDamaged:
        return sorted(paths)
    return sorted(wrong)


def _embed(
    meaning: RecordVectors,
    catalog: Catalog,
    ingest: Ingest,
    locked: Callable[[], AbstractContextManager[None]],
) -> None:
    with locked():
        if not meaning.prepare(catalog):
            return
        left = iter(catalog.vector_backlog(meaning.of).items())
    complete = True
    while piece := dict(islice(left, _SLOW_PIECE if meaning.remote else PIECE)):
        with locked():
            complete = ingest.embed(piece) and complete
        if meaning.embedder() is None:
            return  # it failed, and that was told
    if complete:
        with locked(), catalog.writing():
            if not catalog.vector_backlog(meaning.of):
                catalog.vectors_catch_up(meaning.of)
