"""The anchors in a record's file, read without the classes of records where gitmem wrote it.

The import of those, and of the YAML parser, takes as long as a whole search.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.records import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.records.parts import Anchor

_TEXTS: Final = ("path", "symbol", "content_hash", "quote", "commit")


class PlainAnchor(NamedTuple):
    """What ``records.parts.Anchor`` has, by the same names."""

    path: str
    lines: tuple[int, int] | None = None
    symbol: str = ""
    content_hash: str = ""
    quote: str = ""
    commit: str = ""


def anchors_in(data: bytes, path: str) -> "Sequence[Anchor | PlainAnchor]":
    """Give the places that a record's file names.

    Args:
        data: the file.
        path: its path, relative to the memory's folder.

    """
    fields = (canonical.read(data) or {"anchors": None}).get("anchors", [])
    plain = [_plain(anchor) for anchor in fields] if isinstance(fields, list) else [None]
    anchors = [anchor for anchor in plain if anchor]
    if len(anchors) == len(plain):
        return anchors
    from gitmem.records.convert import decode

    record = decode(data, path).record
    return record.anchors if record else ()


def _plain(fields: Any) -> PlainAnchor | None:  # noqa: ANN401  whatever a file has
    """Give an anchor; None if its fields have other types: what is wrong others say."""
    if not isinstance(fields, dict) or not fields.get("path"):
        return None
    texts = {name: fields.get(name, "") for name in _TEXTS}
    lines = fields.get("lines")
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if lines is None:
        return PlainAnchor(**texts)
    match lines:
        case [int(first), int(last)]:
            return PlainAnchor(**texts, lines=(first, last))
    return None


def quote_in(anchor: "Anchor | PlainAnchor") -> str:
    """Give the line that an anchor quotes, without blanks around it; empty: it quotes none."""
    return next((line.strip() for line in anchor.quote.splitlines() if line.strip()), "")
