"""Making the vectors that are missing, a few at a time, so that nobody waits for them long."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Final

from gitmem.catalog.catalog import Catalog
from gitmem.semantic.protocol import VectorsDamaged
from gitmem.store.lock import LockUnavailable
from gitmem.sync.meaning import Meaning
from gitmem.sync.taking import Taking

PIECE: Final = 1_000
_SLOW_PIECE: Final = 64
_ATTEMPTS: Final = 2


def embed_backlog(
    meaning: Meaning,
    catalog: Catalog,
    taking: Taking,
    locked: Callable[[], AbstractContextManager[None]],
) -> None:
    """Bring vectors in step with the catalog, as far as nobody else writes.

    Args:
        meaning: the vectors.
        catalog: the catalog, which is in step with the files.
        taking: reads files for them.
        locked: excludes other writers, without waiting.

    """
    taking.meaning = meaning
    for _ in range(_ATTEMPTS):
        if meaning.in_step(catalog):
            return
        try:
            _embed(meaning, catalog, taking, locked)
        except LockUnavailable:
            return  # who has it makes vectors, too, or the next question does
        except VectorsDamaged:
            with locked():
                meaning.mend(catalog)


def _embed(
    meaning: Meaning,
    catalog: Catalog,
    taking: Taking,
    locked: Callable[[], AbstractContextManager[None]],
) -> None:
    with locked():
        if not meaning.prepare(catalog):
            return
        left = iter(catalog.vector_backlog().items())
    complete = True
    while piece := dict(islice(left, _SLOW_PIECE if meaning.remote else PIECE)):
        with locked():
            complete = taking.embed(piece) and complete
        if meaning.embedder() is None:
            return  # it failed, and that was told
    if complete:
        with locked(), catalog.writing():
            if not catalog.vector_backlog():
                catalog.vectors_catch_up()
