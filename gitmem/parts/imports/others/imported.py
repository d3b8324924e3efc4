"""The result that all readers of other tools return, and how they read times, lines and tags."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError

Query = Callable[[str], list[dict[str, Any]]]
"""Answers SQL with rows by the names of their columns."""
_LONGEST_TITLE: Final = 300
_LONGEST_TAG: Final = 100
_MOST_SCALARS: Final = 60
_TAG: Final = "imported"
_UNFIT: Final = re.compile(r"[\s,\x00-\x1f]+")


class ForeignEntry(NamedTuple):
    """One thing that another tool remembers, as drafts of records that belong together.

    Attributes:
        title: one line that names it.
        source: what the other tool calls it: an id, a row.
        what: what it is there.
        at: when it was.
        drafts: (kind, fields) with ids and times; a later one may link to an earlier one.

    """

    title: str
    source: str
    what: str
    at: datetime
    drafts: list[tuple[str, dict[str, Any]]]


class ForeignFile(NamedTuple):
    """What a file of another tool holds.

    Attributes:
        things: in the order in which they are written.
        passed: why things were passed over, and how many.

    """

    things: list[ForeignEntry]
    passed: Counter[str]


def envelope(
    record_id: str, title: object, at: datetime, who: str, tool: str, tags: Iterable[object] = ()
) -> dict[str, Any]:
    """Give the fields that every draft has.

    Args:
        record_id: made by ``exchange.identity``.
        title: any text; its first line that says something.
        at: when it was.
        who: name of the author.
        tool: the format's name.
        tags: as the other tool has them; what can't be a tag is made one.

    """
    fitting = [_UNFIT.sub("-", str(tag)).strip("-")[:_LONGEST_TAG] for tag in tags if tag]
    return {
        "id": record_id,
        "title": line(title) or record_id,
        "created": stamp(at),
        "author": {"name": line(who) or tool, "via": "tool", "tool": f"gitmem import {tool}"},
        "tags": list(dict.fromkeys([_TAG, tool, *filter(None, fitting)])),
    }


def stamp(at: datetime) -> str:
    """Write a time as records do."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(value: object, most: int = _LONGEST_TITLE) -> str:
    """Fold the first paragraph of a text into one line of at most ``most`` characters."""
    paragraph = text(value).strip().partition("\n\n")[0]
    folded = " ".join(paragraph.split())
    return folded if len(folded) <= most else folded[: most - 1].rstrip() + "…"


def text(value: object) -> str:
    """Give a text as it is, nothing for None, and anything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def texts(value: object) -> list[str]:
    """Give what may be a list or one text as a list of texts that say something."""
    items = value if isinstance(value, list) else [value]
    return [item for item in map(text, items) if item.strip()]


def number(value: object) -> float | None:
    """Give a number that is not negative, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < float("inf") else None


def time(value: object, otherwise: datetime) -> datetime:
    """Read an ISO time or seconds since 1970; without a zone it is UTC."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str) and value.strip():
            read = datetime.fromisoformat(value.strip())
            return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return otherwise


def before(at: datetime, seconds: float | None) -> datetime:
    """Go back from a time; where that leaves the calendar, stay."""
    try:
        return at - timedelta(seconds=seconds or 0)
    except OverflowError:
        return at


def scalars(value: object, at: str = "") -> dict[str, Any]:
    """Flatten nested settings to ``a.b: value``; lists become texts. At most 60."""
    values: dict[str, Any] = {}
    if isinstance(value, Mapping):
        for key, inner in value.items():
            values |= scalars(inner, f"{at}.{key}" if at else str(key))
    elif at:
        plain = value is None or isinstance(value, str | bool | int | float)
        values[at] = value if plain else text(value)
    return dict(list(values.items())[:_MOST_SCALARS])


def mapping(value: object) -> dict[str, Any]:
    """Give a mapping as it is, and nothing for anything else."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """Give the mappings of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def nothing(what: str) -> InvalidError:
    """Say that a file holds none of what it should."""
    return InvalidError(f"there are no {what} in it", "name its format with --format")


def from_json(value: object) -> object:
    """Read a column that holds JSON; a text that is none stays a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
