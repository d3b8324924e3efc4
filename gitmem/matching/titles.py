"""One line that names a failure, with what tells it from others and without what varies."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.lazy_pattern import lazily

MOST: Final = 200
"""Characters of a title."""
_JOINED: Final = 3
_LONGEST_LINE: Final = 80
_MOST_COMPARED: Final = 200
# What is another one in each run: addresses, hashes, times.
_VARIES: Final = (
    (lazily(r" at 0x[0-9a-fA-F]+(?=>)|(?<=[\w)])@[0-9a-f]{5,16}\b"), ""),
    (lazily(r"(?:\.\.\.|\u2026)\d{4,}(?=>)"), "\u2026"),
    (lazily(r"\b0x[0-9a-fA-F]{6,}\b"), "0x\u2026"),
    (lazily(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"), "\u2026"),
    (lazily(r" \(\d+(?:\.\d+)? ?m?s\)"), ""),
)
_EXPECTED: Final = lazily(r"expect(?:ed)?\s*:\s*(?P<value>\S.*)$", re.IGNORECASE)
_ACTUAL: Final = lazily(r"(?:got|actual|received|was)\s*:\s*(?P<value>\S.*)$", re.IGNORECASE)
_MATCHER: Final = lazily(r"expect\(.*?\)(?P<name>(?:\.\w+)+)\(.*?\)(?: // .*)?$")
_LEFT: Final = lazily(r"\s*left: (?P<value>.+)$")
_RIGHT: Final = lazily(r"\s*right: (?P<value>.+)$")
_SYMBOL: Final = lazily(r"\s*symbol ?: +(?P<value>\S.*)$")
_COMPARED: Final = lazily(r"\+ actual - expected\b")
_ONLY: Final = (lazily(r"-\s+(?P<value>\S.*)$"), lazily(r"\+\s+(?P<value>\S.*)$"))
"""Of a comparison: a line that only the expected value has, and one that only the actual has."""
_NOISE: Final = lazily(r"\s*(?:\+ actual - expected|\+ expected - actual|[-+^~=\s]*)$")


def title_of(fields: Mapping[str, Any]) -> str:
    """Name a failure that is the fields of an error record.

    The type, unless the message says it, and of the message the first line; with the values of a
    comparison, the symbol or the code where that line is the same for many mistakes.
    """
    from gitmem.records.type_in_title import with_type

    message = str(fields.get("message", ""))
    for pattern, instead in _VARIES:
        message = pattern.sub(instead, message)
    test = fields.get("test") or {}
    telling = _telling(message.strip().split("\n"), test)
    kind = str(fields.get("error_type", ""))
    code = str(fields.get("code", ""))
    tool = fields.get("tool")
    if tool == "ctest" and test.get("name"):
        telling = f"{test['name']}: {telling}"
    if kind and not telling and test.get("name"):
        return _bounded(f"{kind} in {test['name']}")
    if tool == "gradle":
        telling = _with_cause(telling, message)
    if tool == "rustc" and code and code not in telling:
        telling = f"{code}: {telling}"
    return _bounded(with_type(telling, kind))


def _bounded(title: str) -> str:
    return title if len(title) <= MOST else title[: MOST - 1] + "\u2026"


def _with_cause(first: str, message: str) -> str:
    """Add the innermost cause, which Gradle writes last, behind ``>``."""
    causes = [line.strip()[2:] for line in message.split("\n") if line.lstrip().startswith("> ")]
    return f"{first.rstrip('.')}: {causes[-1]}" if causes else first


def _telling(lines: Sequence[str], test: Mapping[str, Any]) -> str:
    first = lines[0].strip()
    rest = [line.strip() for line in lines[1:12] if not _NOISE.match(line)]
    if matcher := _MATCHER.match(first):
        values = _values(test)
        return f"{matcher['name'].lstrip('.')}: {values}" if values else first
    if symbol := _first(_SYMBOL, rest):
        return f"{first}: {symbol}" if symbol not in first else first
    left, right = _first(_LEFT, rest), _first(_RIGHT, rest)
    if left and right:
        return f"{first}: {left} and {right}"
    actual = _first(_ACTUAL, rest)
    if expected := _EXPECTED.match(first):
        return f"expected {expected['value']}, got {actual}" if actual else first
    if actual and (wanted := _first(_EXPECTED, rest)):
        return f"{first}: expected {wanted}, got {actual}"
    if first.endswith(":"):
        if any(_COMPARED.match(line) for line in lines[1:4]):
            shown = [line for line in lines[1:_MOST_COMPARED] if not _COMPARED.match(line)]
            minus, plus = (_first(only, shown).rstrip(",") for only in _ONLY)
            if minus and plus:
                return f"{first} {_cut(minus)}, got {_cut(plus)}"
        wanted, actual = (str(test.get(name, "")) for name in ("expected", "actual"))
        if not rest and wanted and actual and "\n" not in wanted + actual:
            return f"{first} {_cut(wanted)}, got {_cut(actual)}"
        more = [line for line in rest if len(line) <= _LONGEST_LINE][:_JOINED]
        return " ".join([first, ", ".join(more)]).strip()
    return first


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "\u2026"


def _values(test: Mapping[str, Any]) -> str:
    expected, actual = str(test.get("expected", "")), str(test.get("actual", ""))
    if expected and actual:
        return f"expected {expected}, received {actual}"
    return ""


def _first(pattern: re.Pattern[str], lines: Sequence[str]) -> str:
    return next((match["value"].strip() for line in lines if (match := pattern.match(line))), "")


def place_of(fields: Mapping[str, Any]) -> str:
    """Name a failure without a message: by where it was raised, or by its test."""
    if (test := fields.get("test")) and not fields.get("frames"):
        return f"{test['name']} {test.get('status') or 'failed'}"
    frames = fields.get("frames") or [fields.get("location") or {}]
    file, line, function = (str(frames[-1].get(key, "")) for key in ("file", "line", "function"))
    return f"in {function or 'a place'} of {file}" + (f", line {line}" if line else "")
