"""Problems of record files as diagnostics, at their line and column."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types

from gitmem.records.layout import KIND_OF_FOLDER
from gitmem.system import relative_path
from lsp_server.file_paths import path_of
from lsp_server.positions import line_at
from lsp_server.priority_thread import Urgency

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gitmem.records.problems import Problem
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

_PATIENCE: Final = 2.0
_log = logging.getLogger(__name__)
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def register(server: "EditorSession") -> None:
    """Check record files when their text is new."""
    checks = RecordFileChecks(server)
    server.listeners.text_changed.append(checks.want)
    server.listeners.document_closed.append(checks.drop)
    server.listeners.memory_changed.append(checks.want_all)


class RecordFileChecks:
    """Checks the open record files, each once at a time, always for the newest text.

    Lives on the event loop; reading happens in the memory's reading thread.
    """

    def __init__(self, server: "EditorSession") -> None:
        self._server = server
        self._under_way: set[str] = set()
        self._again: set[str] = set()
        self._open: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()  # which nobody else holds

    def want(self, uri: str) -> None:
        """Check a document, if it is a record file."""
        file = record_file_at(self._server, uri)
        if file is None:
            return
        self._open.add(uri)
        if uri in self._under_way:
            self._again.add(uri)
            return
        self._under_way.add(uri)
        task = asyncio.ensure_future(self._check(uri, file))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def want_all(self, open_memory: "OpenMemory") -> None:
        """Check the open record files of a memory again: what they link to has changed."""
        for uri in list(self._open):
            file = record_file_at(self._server, uri)
            if file and file.open_memory is open_memory:
                self.want(uri)

    def drop(self, uri: str) -> None:
        """Take the diagnostics of a document back."""
        if uri in self._open:
            self._open.discard(uri)
            self._publish(uri, [])

    async def _check(self, uri: str, file: "RecordFile") -> None:
        open_memory = file.open_memory
        problems: list[Problem] = []
        text = ""
        try:
            await open_memory.fresh(_PATIENCE)
            if open_memory.closed:
                return
            text = self._server.workspace.get_text_document(uri).source
            # A link may lead to what was not taken in yet.
            links = open_memory.ready
            answer = open_memory.ask(
                lambda memory, _: memory.editor.check_text(file.path, text, links=links),
                Urgency.MATCHING,
            )
            problems = await asyncio.wrap_future(answer)
        except asyncio.CancelledError:
            return  # the memory was closed meanwhile
        except Exception:  # noqa: BLE001  a fault must not pop up in the editor
            _log.exception("fault while checking %s", uri)
            return
        finally:
            self._under_way.discard(uri)
            again = uri in self._again
            self._again.discard(uri)
        if uri not in self._open:
            return
        if again:
            self.want(uri)
            return
        if not links:
            self._later(uri, open_memory)
        lines = text.split("\n")
        self._publish(uri, [diagnostic(each, lines, self._server.units) for each in problems])

    def _later(self, uri: str, open_memory: "OpenMemory") -> None:
        """Check links, too, as soon as the memory has caught up."""
        loop = asyncio.get_running_loop()

        def caught_up(_: "Future[None]") -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.want, uri)

        open_memory.follow().add_done_callback(caught_up)

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
        self._server.text_document_publish_diagnostics(params)


def memory_path(path: str, folder: str) -> str | None:
    """Give a record file's path within the memory's folder, or None for any other file."""
    inside = relative_path(path, folder)
    first = inside.partition("/")[0]
    return inside if first in KIND_OF_FOLDER and inside.endswith((".yaml", ".yml")) else None


class RecordFile(NamedTuple):
    """A record file that is open in the editor: its memory, and its path in it."""

    open_memory: "OpenMemory"
    path: str


def record_file_at(server: "EditorSession", uri: str) -> RecordFile | None:
    """Give the record file that an address names; None for any other document."""
    path = path_of(uri)
    open_memory = server.open_memory_for(uri) if path.endswith((".yaml", ".yml")) else None
    inside = memory_path(path, open_memory.folder) if open_memory else None
    return RecordFile(open_memory, inside) if open_memory and inside else None


def diagnostic(
    problem: "Problem", lines: Sequence[str], units: Callable[[str], int]
) -> types.Diagnostic:
    """Make a diagnostic of a problem.

    Args:
        problem: counts lines and columns from 1, in characters.
        lines: the text's lines.
        units: counts a text in the units that the editor counts columns in.

    """
    line = min(max(problem.line - 1, 0), len(lines) - 1)
    text = line_at(lines, line)
    start = min(max(problem.column - 1, 0), len(text))
    message = problem.message + (f"\n{problem.hint}" if problem.hint else "")
    end = max(units(text.rstrip()), units(text[:start]))
    return types.Diagnostic(
        range=types.Range(
            start=types.Position(line=line, character=units(text[:start])),
            end=types.Position(line=line, character=end),
        ),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="gitmem",
    )
