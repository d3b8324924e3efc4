"""Problems of record files, as diagnostics at the line and column they are at."""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from gitmem.records.layout import KIND_OF_FOLDER
from lsp_server.places import line_at, path_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gitmem.records.problems import Problem
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

_PATIENCE: Final = 2.0
_log = logging.getLogger(__name__)
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def register(server: "EditorSession") -> None:
    """Check record files when their text is new."""
    checks = Checks(server)
    server.listeners.text_changed.append(checks.want)
    server.listeners.document_closed.append(checks.drop)
    server.listeners.memory_changed.append(checks.want_all)


class Checks:
    """Checks the open record files, each once at a time, always for the newest text.

    Lives on the event loop; reading happens in a shelf's thread.
    """

    def __init__(self, server: "EditorSession") -> None:
        self._server = server
        self._under_way: set[str] = set()
        self._again: set[str] = set()
        self._open: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()  # which nobody else holds

    def want(self, uri: str) -> None:
        """Check a document, if it is a record file."""
        place = place_of(self._server, uri)
        if place is None:
            return
        self._open.add(uri)
        if uri in self._under_way:
            self._again.add(uri)
            return
        self._under_way.add(uri)
        task = asyncio.ensure_future(self._check(uri, *place))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def want_all(self, shelf: "Shelf") -> None:
        """Check the open record files of a memory again: what they link to has changed."""
        for uri in list(self._open):
            place = place_of(self._server, uri)
            if place and place[0] is shelf:
                self.want(uri)

    def drop(self, uri: str) -> None:
        """Take the diagnostics of a document back."""
        if uri in self._open:
            self._open.discard(uri)
            self._publish(uri, [])

    async def _check(self, uri: str, shelf: "Shelf", inside: str) -> None:
        found: list[Problem] = []
        text = ""
        try:
            await shelf.fresh(_PATIENCE)
            if shelf.closed:
                return
            text = self._server.workspace.get_text_document(uri).source
            # A link may lead to what was not taken in yet.
            links = shelf.ready
            asked = shelf.submit(lambda memory, _: memory.check_text(inside, text, links=links))
            found = await asyncio.wrap_future(asked)
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
            self._later(uri, shelf)
        lines = text.split("\n")
        self._publish(uri, [diagnostic(one, lines, self._server.units) for one in found])

    def _later(self, uri: str, shelf: "Shelf") -> None:
        """Check links, too, as soon as the memory has caught up."""
        loop = asyncio.get_running_loop()

        def caught_up(_: "Future[None]") -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.want, uri)

        shelf.follow().add_done_callback(caught_up)

    def _publish(self, uri: str, found: list[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=found)
        self._server.text_document_publish_diagnostics(params)


def memory_path(path: str, folder: str) -> str | None:
    """Give a record file's path within the memory's folder, or None for any other file."""
    inside = os.path.relpath(path, folder).replace(os.sep, "/")
    first = inside.partition("/")[0]
    return inside if first in KIND_OF_FOLDER and inside.endswith((".yaml", ".yml")) else None


def place_of(server: "EditorSession", uri: str) -> "tuple[Shelf, str] | None":
    """Give the memory of a record file and its path in it; None for any other document."""
    path = path_of(uri)
    shelf = server.shelf_for(uri) if path.endswith((".yaml", ".yml")) else None
    inside = memory_path(path, shelf.folder) if shelf else None
    return (shelf, inside) if shelf and inside else None


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
