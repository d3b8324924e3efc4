"""What it is called when two failures agree: levels in the order they are looked up, and labels."""

from collections.abc import Mapping
from typing import Any, Final

SAME_ERROR: Final = "same error"
SAME_PLACE: Final = "same place"
SAME_MESSAGE: Final = "same message"
LOOKED_UP: Final = ("exact", "site", "template")
"""The levels at which a failure is looked up, best first."""


def label_of(level: str, fields: Mapping[str, Any]) -> str:
    """Say what it means that a level agrees.

    Args:
        level: one of ``LOOKED_UP``.
        fields: the failure, as the fields of an error record.

    """
    if level == "exact":
        return SAME_ERROR
    placed = fields.get("frames") or fields.get("test")
    return SAME_PLACE if level == "site" and placed else SAME_MESSAGE
