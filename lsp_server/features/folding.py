"""Folding of record files: every field and list that takes more than a line."""

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.error_log import log_errors
from lsp_server.features.record_files import record_file_at
from lsp_server.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsp_server.session import EditorSession


def register(server: "EditorSession") -> None:
    """Answer requests for folding."""

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    @log_errors
    async def on_folding(
        ls: "EditorSession", params: types.FoldingRangeParams
    ) -> list[types.FoldingRange]:
        uri = params.text_document.uri
        return folds(ls.lines_of(uri)) if record_file_at(ls, uri) else []


def folds(lines: "Sequence[str]") -> list[types.FoldingRange]:
    """Give what can be folded: the first of those that begin on one line."""
    by_line: dict[int, types.FoldingRange] = {}
    for entry in outline(lines):
        if entry.last > entry.line:
            by_line.setdefault(
                entry.line, types.FoldingRange(start_line=entry.line, end_line=entry.last)
            )
    return list(by_line.values())
