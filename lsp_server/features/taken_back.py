"""A hint on lines of a fix while they are being changed: what the change takes back, and why.

Code at rest gets none: only what differs from the commit that is checked out is held against fixes.
"""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem.render.guarded import heading, reason
from gitmem.system import relative_path
from lsp_server.features.record_files import record_file_at
from lsp_server.file_paths import path_of
from lsp_server.positions import line_at
from lsp_server.priority_thread import Urgency

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers.guarded import Guarded, TakenBack
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_log = logging.getLogger(__name__)
_PAUSE_SECONDS: Final = 0.4
"""Without a key, before a text is looked at."""
_MOST_CHARACTERS: Final = 2_000_000


def register(server: "EditorSession") -> None:
    """Look at texts that are edited."""
    hints = TakenBackHints(server)
    server.listeners.text_changed.append(hints.want)
    server.listeners.document_closed.append(hints.drop)


class TakenBackHints:
    """Looks at each edited text once it rests, and shows what it takes back.

    Lives on the event loop; reading happens in the memory's reading thread, and rules are looked
    for in another one, for one text at a time: nobody's hover waits for a tool.
    """

    def __init__(self, server: "EditorSession") -> None:
        self._server = server
        self._tasks: dict[str, asyncio.Future[None]] = {}
        self._shown: set[str] = set()
        self._tools = ThreadPoolExecutor(1, "rules")
        self._logged: set[str] = set()

    def want(self, uri: str) -> None:
        """Look at a document after a pause; what was begun for an older text is given up."""
        if record_file_at(self._server, uri):
            return
        if under_way := self._tasks.pop(uri, None):
            under_way.cancel()
        task = asyncio.ensure_future(self._look(uri))
        self._tasks[uri] = task
        task.add_done_callback(lambda done: self._forget(uri, done))

    def drop(self, uri: str) -> None:
        """Take the hints of a document back."""
        if under_way := self._tasks.pop(uri, None):
            under_way.cancel()
        self._show(uri, [])

    def _forget(self, uri: str, done: "asyncio.Future[None]") -> None:
        if self._tasks.get(uri) is done:
            del self._tasks[uri]

    async def _look(self, uri: str) -> None:
        try:
            await asyncio.sleep(_PAUSE_SECONDS)
            open_memory = self._server.open_memory_for(uri)
            if open_memory is None or open_memory.closed:
                return
            path = _inside(uri, open_memory.start)
            text = self._server.workspace.get_text_document(uri).source
            if not path or len(text) > _MOST_CHARACTERS:
                return
            await open_memory.fresh(_PAUSE_SECONDS)
            guarded = await self._guarded(open_memory, path, text)
        except asyncio.CancelledError:
            return
        except Exception:  # noqa: BLE001  a fault must not pop up in the editor
            _log.exception("fault while guarding %s", uri)
            return
        lines = text.split("\n")
        self._show(uri, [self._diagnostic(taken, lines) for taken in guarded.taken_back])

    async def _guarded(self, open_memory: "OpenMemory", path: str, text: str) -> "Guarded":
        reading = open_memory.ask(
            lambda memory, _: (
                memory.history.edited.guard(path, text),
                memory.history.edited.rules({path: text}),
            ),
            Urgency.MATCHING,
        )
        guarded, question = await asyncio.wrap_future(reading)
        if question is None:
            return guarded
        answers = await asyncio.wrap_future(self._tools.submit(question.asked))
        for notice in set(answers.notices) - self._logged:
            self._logged.add(notice)
            _log.warning("%s: %s", path, notice)
        joining = open_memory.ask(
            lambda memory, _: memory.history.edited.by_rules(guarded, answers), Urgency.MATCHING
        )
        return await asyncio.wrap_future(joining)

    def _diagnostic(self, taken: "TakenBack", lines: "Sequence[str]") -> types.Diagnostic:
        line = min(max(taken.change.line - 1, 0), len(lines) - 1)
        end = self._server.units(line_at(lines, line).rstrip())
        return types.Diagnostic(
            range=types.Range(types.Position(line, 0), types.Position(line, end)),
            message=f"{heading(taken)}\n{reason(taken)}",
            severity=types.DiagnosticSeverity.Hint,
            code=taken.fix.id,
            source="gitmem",
        )

    def _show(self, uri: str, hints: list[types.Diagnostic]) -> None:
        if not hints and uri not in self._shown:
            return
        self._shown.add(uri) if hints else self._shown.discard(uri)
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=hints)
        self._server.text_document_publish_diagnostics(params)


def _inside(uri: str, root: str) -> str:
    """Give a document's path from the memory's own folder; empty: it is outside."""
    path = relative_path(path_of(uri), root)
    return "" if path.startswith("../") else path
