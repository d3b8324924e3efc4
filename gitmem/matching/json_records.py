"""Records of a log that are JSON, one a line, written as the plain lines that they hold.

What failed is in a text or an object of its own, the stack in another one. Services of one language
name these parts as those of any other.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

_LEVEL: Final = ("level", "severity", "levelname", "lvl", "log.level", "@l")
_LOUD: Final = frozenset(
    {"error", "err", "fatal", "critical", "panic", "dpanic", "severe", "alert"}
)
_LOUD_FROM: Final = 50
"""What Node's loggers count as an error."""
_MESSAGE: Final = ("msg", "message", "event", "@m", "@mt")
_ERROR: Final = ("err", "error", "exception", "cause")
_STACK: Final = ("stack", "stacktrace", "stack_trace", "stackTrace", "error.stack", "@x")
_TYPE: Final = ("type", "name", "class")
_CALLER: Final = ("caller", "source", "file")
_MOST: Final = 64_000
_TRACEBACK: Final = "Traceback (most recent call last)"
"""Python's own text is read where it stands."""


def plain_records(lines: Sequence[str]) -> list[str] | None:
    """Give lines with each record of an error in plain words; None if there is none."""
    written = [_plain(line) for line in lines]
    if not any(written):
        return None
    return [
        each
        for line, plain in zip(lines, written, strict=True)
        for each in ([*plain, ""] if plain else [line])
    ]


def _plain(line: str) -> list[str]:
    if not line.startswith("{") or len(line) > _MOST or _TRACEBACK in line:
        return []
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return _words(record) if isinstance(record, dict) and _is_loud(record) else []


def _is_loud(record: Mapping[str, Any]) -> bool:
    level = next((record[name] for name in _LEVEL if name in record), None)
    if type(level) is int:
        return level >= _LOUD_FROM
    return isinstance(level, str) and level.lower() in _LOUD


def _words(record: Mapping[str, Any]) -> list[str]:
    """Write what went wrong in one line, and below it the steps, if there are any."""
    error = next((record[name] for name in _ERROR if record.get(name)), None)
    within = error if isinstance(error, dict) else {}
    stack = _text(within, _STACK) or _text(record, _STACK)
    message = _text(record, _MESSAGE)
    why = error if isinstance(error, str) else _text(within, _MESSAGE)
    kind = _text(within, _TYPE)
    first, *steps = stack.split("\n")
    if stack and why and why in first:  # the stack has its own head
        return [first, *steps]
    if kind and why:
        return [f"{kind}: {why}", *([first, *steps] if stack else [])]
    whole = f"{message}: {why}" if why and why not in message else message or why
    if stack and not why and steps:
        # Go's loggers write the steps alone.
        alone = ": " in first or not whole
        return [first, *steps] if alone else [f"error: {whole}", first, *steps]
    place = _text(record, _CALLER) or _place(record)
    return [f"{place}: error: {whole}" if ":" in place else f"error: {whole}"] if whole else []


def _place(record: Mapping[str, Any]) -> str:
    """Give the file and the line that a logger wrote the record in, as Go's ``slog`` names them."""
    source: Mapping[str, Any] = next(
        (record[name] for name in _CALLER if isinstance(record.get(name), dict)), {}
    )
    return f"{source['file']}:{source['line']}" if {"file", "line"} <= source.keys() else ""


def _text(value: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((text for name in names if isinstance(text := value.get(name), str) and text), "")
