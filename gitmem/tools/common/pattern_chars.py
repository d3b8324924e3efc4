"""Which characters a part of a regular expression can match: what judges of patterns build on."""

import re
from typing import Any, Final

ALPHABET: Final = [*map(chr, range(128)), "é", "中"]
"""Characters that stand for all: of those beyond ASCII, the last two do."""
ONE_SIGN: Final = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY", "RANGE")
"""Operations of a parsed pattern that match one character."""


def chars_of(name: str, value: Any) -> frozenset[str]:  # noqa: ANN401
    """Give which characters of ``ALPHABET`` a part of one sign can match; in doubt more."""
    chars = {char for char in ALPHABET if _matches(name, value, char)}
    return frozenset(chars | {char.swapcase() for char in chars if char.isascii()})


def _matches(name: str, value: Any, char: str) -> bool:  # noqa: ANN401
    """Tell whether a part of one sign can match a character; in doubt it can."""
    if name == "LITERAL":
        return ord(char) == int(value) or (int(value) > 127 and not char.isascii())  # noqa: PLR2004
    if name == "NOT_LITERAL":
        return ord(char) != int(value) or not char.isascii()
    if name == "RANGE":
        wide = value[1] > 127 and not char.isascii()  # noqa: PLR2004
        return bool(wide or value[0] <= ord(char) <= value[1])
    if name == "ANY":
        return True
    if name == "CATEGORY":
        return bool(_CATEGORIES[str(value)].match(char))
    parts = [(str(op), part) for op, part in value]
    if parts and parts[0][0] == "NEGATE":
        inside = any(_matches(op, part, char) for op, part in parts[1:])
        return not inside or not char.isascii()
    return any(_matches(op, part, char) for op, part in parts)


_CATEGORIES: Final = {
    "CATEGORY_DIGIT": re.compile(r"\d"),
    "CATEGORY_NOT_DIGIT": re.compile(r"\D"),
    "CATEGORY_SPACE": re.compile(r"\s"),
    "CATEGORY_NOT_SPACE": re.compile(r"\S"),
    "CATEGORY_WORD": re.compile(r"\w"),
    "CATEGORY_NOT_WORD": re.compile(r"\W"),
}
