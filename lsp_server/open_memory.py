"""A memory that the server keeps open: one thread answers, another keeps it in sync.

The reading thread has an optimistic memory: it answers from the catalog as it is, and never
waits for a lock or a rebuild. The following thread has the other memory: it catches up with the
files first, searches and writes. The event loop reads nothing itself.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from gitmem.errors import GitmemError
from gitmem.memory import AttemptReader, Memory
from gitmem.sync import NothingYet
from lsp_server import fallback_folder
from lsp_server.client import WorkProgress
from lsp_server.edition_cache import EditionCache
from lsp_server.hub_answers import HubAnswers
from lsp_server.priority_thread import PriorityThread, Urgency

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")
Question = Callable[[Memory, AttemptReader], _Answer]
_Seen = tuple[bool, tuple[object, ...]]
"""Whether the files were taken in, and the edition of the memory after that."""
_PAUSE_SECONDS: Final = (1.0, 60.0)
"""Before the index is tried again where it could not be used: at first, and at most."""
_COLD: Final = 0.5
"""Seconds after a memory was opened for which an answer waits for it to be read once."""
_QUIET_SECONDS: Final = 2.0
"""Without a change, before the text index takes in what changed: no hover needs it."""


class OpenMemory:
    """One memory that is open in the server, with its two threads.

    Args:
        memory: the memory, just opened.
        loop: the event loop; ``changed`` is called on it.
        changed: called when there is something new to know.
        progress: shows long work.

    Attributes:
        start: a folder from which the memory is found.
        folder: the memory's own folder.
        site: where everything of the memory is, and its settings.
        hub: what the organisation's hub said.
        cache: answers that hold for one edition of the memory; for the reading thread.
        watched: a watcher reports every change, so nobody has to look before an answer.
        ready: it caught up with the files once, so what is not in the catalog does not exist.
        in_step: what was written before the last round of catching up was taken in by it, and
            who shows something knows of it.
        closed: it answers nothing any more.

    """

    def __init__(
        self,
        memory: Memory,
        loop: asyncio.AbstractEventLoop,
        changed: Callable[["OpenMemory"], None],
        progress: WorkProgress,
    ) -> None:
        self._fallback = fallback_folder.make_if_needed(memory)
        self.memory = fallback_folder.with_derived_in(self._fallback, memory)
        self.memory.checks.without_sync()
        self.site = self.memory.workspace.site
        self.start = self.site.root
        self.folder = self.site.folder
        self.hub = HubAnswers(self.memory)
        self.cache = EditionCache(self.memory)
        self._attempts = self.memory.failures.attempt_reader()
        self._loop = loop
        self._changed = changed
        self._progress = progress
        self._edition = self.memory.workspace.edition()
        self._commit = self.memory.workspace.commit_stamp()
        self._reading = PriorityThread("reading")
        self._following = ThreadPoolExecutor(1, "following")
        self._follower: Memory | None = None
        self._catching_up: Future[None] | None = None
        self._catch_up_again = False
        self._began_at = 0.0
        self._indexing: asyncio.TimerHandle | None = None
        self._pause = _PAUSE_SECONDS[0]
        self._opened_at = time.monotonic()
        self.watched = False
        self.ready = False
        self.in_step = False
        self._took_in = False
        self.closed = False

    def outdated(self) -> bool:
        """Tell whether settings were changed since, or the memory is gone."""
        return self.memory.workspace.has_old_settings()

    @property
    def cold_for(self) -> float:
        """Seconds that it may still take to begin; 0 once it has caught up, or took too long."""
        return 0.0 if self.ready else max(0.0, self._opened_at + _COLD - time.monotonic())

    # Reading

    def ask(
        self, question: Question[_Answer], urgency: Urgency = Urgency.LOOKUP
    ) -> "Future[_Answer]":
        """Ask the memory as it is, in the reading thread.

        The future raises NothingYet where there is no catalog to answer from.
        """
        return self._reading.submit(lambda: question(self.memory, self._attempts), urgency)

    def let_lookups_pass(self) -> None:
        """Answer look-ups that wait, in between: for long questions, in the reading thread."""
        self._reading.run_more_urgent(Urgency.MATCHING)

    async def ask_for_view(self, question: Question[_Answer]) -> _Answer:
        """Ask the memory as it is; where that does not do, after catching up.

        Before it caught up once, an index that is being made can still be half empty.
        """
        try:
            if self.ready:
                return await asyncio.wrap_future(self.ask(question, Urgency.VIEW))
        except NothingYet as reason:
            _log.info("waiting: %s", reason.message)
        except GitmemError as error:
            # What was written just now may not have been taken in yet.
            _log.info("asking again: %s", error.message)
        return await asyncio.wrap_future(
            self.do_in_step(lambda memory: question(memory, memory.failures.attempt_reader()))
        )

    # Following the files

    def do_in_step(self, task: Callable[[Memory], _Answer]) -> "Future[_Answer]":
        """Search or write, with a memory that catches up first, in the following thread."""

        def do() -> _Answer:
            try:
                return task(self._memory_in_step())
            finally:
                # It may have caught up first, and shown that.
                if not self._loop.is_closed():
                    self._loop.call_soon_threadsafe(self._progress.end)

        return self._following.submit(do)

    def _memory_in_step(self) -> Memory:
        if self._follower and self._follower.workspace.derived.gave_up:
            self._follower.close()
            self._follower = None  # what was in the way may be gone
        if self._follower is None:
            memory = Memory.open(self.start)
            self._follower = fallback_folder.with_derived_in(self._fallback, memory)
            self._follower.workspace.progress = self._progress.report
            self._follower.checks.watch_incrementally()
        return self._follower

    def follow(self) -> "Future[None]":
        """Catch up with the files in the background.

        Asked for again while that is under way, it is done once more afterwards.
        """
        if self._catching_up and not self._catching_up.done():
            self._catch_up_again = True
            return self._catching_up
        self._catch_up_again = False
        if self._indexing:
            self._indexing.cancel()
        self._began_at = time.monotonic()
        self._catching_up = self._following.submit(self._catch_up)
        self._catching_up.add_done_callback(self._after_catching_up)
        return self._catching_up

    async def fresh(self, seconds: float) -> None:
        """Catch up before an answer, but wait no longer than so many seconds for it.

        Where catching up takes longer than that already, or a watcher reports every change,
        nobody waits.
        """
        if not self.closed and self.memory.workspace.commit_stamp() != self._commit:
            self.checked_out()  # no watcher reports commits on the same branch
        under_way = self._catching_up is not None and not self._catching_up.done()
        if self.closed or (self.watched and not under_way):
            return
        if under_way and time.monotonic() - self._began_at > seconds:
            return
        # The watcher asks for another round by itself; asked for here as well, hovers in a row
        # would keep it going for ever.
        round_ = self._catching_up if self._catching_up and self.watched else self.follow()
        end = time.monotonic() + seconds
        await asyncio.wait([asyncio.wrap_future(round_)], timeout=seconds)
        if not self.closed:
            look = asyncio.wrap_future(self.look())
            await asyncio.wait([look], timeout=max(end - time.monotonic(), 0.0))

    def _catch_up(self) -> None:
        try:
            memory = self._memory_in_step()
            memory.checks.catch_up(indexed=not self.ready)
            self._took_in = not memory.workspace.derived.gave_up
            if memory.workspace.derived.gave_up:
                _log.warning("%s: %s", self.folder, memory.workspace.derived.notices[-1])
        except GitmemError as error:
            _log.warning("%s: %s", self.folder, error.message)

    def _after_catching_up(self, done: "Future[None]") -> None:
        self.ready = True
        if not done.cancelled() and (error := done.exception()):
            _log.error("fault while catching up", exc_info=error)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._caught_up)

    def _caught_up(self) -> None:
        self._progress.end()
        if self.closed:
            return
        if self._catch_up_again:
            self.follow()
        elif self._follower and self._follower.workspace.derived.gave_up:
            took = time.monotonic() - self._began_at
            self._loop.call_later(max(self._pause, 10 * took), self._try_again)
            self._pause = min(self._pause * 2, _PAUSE_SECONDS[1])
        else:
            self._pause = _PAUSE_SECONDS[0]
            self._indexing = self._loop.call_later(_QUIET_SECONDS, self._take_into_index)
        self.look()

    def _take_into_index(self) -> None:
        if not self.closed:
            self._following.submit(self._index)

    def _index(self) -> None:
        try:
            memory = self._memory_in_step()
            if self._fallback:
                memory.checks.catch_up()  # no other process knows its folder
            else:
                memory.checks.catch_up_apart()
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._look_if_open)
        except GitmemError as error:
            _log.warning("%s: %s", self.folder, error.message)

    def _try_again(self) -> None:
        if not self.closed:
            self.follow()

    # What is new

    def _look_if_open(self) -> None:
        if not self.closed:
            self.look()

    def look(self) -> "Future[_Seen]":
        """Find out whether there is something new, whoever took it in.

        ``changed`` was called by the time that who waits for the future goes on.
        """
        # What was taken in by now is in the edition that is read after that.
        answer = self.ask(lambda memory, _: (self._took_in, memory.workspace.edition()))
        answer.add_done_callback(self._after_looking)
        return answer

    def _after_looking(self, answer: "Future[_Seen]") -> None:
        if answer.cancelled() or self._loop.is_closed():
            return
        if error := answer.exception():
            _log.error("fault while looking for changes", exc_info=error)
        else:
            self._loop.call_soon_threadsafe(self._compare, answer.result())

    def _compare(self, state: _Seen) -> None:
        took_in, now = state
        if not self.closed and now != self._edition:
            self._edition = now
            self._changed(self)
        self.in_step = took_in

    def checked_out(self) -> None:
        """Forget what only holds for the commit that was checked out before."""
        if not self.closed:
            self._commit = self.memory.workspace.commit_stamp()
            self.ask(lambda _memory, attempts: attempts.forget())
            self._changed(self)

    def close(self) -> None:
        """Close what is open; work that has not begun is dropped."""
        if self.closed:
            return
        self.closed = True
        if self._indexing:
            self._indexing.cancel()
        self.hub.close()
        self._reading.close(self.memory.close)
        self._following.shutdown(wait=False, cancel_futures=True)
        if self._fallback:
            fallback_folder.remove(self._fallback)
