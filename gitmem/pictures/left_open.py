"""What callers write into fields that a picture shall fill (pure)."""

from collections.abc import Mapping
from typing import Any, Final

_LEFT_OPEN: Final = frozenset({"", "unknown", "see screenshot"})
_NAMING: Final = ("title", "message", "error_type", "code", "test")
"""Fields of which one says what an error is."""


def is_open(value: object) -> bool:
    """Tell whether a value states nothing."""
    return isinstance(value, str) and value.strip().lower() in _LEFT_OPEN


def names_it(fields: Mapping[str, Any]) -> bool:
    """Tell whether fields of an error say which one it is."""
    return any(fields.get(name) and not is_open(fields[name]) for name in _NAMING)
