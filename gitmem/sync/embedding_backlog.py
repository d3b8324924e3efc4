"""Makes missing vectors, a few at a time, so that nobody waits long."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Final

from gitmem.catalog.catalog import Catalog
from gitmem.semantic.protocol import VectorsDamaged
from gitmem.store.files import Store
from gitmem.store.lock import LockUnavailable
from gitmem.sync.ingest import Ingest
from gitmem.sync.record_reader import read_files
from gitmem.sync.record_vectors import BATCH, RecordVectors

PIECE: Final = 1_000
_SLOW_PIECE: Final = 64
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


def wrong_vectors(meaning: RecordVectors, catalog: Catalog, store: Store) -> list[int]:
    """Give the files that have no vector though they should, or another one than their text has.

    A server is not asked anew: of what it gave, only damage is noticed.
    """
    embedder = meaning.embedder()
    if embedder is None or catalog.vectors_by() != embedder.name:
        return []
    paths = catalog.record_paths()
    having = {file: paths[file] for file in catalog.with_vectors(sorted(paths))}
    wrong = sorted(paths.keys() - having.keys()) if meaning.in_step(catalog) else []
    try:
        if meaning.remote:
            return wrong + meaning.damaged(having)
        numbers = {path: file for file, path in having.items()}
        texts = (
            (numbers[reading.change.path], reading.text)
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
        left = iter(catalog.vector_backlog().items())
    complete = True
    while piece := dict(islice(left, _SLOW_PIECE if meaning.remote else PIECE)):
        with locked():
            complete = ingest.embed(piece) and complete
        if meaning.embedder() is None:
            return  # it failed, and that was told
    if complete:
        with locked(), catalog.writing():
            if not catalog.vector_backlog():
                catalog.vectors_catch_up()
