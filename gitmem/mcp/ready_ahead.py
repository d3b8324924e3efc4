"""Loads what the first calls need while the client does not ask anything yet.

A command starts fast because it imports little and compiles few patterns. A server lives on: what
it has not loaded, its first answers wait for.
"""

import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final

from gitmem.lazy_pattern import compile_next

_FIRST_SECONDS: Final = 0.2
"""The client is answered first that the server is there."""
_BUSY_SECONDS: Final = 0.05
_MODULES: Final = (
    "gitmem.capture.localise",
    "gitmem.capture.recognising",
    "gitmem.catalog.catalog",
    "gitmem.catalog.followed",
    "gitmem.catalog.occurrences",
    "gitmem.index.reranking",
    "gitmem.index.whoosh_index",
    "gitmem.matching.fault_lists",
    "gitmem.matching.fingerprint",
    "gitmem.matching.parse",
    "gitmem.matching.general",
    "gitmem.matching.general_tests",
    "gitmem.matching.joined_tests",
    "gitmem.matching.generic",
    "gitmem.matching.prefixes",
    "gitmem.matching.recorded",
    "gitmem.memory.anchors.withheld_records",
    "gitmem.memory.checks.facade",
    "gitmem.memory.core.derived_state",
    "gitmem.memory.core.incremental",
    "gitmem.memory.failures.facade",
    "gitmem.memory.failures.matching",
    "gitmem.matching.titles",
    "gitmem.memory.failures.occurrences",
    "gitmem.memory.failures.watched_in_full",
    "gitmem.memory.reading.layered",
    "gitmem.memory.reading.layers",
    "gitmem.memory.reading.packs",
    "gitmem.memory.reading.relevance",
    "gitmem.memory.views.about_file",
    "gitmem.memory.views.facade",
    "gitmem.redaction",
    "gitmem.search.facts",
    "gitmem.search.levels",
    "gitmem.search.pipeline",
    "gitmem.search.facts",
    "gitmem.sync.derived",
)
"""What a hint asks; what they import comes with them."""


def steps() -> Iterator[None]:
    """Load one thing at a time; each takes some milliseconds, and does nothing the second time."""
    for name in _MODULES:
        import_module(name)
        yield
    from gitmem.tools.choice import load, values  # noqa: PLC0415  start-up

    for name in values("output.words"):
        load(name)
        yield
    while compile_next():
        yield


class ReadyAhead:
    """Goes these steps in a thread of its own, whenever no call is being answered.

    Args:
        is_busy: tells whether one is.

    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ready ahead", daemon=True)

    def start(self) -> None:
        """Begin; it ends by itself."""
        self._thread.start()

    def stop(self) -> None:
        """End with the step that has begun."""
        self._stopped.set()

    def ended(self, seconds: float) -> bool:
        """Wait for the end, but not longer than this; tell whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        self._stopped.wait(_FIRST_SECONDS)
        for _ in steps():
            while self._is_busy() and not self._stopped.wait(_BUSY_SECONDS):
                pass
            if self._stopped.is_set():
                return
