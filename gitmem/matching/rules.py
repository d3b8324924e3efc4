"""Masks that a team adds: a name, a pattern, what stands there instead.

A pattern runs on every message of every failing command, so one that may take long is
refused when the settings are read: it must be short, hold no repetition inside another and
no reference back, and each open repetition must end at something it can't match itself.
"""

import re
import warnings
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Final

from gitmem.errors import InvalidError
from gitmem.matching.masks import Rule

MOST_RULES: Final = 50
MOST_PATTERN: Final = 200
MOST_MASK: Final = 60
_LARGE: Final = 16
_ALPHABET: Final = [*map(chr, range(128)), "é", "中"]
_FORBIDDEN: Final = {
    "GROUPREF": "refers back to a group",
    "GROUPREF_EXISTS": "refers back to a group",
}
_HINT: Final = "write it with bounds, such as [A-Z]{1,20}, and something fixed between repetitions"

_parser: Final[Any] = import_module("re._parser")
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


def user_rules(settings: Iterable[Mapping[str, object]]) -> tuple[Rule, ...]:
    """Read the rules of a team's settings: mappings with ``name``, ``pattern`` and ``mask``."""
    rules = tuple(_from_mapping(entry) for entry in settings)
    if len(rules) > MOST_RULES:
        raise InvalidError(f"masks: {len(rules)} rules, more than {MOST_RULES}", "keep fewer")
    return rules


def _from_mapping(entry: Mapping[str, object]) -> Rule:
    name, pattern, mask = entry.get("name"), entry.get("pattern"), entry.get("mask", "<*>")
    if not (isinstance(name, str) and isinstance(pattern, str) and isinstance(mask, str)):
        raise InvalidError("masks: a rule lacks a name or a pattern", "both are texts", "masks")
    return user_rule(name, pattern, mask)


def user_rule(name: str, pattern: str, mask: str = "<*>") -> Rule:
    """Check a rule and make it.

    Args:
        name: what it is called in explanations.
        pattern: a regular expression, within the bounds that the module's docstring names.
        mask: plain text that stands in its place.

    Raises:
        InvalidError: if the pattern is no pattern, or one that may take long.

    """
    if not name.strip() or len(name) > MOST_MASK or len(mask) > MOST_MASK:
        raise InvalidError(f"mask {name!r}: the name or the mask is missing or too long", "", name)
    if not pattern or len(pattern) > MOST_PATTERN:
        message = f"mask {name!r}: the pattern is empty or longer than {MOST_PATTERN} characters"
        raise InvalidError(message, _HINT, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern)
            tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise InvalidError(f"mask {name!r}: {error}", "check the pattern", name) from None
    reason = "matches the empty text" if compiled.match("") else _slow(list(tree), inside=False)
    if reason:
        raise InvalidError(f"mask {name!r}: the pattern {reason}", _HINT, name)
    return Rule(name, compiled, mask)


def _slow(items: list[Any], *, inside: bool) -> str:
    """Say why a sequence may take long; an empty text if it can't."""
    open_set: set[str] | None = None  # what the last open repetition can match
    for op, value in items:
        name = str(op)
        if name in _FORBIDDEN:
            return _FORBIDDEN[name]
        reason = _slow_inside(name, value, inside=inside)
        if reason:
            return reason
        chars, least = _chars(name, value)
        large = name in _REPEATS and _bound(value) > _LARGE
        if open_set is not None and least and not chars & open_set:
            open_set = None
        if large:
            if open_set is not None and chars & open_set:
                return "repeats twice what may be the same"
            open_set = chars if open_set is None else open_set | chars
    return ""


def _slow_inside(name: str, value: Any, *, inside: bool) -> str:  # noqa: ANN401
    if name in _REPEATS:
        if inside and not int(value[0]) == _bound(value) == 1:
            return "has a repetition inside a repetition"
        return _slow(list(value[2]), inside=inside or _bound(value) > 1)
    if name == "SUBPATTERN":
        return _slow(list(value[3]), inside=inside)
    if name in ("ASSERT", "ASSERT_NOT"):
        return _slow(list(value[1]), inside=inside)
    if name == "ATOMIC_GROUP":
        return _slow(list(value), inside=inside)
    if name == "BRANCH" and inside:
        return "has alternatives inside a repetition"
    if name == "BRANCH":
        return next(filter(None, (_slow(list(one), inside=inside) for one in value[1])), "")
    return ""


def _bound(value: Any) -> int:  # noqa: ANN401
    return int(value[1])


def _chars(name: str, value: Any) -> tuple[set[str], bool]:  # noqa: ANN401
    """Give the characters an item can begin with, of a few, and whether it takes at least one."""
    if name in _REPEATS:
        inner: set[str] = set()
        for op, part in value[2]:
            inner |= _chars(str(op), part)[0]
        return inner, int(value[0]) > 0
    if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY", "RANGE"):
        return {char for char in _ALPHABET if _matches(name, value, char)}, True
    if name == "AT":
        return set(_ALPHABET), False
    return set(_ALPHABET), False


def _matches(name: str, value: Any, char: str) -> bool:  # noqa: ANN401
    if name == "LITERAL":
        return ord(char) == int(value)
    if name == "NOT_LITERAL":
        return ord(char) != int(value)
    if name == "RANGE":
        return bool(value[0] <= ord(char) <= value[1])
    if name == "ANY":
        return char != "\n"
    if name == "CATEGORY":
        return bool(_CATEGORIES[str(value)].match(char))
    parts = [(str(op), part) for op, part in value]
    negated = bool(parts) and parts[0][0] == "NEGATE"
    return negated != any(_matches(op, part, char) for op, part in parts if op != "NEGATE")


_CATEGORIES: Final = {
    "CATEGORY_DIGIT": re.compile(r"\d"),
    "CATEGORY_NOT_DIGIT": re.compile(r"\D"),
    "CATEGORY_SPACE": re.compile(r"\s"),
    "CATEGORY_NOT_SPACE": re.compile(r"\S"),
    "CATEGORY_WORD": re.compile(r"\w"),
    "CATEGORY_NOT_WORD": re.compile(r"\W"),
}
