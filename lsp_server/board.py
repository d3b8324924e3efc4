"""What is known about the diagnostics of each document: noted by the client, matched beside.

Lives on the event loop; only matching itself happens in a shelf's thread. What was matched for
an older version, or for what is gone by now, is dropped.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.capture.telling import MatchDetails
from gitmem.errors import GitmemError
from gitmem.matching.failure import Failure
from gitmem.memory import Memory
from gitmem.memory.failures.knowing import AttemptReader, Mark
from lsp_server.failures import Theirs
from lsp_server.places import Span, Units, moved
from lsp_server.shelf import Shelf

if TYPE_CHECKING:
    from concurrent.futures import Future

_log = logging.getLogger(__name__)
_MOST_DOCUMENTS: Final = 1_500
_MOST_KEPT: Final = 4_000
_AT_A_TIME: Final = 25
_AGAIN_SECONDS: Final = 1.0


class Note:
    """One diagnostic, with what is known about it once it was matched.

    Attributes:
        span: where it is; it moves with edits above it.
        failure: what it tells of.
        told: what is known; None: nothing.
        matched: it was looked up.

    """

    def __init__(self, span: Span, failure: Failure) -> None:
        self.span = span
        self.failure = failure
        self.told: MatchDetails | None = None
        self.matched = False


class Page:
    """The notes of one document.

    Attributes:
        version: the document's version that they belong to; None: it is not known.
        notes: the diagnostics.
        marks: what records say about the file; None: nobody has looked yet.
        shelf: the memory that the document belongs to.

    """

    def __init__(self, path: str, shelf: Shelf) -> None:
        self.path = path
        self.shelf = shelf
        self.version: int | None = None
        self.notes: list[Note] = []
        self.marks: list[Mark] | None = None
        self.ready = asyncio.Event()

    def at(self, span: Span) -> list[Note]:
        """Give the notes that touch a range and of which something is known."""
        return [note for note in self.notes if note.told and note.span.touches(span)]


class Board:
    """The pages of all documents.

    Args:
        renewed: called with addresses of documents of which there is more to tell now.

    """

    def __init__(self, renewed: Callable[[Sequence[str]], None]) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._renewed = renewed
        self._known: OrderedDict[tuple[str, Failure], MatchDetails | None] = OrderedDict()
        self._queue: OrderedDict[str, None] = OrderedDict()
        self._busy: set[Shelf] = set()

    def page(self, uri: str) -> Page | None:
        """Give a document's page."""
        return self._pages.get(uri)

    def open(self, uri: str, path: str, shelf: Shelf) -> Page:
        """Give a document's page; a new one is filled in the background."""
        page = self._pages.get(uri)
        if page is None or page.shelf is not shelf:
            page = self._pages[uri] = Page(path, shelf)
            self._want(uri)
        self._pages.move_to_end(uri)
        while len(self._pages) > _MOST_DOCUMENTS:
            self._pages.popitem(last=False)
        return page

    def first(self, uri: str) -> None:
        """Match a document before all others: somebody is looking at it."""
        if uri in self._queue:
            self._queue.move_to_end(uri, last=False)

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._pages.pop(uri, None)

    def note(
        self, page: Page, uri: str, version: int | None, found: Sequence[Theirs], *, whole: bool
    ) -> None:
        """Take a document's diagnostics; those of an older version are passed over.

        Args:
            page: the document's page.
            uri: its address.
            version: the document's version that they were made for, if that is known.
            found: the diagnostics.
            whole: these are all; else they are added to what is noted.

        """
        if version is not None and page.version is not None and version < page.version:
            return
        page.version = version if version is not None else page.version
        before = {(note.span, note.failure): note for note in page.notes}
        notes = {} if whole else dict(before)
        for one in found:
            key = (one.span, one.failure)
            notes[key] = before.get(key) or Note(one.span, one.failure)
        page.notes = list(notes.values())
        if any(not note.matched for note in page.notes):
            self._want(uri)

    def edited(self, uri: str, version: int | None, edit: Span | None, text: str,
               units: Units) -> None:  # fmt: skip
        """Follow an edit: notes below it move, those that it changed are dropped.

        Args:
            uri: the document's address.
            version: its version after the edit.
            edit: what was replaced; None: all of it.
            text: what stands there now.
            units: counts a text in the editor's units.

        """
        page = self._pages.get(uri)
        if page is None:
            return
        if version is not None:
            if page.version is not None and version <= page.version and edit is not None:
                return  # they were made for this version already
            page.version = version
        kept = []
        for note in page.notes:
            span = moved(note.span, edit, text, units) if edit else None
            if span:
                note.span = span
                kept.append(note)
        page.notes = kept

    def renew(self, shelf: Shelf) -> None:
        """Match everything of a memory again: there is more to know."""
        self._known = OrderedDict(
            (key, told) for key, told in self._known.items() if key[0] != shelf.folder
        )
        for uri, page in self._pages.items():
            if page.shelf is shelf:
                for note in page.notes:
                    note.matched = False
                page.marks = None
                self._want(uri)

    # Matching

    def _want(self, uri: str) -> None:
        page = self._pages[uri]
        page.ready.clear()
        self._queue[uri] = None
        self._next(page.shelf)

    def _want_again(self, uri: str, page: Page) -> None:
        if self._pages.get(uri) is page and not page.shelf.closed:
            self._want(uri)

    def _next(self, shelf: Shelf) -> None:
        """Give a shelf's thread the next piece of work, one at a time."""
        if shelf.closed or shelf in self._busy:
            return
        for uri in list(self._queue):
            page = self._pages.get(uri)
            if page is None or page.shelf.closed:
                del self._queue[uri]
            elif page.shelf is shelf:
                del self._queue[uri]
                self._busy.add(shelf)
                self._start(uri, page)
                return

    def _start(self, uri: str, page: Page) -> None:
        notes = [note for note in page.notes if not note.matched]
        for note in notes:
            key = (page.shelf.folder, note.failure)
            if key in self._known:
                note.told, note.matched = self._known[key], True
        batch = [note for note in notes if not note.matched][:_AT_A_TIME]
        failures = [note.failure for note in batch]
        look = page.marks is None
        loop = asyncio.get_running_loop()

        def ask(
            memory: Memory, teller: AttemptReader
        ) -> tuple[list[MatchDetails | None], list[Mark] | None]:
            told = [
                teller.tell(one) if one.label or one.similar else None
                for one in memory.known(failures)
            ] if failures else []  # fmt: skip
            return told, memory.marks(page.path) if look else None

        def done(
            answer: "Future[tuple[list[MatchDetails | None], list[Mark] | None]]",
        ) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._matched, uri, page, batch, answer)

        page.shelf.submit(ask).add_done_callback(done)

    def _matched(
        self,
        uri: str,
        page: Page,
        batch: Sequence[Note],
        answer: "Future[tuple[list[MatchDetails | None], list[Mark] | None]]",
    ) -> None:
        self._busy.discard(page.shelf)
        failed = None if answer.cancelled() else answer.exception()
        if failed is None and not answer.cancelled():
            told, marks = answer.result()
            for note, one in zip(batch, told, strict=True):
                note.told, note.matched = one, True
                self._keep((page.shelf.folder, note.failure), one)
            page.marks = marks if marks is not None else page.marks
        elif failed and not isinstance(failed, GitmemError):
            _log.error("fault while matching", exc_info=failed)
        current = self._pages.get(uri) is page
        if current and isinstance(failed, GitmemError):
            # The index is being made, or a disk was busy: that passes.
            _log.info("matching is put off: %s", failed.message)
            asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._want_again, uri, page)
        if current and failed is None and any(not note.matched for note in page.notes):
            self._want(uri)
        elif current:
            page.ready.set()
            self._renewed([uri])
        self._next(page.shelf)

    def _keep(self, key: tuple[str, Failure], told: MatchDetails | None) -> None:
        self._known[key] = told
        while len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
