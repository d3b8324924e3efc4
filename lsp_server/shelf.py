"""One open memory: answered from at once, and followed beside it.

Three threads know it, each with a memory of its own: the event loop's answers at once; the
second one matches and reads what takes longer; the third one catches up with the files, and is
the only one that ever waits for a lock or a rebuild.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.memory.failures.knowing import AttemptReader, commit_stamp, edition, has_old_settings
from lsp_server import aside
from lsp_server.client import Work

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")
NOTHING: Final = (0, 0, None)
_PAUSE_SECONDS: Final = (1.0, 60.0)
"""Before the index is tried again where it could not be used: at first, and at most."""


class Shelf:
    """One memory as the server has it open.

    Args:
        memory: the memory, just opened.
        loop: the event loop; ``changed`` is called on it.
        changed: called when there is something new to know.
        work: told of long work.

    """

    def __init__(
        self,
        memory: Memory,
        loop: asyncio.AbstractEventLoop,
        changed: Callable[["Shelf"], None],
        work: Work,
    ) -> None:
        self.start = memory.site.root
        self.folder = memory.site.folder
        self._aside = aside.needed(memory)
        self.front = aside.placed(memory, self._aside).without_sync()
        self._loop = loop
        self._changed = changed
        self._work = work
        self._edition: tuple[object, ...] = NOTHING
        self._commit = commit_stamp(memory)
        self._reading = ThreadPoolExecutor(1, "matching")
        self._following = ThreadPoolExecutor(1, "following")
        self._reader: Memory | None = None
        self._teller: AttemptReader | None = None
        self._follower: Memory | None = None
        self._wanted: Future[None] | None = None
        self._again = False
        self._since = 0.0
        self._pause = _PAUSE_SECONDS[0]
        # Somebody tells of every change: there is no need to look before an answer.
        self.watched = False
        # It caught up with the files once, so what is not known is not there.
        self.ready = False
        self.closed = False

    def outdated(self) -> bool:
        """Tell whether settings were changed since, or the memory is gone."""
        return has_old_settings(self.front)

    def opened(self) -> Memory:
        """Open the same memory once more, for another thread."""
        return aside.placed(Memory.open(self.start), self._aside)

    # Reading in the background

    def submit(self, question: Callable[[Memory, AttemptReader], _Answer]) -> "Future[_Answer]":
        """Ask something that takes longer, after what was asked before; it waits for no lock."""

        def ask() -> _Answer:
            if self._reader is None or self._teller is None:
                self._reader = self.opened().without_sync()
                self._teller = AttemptReader(self._reader)
            return question(self._reader, self._teller)

        return self._reading.submit(ask)

    def work(self, task: Callable[[Memory], _Answer]) -> "Future[_Answer]":
        """Do what may wait: search, write, catch up first."""

        def do() -> _Answer:
            try:
                return task(self._patient())
            finally:
                # It may have caught up first, and told of that.
                if not self._loop.is_closed():
                    self._loop.call_soon_threadsafe(self._work.end)

        return self._following.submit(do)

    def _patient(self) -> Memory:
        if self._follower and self._follower.derived.gave_up:
            self._follower.close()
            self._follower = None  # what was in the way may be gone
        if self._follower is None:
            self._follower = self.opened()
            self._follower.progress = self._work.report
        return self._follower

    # Following the files

    def follow(self) -> "Future[None]":
        """Catch up with the files in the background; asked twice meanwhile, it is done once."""
        if self._wanted and not self._wanted.done():
            self._again = True
            return self._wanted
        self._again = False
        self._since = time.monotonic()
        self._wanted = self._following.submit(self._catch_up)
        self._wanted.add_done_callback(self._caught_up)
        return self._wanted

    async def fresh(self, seconds: float) -> None:
        """Catch up before an answer, but wait no longer than so many seconds for it.

        Where catching up takes longer than that already, or a watcher tells of every change,
        nobody waits.
        """
        if not self.closed and commit_stamp(self.front) != self._commit:
            self.checked_out()  # commits on the same branch are told by no watcher
        under_way = self._wanted is not None and not self._wanted.done()
        if self.closed or (self.watched and not under_way):
            return
        if under_way and time.monotonic() - self._since > seconds:
            return
        # The watcher asks for another round by itself; asked for here as well, hovers in a row
        # would keep it going for ever.
        wanted = self._wanted if self._wanted and self.watched else self.follow()
        caught_up = asyncio.wrap_future(wanted)
        await asyncio.wait([caught_up], timeout=seconds)
        if not self.closed:
            self.look()

    def _catch_up(self) -> None:
        try:
            memory = self._patient()
            if self.ready:
                # No hover needs the text index: it shows what changed before that is in step.
                memory.catch_up(indexed=False)
                if not self._loop.is_closed():
                    self._loop.call_soon_threadsafe(self._look_if_open)
            memory.catch_up()
            if memory.derived.gave_up:
                _log.warning("%s: %s", self.folder, memory.derived.notices[-1])
        except GitmemError as error:
            _log.warning("%s: %s", self.folder, error.message)

    def _caught_up(self, done: "Future[None]") -> None:
        self.ready = True
        if not done.cancelled() and (error := done.exception()):
            _log.error("fault while catching up", exc_info=error)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self._work.end()
        if self.closed:
            return
        if self._again:
            self.follow()
        elif self._follower and self._follower.derived.gave_up:
            took = time.monotonic() - self._since
            self._loop.call_later(max(self._pause, 10 * took), self._try_again)
            self._pause = min(self._pause * 2, _PAUSE_SECONDS[1])
        else:
            self._pause = _PAUSE_SECONDS[0]
        self.look()

    def _try_again(self) -> None:
        if not self.closed:
            self.follow()

    def _look_if_open(self) -> None:
        if not self.closed:
            self.look()

    def look(self) -> None:
        """See whether there is something new, whoever took it in; on the event loop only."""
        now = edition(self.front)
        if now != self._edition:
            self._edition = now
            self._changed(self)

    def checked_out(self) -> None:
        """Forget what only holds for the commit that was checked out before."""
        if not self.closed:
            self._commit = commit_stamp(self.front)
            self.submit(lambda _memory, teller: teller.forget())
            self._changed(self)

    def close(self) -> None:
        """Close what is open; work that has not begun is dropped."""
        if self.closed:
            return
        self.closed = True
        for pool in (self._reading, self._following):
            pool.shutdown(wait=False, cancel_futures=True)
        self.front.close()
        if self._aside:
            aside.remove(self._aside)
