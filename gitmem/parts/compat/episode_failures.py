"""What failed episodes have in common: the errors that their events and figures tell of. Pure."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gitmem.records.kinds import Session

_NAMED: Final = re.compile(
    r"\b((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Timeout|Warning))\b(?::\s*(.+))?"
)
_NUMBER: Final = re.compile(r"\d+")
_TYPES: Final = ("error_type", "exception", "exception_type")
_MESSAGES: Final = ("error_message", "error", "message", "reason")


def failure_patterns(sessions: Iterable[Session]) -> list[dict[str, Any]]:
    """Group failed episodes by the error that they tell of; the most frequent first.

    Args:
        sessions: newest first. Of one group ``id``, ``task``, ``approach`` and ``summary`` are
            those of the newest.

    """
    groups: dict[str, list[tuple[Session, str, str]]] = {}
    for session in sessions:
        kind, message = next(_errors(session), ("", ""))
        # An episode that tells of no error has nothing in common with another one.
        cause = kind or _NUMBER.sub("0", message) or session.id
        groups.setdefault(cause, []).append((session, kind, message))
    return [_pattern(group) for group in sorted(groups.values(), key=len, reverse=True)]


def _pattern(group: list[tuple[Session, str, str]]) -> dict[str, Any]:
    newest, kind, message = group[0]
    return {
        "id": newest.id,
        "task": newest.goal or newest.title,
        "approach": newest.approach,
        "error_type": kind,
        "error_message": message,
        "error_messages": list(dict.fromkeys(text for _, _, text in group if text)),
        "count": len(group),
        "episodes": [session.id for session, *_ in group],
        "tasks": list(dict.fromkeys(session.goal or session.title for session, *_ in group)),
        "summary": newest.summary,
    }


def _errors(session: Session) -> Iterator[tuple[str, str]]:
    """Give the errors that an episode tells of: of its figures, then of its newest events."""
    yield from _stated(session.metrics)
    for event in reversed(session.events):
        data = _data(event.text)
        if isinstance(data, Mapping):
            yield from _stated(data)
        elif named := _NAMED.search(event.text):
            yield named[1], (named[2] or "").strip()


def _stated(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    kind = next((str(data[name]) for name in _TYPES if data.get(name)), "")
    texts = [str(data[name]) for name in _MESSAGES if isinstance(data.get(name), str)]
    # A text may name the type alone, as the message is in another field.
    named = next(filter(None, map(_NAMED.search, texts)), None)
    kind = kind or (named[1] if named else "")
    message = next(iter(texts), "")
    if named and named[1] == kind:
        others = (text for text in texts if text != named.string)
        message = (named[2] or "").strip() or next(others, "")
    if kind or message:
        yield kind, message


def _data(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
