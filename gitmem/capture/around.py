"""The failing line of source with its neighbours, as it stood when the failure was seen."""

from collections.abc import Callable, Mapping
from typing import Any, Final

NEIGHBOURS: Final = 3
"""Lines on each side."""
LONGEST_LINE: Final = 200


def failing_place(fields: Mapping[str, Any]) -> tuple[str, int] | None:
    """Name the file and line of an error's own code that failed: innermost frame, else location.

    Args:
        fields: of an ``error`` record, as plain data.

    """
    for frame in reversed(fields.get("frames") or ()):
        if frame.get("in_app") and frame.get("line"):
            return str(frame["file"]), int(frame["line"])
    location = fields.get("location") or {}
    if location.get("file") and location.get("line"):
        return str(location["file"]), int(location["line"])
    return None


def with_surroundings(
    fields: Mapping[str, Any], text_of: Callable[[str], str | None]
) -> dict[str, Any]:
    """Add ``location.around`` to the fields of an error; leave them alone where it can't be.

    Args:
        fields: of an ``error`` record.
        text_of: gives a file's text by its path as the failure names it; None if there is none.

    """
    place = failing_place(fields)
    text = text_of(place[0]) if place else None
    if place is None or text is None:
        return dict(fields)
    file, line = place
    lines = text.splitlines()
    if not 1 <= line <= len(lines):
        return dict(fields)
    first = max(0, line - 1 - NEIGHBOURS)
    shown = [line_text[:LONGEST_LINE].rstrip() for line_text in lines[first : line + NEIGHBOURS]]
    location = fields.get("location") or {"file": file, "line": line}
    if (location.get("file"), location.get("line")) != place:
        return dict(fields)
    return {**fields, "location": {**location, "around": "\n".join(shown)}}
