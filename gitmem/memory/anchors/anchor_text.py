"""The content hash and quoted line of an anchor, taken from the file as it is."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitmem.matching.relocate import digest_of, quote_of
from gitmem.matching.symbols import symbol_at
from gitmem.memory.anchors.anchor_finder import file_text

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


def with_text(workspace: "Workspace", fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill in, for each anchor with a path and lines, their hash, a quote and the symbol.

    What is said stays. Nothing is filled in where the lines are not there, do not hold the quote
    that is given (an editor's text need not be saved), or hold a secret.

    Args:
        workspace: of the memory.
        fields: of any record, as plain data.

    """
    anchors = fields.get("anchors")
    if not isinstance(anchors, list | tuple) or not anchors:
        return fields
    return {**fields, "anchors": [_filled(workspace, anchor) for anchor in anchors]}


def _filled(workspace: "Workspace", anchor: Any) -> Any:  # noqa: ANN401  what people hand in
    position = _place(anchor)
    if position is None or anchor.get("content_hash") or anchor.get("commit"):
        return anchor
    path, first, last = position
    text = file_text(workspace.site.root, path)
    if text is None or not 1 <= first <= last <= len(text):
        return anchor
    lines = text.lines[first - 1 : last]
    given = str(anchor.get("quote", "")).strip().partition("\n")[0].strip()
    if given and given not in map(str.strip, lines):
        return anchor
    symbol = anchor.get("symbol") or symbol_at(path, text.lines, first, last)
    whole = "\n".join(lines)
    if workspace.redacted_text(whole) != whole:
        return {**anchor, "symbol": symbol} if symbol else anchor
    digest, quote = digest_of(text, first, last), given or quote_of(lines)
    details = {"symbol": symbol, "content_hash": digest, "quote": quote}
    return {**anchor, **{name: value for name, value in details.items() if value}}


def _place(anchor: object) -> tuple[str, int, int] | None:
    """Read path and lines of an anchor; None if it has not both, or they are no good."""
    if not isinstance(anchor, Mapping):
        return None
    path, lines = anchor.get("path"), anchor.get("lines")
    if not isinstance(path, str) or not isinstance(lines, list | tuple):
        return None
    if [type(number) for number in lines] != [int, int] or os.path.isabs(path):
        return None
    return None if os.pardir in path.split("/") else (path, lines[0], lines[1])
