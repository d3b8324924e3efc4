"""A thread for the views of an editor: what they count must not hold up a hover."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.memory.failures.knowing import AttemptReader, commit_stamp, edition
from gitmem.sync.at_once import NothingYet

if TYPE_CHECKING:
    from lsp_server.shelf import Shelf

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")
Question = Callable[[Memory, AttemptReader], _Answer]


class Reader:
    """One memory as it lies, read in a thread of its own.

    Args:
        shelf: the memory.

    """

    def __init__(self, shelf: "Shelf") -> None:
        self.shelf = shelf
        self._pool = ThreadPoolExecutor(1, "browsing")
        self._open: tuple[Memory, AttemptReader] | None = None
        self._commit: tuple[object, ...] = ()
        self._edition: tuple[object, ...] = ()
        self._kept: dict[str, Any] = {}

    def submit(self, question: Question[_Answer]) -> "Future[_Answer]":
        """Ask the memory as it lies; NothingYet where there is nothing to answer from."""

        def ask() -> _Answer:
            if self._open is None:
                memory = self.shelf.opened().without_sync()
                self._open = memory, AttemptReader(memory)
            memory, teller = self._open
            if (commit := commit_stamp(memory)) != self._commit:
                self._commit = commit
                teller.forget()
            return question(memory, teller)

        return self._pool.submit(ask)

    async def ask(self, question: Question[_Answer]) -> _Answer:
        """Ask the memory as it lies; where that does not do, the one that catches up first.

        Before it caught up once, an index that is being made can still be half empty.
        """
        try:
            if self.shelf.ready:
                return await asyncio.wrap_future(self.submit(question))
        except NothingYet as reason:
            _log.info("waiting: %s", reason.message)
        except GitmemError as error:
            # What was written just now may not have been taken in yet.
            _log.info("asking again: %s", error.message)
        return await asyncio.wrap_future(
            self.shelf.work(lambda memory: question(memory, AttemptReader(memory)))
        )

    def once(self, name: str, question: Question[_Answer]) -> Question[_Answer]:
        """Make a question that is answered once for each edition of the memory.

        Views ask at every change of a diagnostic; counting 100,000 records takes 0.3 s.
        """

        def asked(memory: Memory, teller: AttemptReader) -> _Answer:
            if self._open is None or memory is not self._open[0]:
                return question(memory, teller)  # the other thread's, which has caught up
            now = edition(memory)
            if now != self._edition:
                self._edition = now
                self._kept.clear()
            if name not in self._kept:
                self._kept[name] = question(memory, teller)
            answer: _Answer = self._kept[name]
            return answer

        return asked

    def close(self) -> None:
        """Drop what is not begun, and close the memory."""

        def end() -> None:
            if self._open:
                self._open[0].close()

        self._pool.submit(end)
        self._pool.shutdown(wait=False)


class Readers:
    """The readers of all open memories; lives on the event loop."""

    def __init__(self) -> None:
        self._all: dict[str, Reader] = {}

    def of(self, shelf: "Shelf") -> Reader:
        """Give a memory's reader; those of memories that are closed go."""
        for folder, one in list(self._all.items()):
            if one.shelf.closed:
                self._all.pop(folder).close()
        if shelf.folder not in self._all:
            self._all[shelf.folder] = Reader(shelf)
        return self._all[shelf.folder]
