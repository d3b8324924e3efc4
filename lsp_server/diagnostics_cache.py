"""A document's cached diagnostics and what records say about its lines.

It lives on the event loop; the memory's reading thread does the matching. An answer that
belongs to an older version of a document, or to a document that was closed, is dropped.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.telling import MatchDetails
from gitmem.errors import GitmemError
from gitmem.memory import AttemptReader, Memory
from gitmem.output.failure import Failure
from lsp_server.failures import ForeignDiagnostic
from lsp_server.fragile_files import FragileFile, fragile
from lsp_server.open_memory import OpenMemory
from lsp_server.positions import EditorRange, Units, moved
from lsp_server.priority_thread import Urgency

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gitmem.memory import Mark

_log = logging.getLogger(__name__)
_MOST_DOCUMENTS: Final = 1_500
_MOST_KEPT: Final = 4_000
_BATCH: Final = 25
_RETRY_SECONDS: Final = 1.0


class MatchedDiagnostic:
    """One diagnostic, with what is known about it once it was matched.

    Attributes:
        span: where it is; it moves with edits above it.
        failure: the failure that it stands for.
        details: what is known about the failure; None: nothing.
        matched: it was looked up.

    """

    def __init__(self, span: EditorRange, failure: Failure) -> None:
        self.span = span
        self.failure = failure
        self.details: MatchDetails | None = None
        self.matched = False


class DocumentState:
    """What is known about one document.

    Attributes:
        path: the document's file; empty: it is none, as an unsaved text or a cell of a notebook.
        open_memory: the memory that the document belongs to.
        version: the document's version that the diagnostics belong to; None: it is not known.
        diagnostics: of other servers.
        marks: what records say about lines of the file; None: nobody has looked yet.
        fragile: why the file deserves care, as far as somebody looked.
        ready: set while nothing is left to match.
        asked: where somebody waits for what is there: that is matched first.
        step: set after the next answer of the memory.

    """

    def __init__(self, path: str, open_memory: OpenMemory) -> None:
        self.path = path
        self.open_memory = open_memory
        self.version: int | None = None
        self.diagnostics: list[MatchedDiagnostic] = []
        self.marks: list[Mark] | None = self._unmarked()
        self.fragile = FragileFile()
        self.ready = asyncio.Event()
        self.asked: EditorRange | None = None
        self.step = asyncio.Event()

    def unmatched_first(self) -> list[MatchedDiagnostic]:
        """Give what is left to match, first what somebody waits for."""
        left = [diagnostic for diagnostic in self.diagnostics if not diagnostic.matched]
        at = self.asked
        return sorted(left, key=lambda each: not each.span.touches(at)) if at else left

    def is_unsure_at(self, span: EditorRange) -> bool:
        """Tell whether a diagnostic that touches a range has yet to be looked up."""
        return any(
            not diagnostic.matched and diagnostic.span.touches(span)
            for diagnostic in self.diagnostics
        )

    def _unmarked(self) -> "list[Mark] | None":
        """Of what is no file, no record says anything."""
        return None if self.path else []

    def forget_marks(self) -> None:
        """See to it that somebody looks again what records say about lines of the file."""
        self.marks = self._unmarked()

    def known_at(self, span: EditorRange) -> list[MatchedDiagnostic]:
        """Give the diagnostics that touch a range and about which something is known."""
        return [
            diagnostic
            for diagnostic in self.diagnostics
            if diagnostic.details and diagnostic.span.touches(span)
        ]

    def looked_up_at(self, span: EditorRange) -> list[MatchedDiagnostic]:
        """Give the diagnostics that touch a range and were looked up.

        What was known before the memory changed counts until it is looked up again, as in a hover.
        """
        return [
            diagnostic
            for diagnostic in self.diagnostics
            if (diagnostic.matched or diagnostic.details) and diagnostic.span.touches(span)
        ]


class _Answer(NamedTuple):
    """What matching gives: details for each failure of a batch; of the file, if it was asked."""

    details: "list[MatchDetails | None]"
    marks: "list[Mark] | None" = None
    fragile: FragileFile = FragileFile()


class DiagnosticsCache:
    """What is known about all documents.

    Args:
        renewed: called with addresses of documents about which there is more to know.

    """

    def __init__(self, renewed: Callable[[Sequence[str]], None]) -> None:
        self._states: OrderedDict[str, DocumentState] = OrderedDict()
        self._renewed = renewed
        # By the memory's folder and the failure.
        self._details: OrderedDict[tuple[str, Failure], MatchDetails | None] = OrderedDict()
        self._queue: OrderedDict[str, None] = OrderedDict()
        self._busy: set[OpenMemory] = set()
        self._renewals: Counter[str] = Counter()  # by the memory's folder

    def state(self, uri: str) -> DocumentState | None:
        """Give what is known about a document; None if it is not open here."""
        return self._states.get(uri)

    def open(self, uri: str, path: str, open_memory: OpenMemory) -> DocumentState:
        """Give what is known about a document; for a new one, matching begins."""
        state = self._states.get(uri)
        if state is None or state.open_memory is not open_memory:
            state = self._states[uri] = DocumentState(path, open_memory)
            self._enqueue(uri)
        self._states.move_to_end(uri)
        while len(self._states) > _MOST_DOCUMENTS:
            self._states.popitem(last=False)
        return state

    def match_next(self, uri: str, at: EditorRange | None = None) -> None:
        """Match a document before all others, and in it a range: somebody is looking at it."""
        if uri in self._queue:
            self._queue.move_to_end(uri, last=False)
        if at and uri in self._states:
            self._states[uri].asked = at

    def close(self, uri: str) -> None:
        """Forget a document."""
        self._states.pop(uri, None)

    def take(
        self,
        state: DocumentState,
        uri: str,
        version: int | None,
        diagnostics: Sequence[ForeignDiagnostic],
        *,
        whole: bool,
    ) -> None:
        """Take a document's diagnostics; those of an older version are passed over.

        Args:
            state: the document's.
            uri: its address.
            version: the document's version that they were made for, if that is known.
            diagnostics: the diagnostics.
            whole: these are all; else they are added to those that are there.

        """
        if version is not None and state.version is not None and version < state.version:
            return
        state.version = version if version is not None else state.version
        before = {(old.span, old.failure): old for old in state.diagnostics}
        now = {} if whole else dict(before)
        for new in diagnostics:
            now[new] = before.get(new) or MatchedDiagnostic(new.span, new.failure)
        state.diagnostics = list(now.values())
        if any(not diagnostic.matched for diagnostic in state.diagnostics):
            self._enqueue(uri)

    def edited(
        self, uri: str, version: int | None, edit: EditorRange | None, text: str, units: Units
    ) -> None:
        """Follow an edit: diagnostics below it move, those that it changed are dropped.

        Args:
            uri: the document's address.
            version: its version after the edit.
            edit: what was replaced; None: all of it.
            text: what stands there now.
            units: counts a text in the editor's units.

        """
        state = self._states.get(uri)
        if state is None:
            return
        if version is not None:
            if state.version is not None and version <= state.version and edit is not None:
                return  # they were made for this version already
            state.version = version
        remaining = []
        for diagnostic in state.diagnostics:
            span = moved(diagnostic.span, edit, text, units) if edit else None
            if span:
                diagnostic.span = span
                remaining.append(diagnostic)
        state.diagnostics = remaining

    def renew(self, open_memory: OpenMemory) -> None:
        """Match everything of a memory again: there is more to know."""
        self._renewals[open_memory.folder] += 1
        self._details = OrderedDict(
            (key, details) for key, details in self._details.items() if key[0] != open_memory.folder
        )
        for uri, state in self._states.items():
            if state.open_memory is open_memory:
                for diagnostic in state.diagnostics:
                    diagnostic.matched = False
                state.forget_marks()
                self._enqueue(uri)

    # Matching

    def _enqueue(self, uri: str) -> None:
        state = self._states[uri]
        state.ready.clear()
        self._queue[uri] = None
        self._start_next(state.open_memory)

    def _retry(self, uri: str, state: DocumentState) -> None:
        if self._states.get(uri) is state and not state.open_memory.closed:
            self._enqueue(uri)

    def _start_next(self, open_memory: OpenMemory) -> None:
        """Match the next document of a memory, unless one of its documents is being matched."""
        if open_memory.closed or open_memory in self._busy:
            return
        for uri in list(self._queue):
            state = self._states.get(uri)
            if state is None or state.open_memory.closed:
                del self._queue[uri]
            elif state.open_memory is open_memory:
                del self._queue[uri]
                self._busy.add(open_memory)
                self._start(uri, state)
                return

    def _start(self, uri: str, state: DocumentState) -> None:
        open_memory = state.open_memory
        for diagnostic in state.diagnostics:
            key = (open_memory.folder, diagnostic.failure)
            if not diagnostic.matched and key in self._details:
                diagnostic.details, diagnostic.matched = self._details[key], True
        batch = state.unmatched_first()[:_BATCH]
        failures = [diagnostic.failure for diagnostic in batch]
        # Lines of the file come after the failures of all documents: they take git's history.
        look_for_marks = state.marks is None and not batch
        began_at = self._renewals[open_memory.folder]
        loop = asyncio.get_running_loop()

        def match(memory: Memory, attempts: AttemptReader) -> _Answer:
            details: list[MatchDetails | None] = []
            for hit in memory.failures.known(failures) if failures else ():
                open_memory.let_lookups_pass()
                details.append(attempts.tell(hit) if hit.label or hit.similar else None)
            if not look_for_marks:
                return _Answer(details)
            marks = memory.editor.marks(state.path)
            open_memory.let_lookups_pass()
            return _Answer(details, marks, fragile(memory, state.path))

        def done(answer: "Future[_Answer]") -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._matched, uri, state, batch, began_at, answer)

        open_memory.ask(match, Urgency.MATCHING).add_done_callback(done)

    def _matched(
        self,
        uri: str,
        state: DocumentState,
        batch: Sequence[MatchedDiagnostic],
        began_at: int,
        done: "Future[_Answer]",
    ) -> None:
        self._busy.discard(state.open_memory)
        error = None if done.cancelled() else done.exception()
        # What was asked before the memory changed is asked again.
        is_stale = began_at != self._renewals[state.open_memory.folder]
        if error is None and not done.cancelled() and not is_stale:
            answer = done.result()
            for diagnostic, details in zip(batch, answer.details, strict=True):
                diagnostic.details, diagnostic.matched = details, True
                self._keep((state.open_memory.folder, diagnostic.failure), details)
            if answer.marks is not None:
                state.marks, state.fragile = answer.marks, answer.fragile
        elif error and not isinstance(error, GitmemError):
            _log.error("fault while matching", exc_info=error)
        current = self._states.get(uri) is state
        if current and isinstance(error, GitmemError):
            # The index is being made, or a disk was busy: that passes.
            _log.info("matching is put off: %s", error.message)
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._retry, uri, state)
        state.step.set()
        state.step = asyncio.Event()
        unmatched = any(not diagnostic.matched for diagnostic in state.diagnostics)
        to_do = unmatched or is_stale or state.marks is None
        if current and error is None and to_do:
            self._enqueue(uri)
        elif current:
            state.ready.set()
        if current and not (error is None and (unmatched or is_stale)):
            self._renewed([uri])
        self._start_next(state.open_memory)

    def _keep(self, key: tuple[str, Failure], details: MatchDetails | None) -> None:
        self._details[key] = details
        while len(self._details) > _MOST_KEPT:
            self._details.popitem(last=False)
