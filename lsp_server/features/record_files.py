"""Problems of record files, as diagnostics at the line and column they are at."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types

from gitmem.records.convert import decode
from gitmem.records.layout import KIND_OF_FOLDER, id_in
from gitmem.records.problems import Problem
from lsp_server.places import path_of

if TYPE_CHECKING:
    from lsp_server.server import MemoryServer

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def register(server: "MemoryServer") -> None:
    """Publish diagnostics of record files as they are opened and edited; of no other files."""
    server.on_text.append(publish)
    server.on_close.append(_withdraw)


def publish(ls: "MemoryServer", uri: str) -> None:
    """Check a document, if it is a record file."""
    shelf = ls.shelf_for(uri)
    inside = memory_path(path_of(uri), shelf.folder) if shelf else None
    if inside:
        document = ls.workspace.get_text_document(uri)
        found = diagnostics(document.source, inside, ls.units)
        ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=document.version, diagnostics=found)
        )


def _withdraw(ls: "MemoryServer", uri: str) -> None:
    shelf = ls.shelf_for(uri)
    if shelf and memory_path(path_of(uri), shelf.folder):
        ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=[])
        )


def memory_path(path: str, folder: str) -> str | None:
    """Give a record file's path within the memory's folder, or None for any other file."""
    inside = os.path.relpath(path, folder).replace(os.sep, "/")
    first = inside.partition("/")[0]
    return inside if first in KIND_OF_FOLDER and inside.endswith((".yaml", ".yml")) else None


def diagnostics(text: str, path: str, units: Callable[[str], int]) -> list[types.Diagnostic]:
    """Check the text of a record file.

    Args:
        text: the file's text as the editor has it.
        path: relative to the memory's folder.
        units: counts a text in the units that the editor counts columns in.

    """
    record, problems = decode(text.encode("utf-8", "surrogatepass"), path)
    if record and (named := id_in(path)) and named != record.id:
        message = f"the file's name says {named}, the record inside says {record.id}"
        problems.append(Problem(path, "id-mismatch", message, line=1))
    lines = text.split("\n")
    return [_diagnostic(problem, lines, units) for problem in problems]


def _diagnostic(
    problem: Problem, lines: list[str], units: Callable[[str], int]
) -> types.Diagnostic:
    line = min(max(problem.line - 1, 0), len(lines) - 1)
    text = lines[line]
    start = min(max(problem.column - 1, 0), len(text))
    message = problem.message + (f"\n{problem.hint}" if problem.hint else "")
    return types.Diagnostic(
        range=types.Range(
            start=types.Position(line=line, character=units(text[:start])),
            end=types.Position(line=line, character=max(units(text.rstrip()), units(text[:start]))),
        ),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="gitmem",
    )
