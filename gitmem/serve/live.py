"""Tells open pages that something changed: records, what is checked out, watched runs.

The system reports changed records; the local journal, to which a watched run appends, is looked
at twice a second. Both only while a page listens: idle costs nothing.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gitmem.memory import Memory, StoreChange, Watch
from gitmem.serve.repositories import Repositories

_LOOK_SECONDS: Final = 0.5
_SILENT_SECONDS: Final = 15.0
"""A comment after so long keeps the connection open, and finds out that nobody listens."""
_CHANGED: Final = "event: changed\ndata: {}\n\n"
_STILL_THERE: Final = ": still there\n\n"
_ENDING: Final = ".jsonl"


class Changes:
    """Counts the changes of the repositories that somebody listens to.

    Args:
        repositories: the memories that are served.

    """

    def __init__(self, repositories: Repositories) -> None:
        self._repositories = repositories
        self._watches: dict[str, tuple[Watch, str]] = {}  # with the folder of the journal
        self._listeners: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    async def follow(self, name: str) -> AsyncIterator[str]:
        """Give events of one repository for as long as somebody takes them."""
        self._listeners[name] = self._listeners.get(name, 0) + 1
        try:
            if name not in self._watches:
                watched = await self._repositories.ask(name, partial(self._watch, name))
                self._watches.setdefault(name, watched)
            journal = self._watches[name][1]
            before, last = self._state(name, journal), time.monotonic()
            yield _STILL_THERE
            while True:
                await asyncio.sleep(_LOOK_SECONDS)
                now = self._state(name, journal)
                if now != before:
                    before, last = now, time.monotonic()
                    yield _CHANGED
                elif time.monotonic() - last > _SILENT_SECONDS:
                    last = time.monotonic()
                    yield _STILL_THERE
        finally:
            self._listeners[name] -= 1
            if not self._listeners[name] and name in self._watches:
                self._watches.pop(name)[0].close()

    def _watch(self, name: str, memory: Memory) -> tuple[Watch, str]:
        def count(_: StoreChange) -> None:
            self._counts[name] = self._counts.get(name, 0) + 1

        watch = Watch(lambda _: None)
        watch.listen(memory.workspace, count)
        return watch, memory.workspace.site.journal

    def _state(self, name: str, journal: str) -> tuple[int, tuple[tuple[str, int, int], ...]]:
        return self._counts.get(name, 0), _stamps(journal)

    def close(self) -> None:
        """End all watches."""
        for watch, _ in self._watches.values():
            watch.close()
        self._watches.clear()


def _stamps(journal: str) -> tuple[tuple[str, int, int], ...]:
    """Give the streams of a journal with their stamps; none where there is no journal yet."""
    stamps = []
    try:
        with os.scandir(journal) as entries:
            for entry in entries:
                if entry.name.endswith(_ENDING):
                    stat = entry.stat(follow_symlinks=False)
                    stamps.append((entry.name, stat.st_mtime_ns, stat.st_size))
    except OSError:
        return ()
    return tuple(sorted(stamps))


async def stream(request: Request) -> Response:
    """Answer with the events of a repository (server-sent events)."""
    changes: Changes = request.app.state.changes
    events = changes.follow(request.path_params["repository"])
    return StreamingResponse(events, media_type="text/event-stream")
