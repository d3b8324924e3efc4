"""What it is called when two failures agree: levels in the order they are looked up, and labels."""

from collections.abc import Mapping
from typing import Any, Final

SAME_ERROR: Final = "same error"
SAME_PLACE: Final = "same place"
SAME_MESSAGE: Final = "same message"
SIMILAR: Final = "similar"
IN_MEANING: Final = "similar in meaning"
"""Of what no word has found: it lies near the question, which is no evidence."""
SAME_TEST: Final = "same test"
"""The same test failed, with other values: in an order it stands near the same error."""
SAME_KIND: Final = "same kind"
"""The same is said of other names: in an order it stands before what only looks alike."""
SHOWN_AS: Final = {SAME_TEST: SAME_PLACE, SAME_KIND: SIMILAR}
"""What these two are called where they are told."""
WEAK: Final = "weak"
"""Of what shares too few words with a pasted text to be like it."""
LOOKED_UP: Final = ("exact", "site", "place", "message")
"""The levels at which a failure is looked up, best first."""


def label_of(level: str, fields: Mapping[str, Any]) -> str:
    """Say what it means that a level agrees.

    Args:
        level: one of ``LOOKED_UP``.
        fields: the failure, as the fields of an error record.

    """
    if level == "exact":
        return SAME_ERROR
    if level == "message" or not is_placed(fields):
        return SAME_MESSAGE
    return SAME_PLACE if level == "place" or _compares(fields) else SAME_ERROR


def _compares(fields: Mapping[str, Any]) -> bool:
    """Tell whether values were compared, so that other values are another outcome."""
    from gitmem.matching.recorded import from_fields
    from gitmem.matching.sameness import compares

    return compares(from_fields(fields))


def is_placed(fields: Mapping[str, Any]) -> bool:
    """Tell whether the ``site`` of a failure is a place: of others it is what was said."""
    return bool(fields.get("frames") or fields.get("test"))
