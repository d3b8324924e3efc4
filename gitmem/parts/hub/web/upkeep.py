"""Keeps a hub at the heads of its repositories: what was pushed at once, all now and then."""

import threading
import time
from collections.abc import Callable
from typing import Final

from gitmem.errors import GitmemError
from gitmem.parts.hub.protocol import Engine
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.taking import Taker

_NIGHT: Final = 86_400.0
"""Seconds between two comparisons of all files."""


class Housekeeping:
    """One thread that takes repositories, one after the other.

    Args:
        folder: of the hub.
        engine: opens an engine for the thread.
        poll: seconds between two looks at all repositories.
        tell: is given what went wrong.

    """

    def __init__(
        self, folder: str, engine: Callable[[], Engine], poll: float, tell: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._opened = engine
        self._poll = poll
        self._tell = tell
        self._condition = threading.Condition()
        self._pushed: dict[str, None] = {}
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="hub upkeep", daemon=True)

    def start(self) -> None:
        """Begin with a look at all repositories."""
        self._thread.start()

    def pushed(self, name: str) -> None:
        """Take a repository soon."""
        with self._condition:
            self._pushed[name] = None
            self._condition.notify()

    def stop(self) -> None:
        """End after the repository at hand; what is left is taken at the next start."""
        with self._condition:
            self._ended = True
            self._condition.notify()
        self._thread.join(5.0)

    def _run(self) -> None:
        compared = next_look = time.monotonic()
        while not self._ended:
            now = time.monotonic()
            if now >= next_look:
                compare = now - compared >= _NIGHT
                compared = now if compare else compared
                self._take(None, compare=compare)
                next_look = time.monotonic() + self._poll
            with self._condition:
                if not (self._pushed or self._ended):
                    self._condition.wait(max(next_look - time.monotonic(), 0.0))
                names, self._pushed = list(self._pushed), {}
            if names:
                self._take(names, compare=False)

    def _take(self, names: list[str] | None, *, compare: bool) -> None:
        try:
            registry = Registry.read(self._folder)
            engine = self._opened()
        except GitmemError as error:
            self._tell(error.message)
            return
        try:
            taker = Taker(engine, registry.clones)
            for name, repository in registry.repositories.items():
                if self._ended or not (names is None or name in names):
                    continue
                if repository.published and not repository.replaced_by:
                    continue
                try:
                    taker.take(repository, compare=compare)
                except GitmemError as error:  # the next look tries again
                    self._tell(f"{name}: {error.message}")
            if names is None:
                self._drop_strangers(engine, registry)
        except GitmemError as error:
            self._tell(error.message)
        finally:
            engine.close()

    def _drop_strangers(self, engine: Engine, registry: Registry) -> None:
        """Drop what the hub knows of repositories that are no longer in its file."""
        for name in engine.heads().keys() - registry.repositories.keys():
            with engine.writing():
                gone = engine.drop(name)
            engine.audit("upkeep", "removed", name, gone)
