"""One line that names a failure, with what tells it from others and without what varies."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.normalise import template
from gitmem.output.cases import row_of
from gitmem.output.failure import CAUSED_BY
from gitmem.tools.choice import pattern, values

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
_EXPECTED: Final = lazily(r"expect(?:ed)?\s*:\s*(\S.*)$", re.IGNORECASE)
_ACTUAL: Final = lazily(r"(?:got|actual|received|was)\s*:\s*(\S.*)$", re.IGNORECASE)
_ONLY: Final = (lazily(r"-\s+(\S.*)$"), lazily(r"\+\s+(\S.*)$"))
"""Of a comparison: a line that only the expected value has, and one that only the actual has."""
_NOISE: Final = lazily(r"[-+^~=\s]*$")
_SHOULD: Final = lazily(r"should [\w -]+$")
"""Between two values that Node writes over several lines each, the actual one first."""
_COMPARED_BY: Final = lazily(r" // Object\.is equality$")
_GOES_ON: Final = lazily(r"'?(?P<start>\S.*?)(?:\\n)?['\"`] \+$")
_GOES_ON_TO: Final = lazily(r".*?['\"`] ([=!]==? .+)$")
"""Of a text that Node writes over several lines: the first of them, and how the last compares."""
_SIDES: Final = lazily(r"\w+ (?P<left>\S.*) (?:==|is) (?P<right>\S.*)$")
_AROUND: Final = 20
"""Letters shown before where two values differ."""
_LONGEST_TEST: Final = 80
_DEEPEST: Final = 4
_QUOTED: Final = lazily(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_WRITTEN_OUT: Final = lazily(r"\{[^{}\n]*\}|\[[^\[\]\n]*\]")
"""An object or a list whose names are part of the compared value."""


def title_of(fields: Mapping[str, Any]) -> str:
    """Name a failure that is the fields of an error record.

    The type, unless the message says it, and of the message the first line; with the values of a
    comparison, the symbol or the code where that line is the same for many mistakes.
    """
    from gitmem.records.type_in_title import with_type

    message = str(fields.get("message", ""))
    for varying, instead in _VARIES:
        message = varying.sub(instead, message)
    test = fields.get("test") or {}
    telling = _telling(message.strip().split("\n"), test)
    kind = str(fields.get("error_type", ""))
    code = str(fields.get("code", ""))
    tool = str(fields.get("tool", ""))
    leads = values("title.leads").get(tool)
    if leads == "test" and (name := test.get("name")) and not telling.startswith(f"{name} "):
        telling = f"{name}: {telling}"
    if kind and not telling and test.get("name"):
        return _bounded(f"{kind} in {test['name']}")
    if cause := values("title.cause").get(tool):
        telling = _with_cause(telling, message, cause)
    if leads == "code" and code and code not in telling:
        telling = f"{code}: {telling}"
    return _bounded(_with_chain(with_type(telling, kind), fields))


def record_title_of(fields: Mapping[str, Any], title: str) -> str:
    """Give the title that a record of a failure has: where it only compares, its test's name leads.

    Args:
        fields: of the error record.
        title: what ``title_of`` says of it.

    """
    from gitmem.matching.recorded import from_fields
    from gitmem.matching.sameness import says_nothing

    name = str((fields.get("test") or {}).get("name", ""))
    first = str(fields.get("message", "")).strip().partition("\n")[0]
    if not name or not title or title.startswith(name) or title.endswith(name):
        return title
    failure = from_fields(fields)._replace(message=first)
    words = _QUOTED.sub(" ", first)
    for _ in range(_DEEPEST):
        words = _WRITTEN_OUT.sub(" ", words)
    words = template(words)
    # Every row of a table may say the same of itself.
    row = "" if fields.get("error_type") else row_of(name).replace("_", " ").lower()
    is_row = row not in first.replace("_", " ").lower()
    if not (is_row or says_nothing(failure, words) or _GOES_ON.match(first)):
        return title
    test = name.partition("::")[2] or name
    test = test if len(test) <= _LONGEST_TEST else f"\u2026{test[1 - _LONGEST_TEST :]}"
    return _bounded(f"{test}: {title.removeprefix('AssertionError: ')}")


def _with_chain(title: str, fields: Mapping[str, Any]) -> str:
    """Add the innermost cause, without which a wrapper says little: ``Job failed``."""
    chain = fields.get("chain") or ()
    innermost = str(chain[-1]) if chain else ""
    for varying, instead in _VARIES:
        innermost = varying.sub(instead, innermost)
    message = innermost.partition(": ")[2] or innermost
    return f"{title}{CAUSED_BY}{innermost})" if message and message not in title else title


def _bounded(title: str) -> str:
    return title if len(title) <= MOST else title[: MOST - 1] + "\u2026"


def _with_cause(first: str, message: str, cause: str) -> str:
    """Add the innermost cause, which is written last."""
    causes = [match for line in message.split("\n") if (match := re.match(cause, line))]
    return f"{first.rstrip('.')}: {_value(causes[-1])}" if causes else first


def _telling(lines: Sequence[str], test: Mapping[str, Any]) -> str:
    first = _COMPARED_BY.sub("", lines[0].strip())
    filler = pattern("title.filler")
    rest = [line.strip() for line in lines[1:12] if not (_NOISE.match(line) or filler.match(line))]
    if matcher := pattern("title.matcher").match(first):
        compared = _values(test)
        return f"{_value(matcher).lstrip('.')}: {compared}" if compared else first
    if detail := _first(pattern("title.detail"), rest):
        return f"{first}: {detail}" if detail not in first else first
    if (sides := _SIDES.match(first)) and sides["left"] == sides["right"]:
        return _apart(str(test.get("expected", "")), str(test.get("actual", "")))  # it was cut out
    left, right = (_first(pattern(side), rest) for side in ("title.left", "title.right"))
    if left and right:
        return f"{first}: {left} and {right}"
    actual = _first(_ACTUAL, rest)
    if expected := _EXPECTED.match(first):
        return f"expected {_value(expected)}, got {actual}" if actual else first
    if part := _GOES_ON.match(first):
        end = _first(_GOES_ON_TO, rest)
        # What is in quotes as a whole lost the outer ones.
        end += "'" * (end.count("'") % 2)
        return f"'{part['start']}\u2026' {end}".rstrip()
    if actual and (wanted := _first(_EXPECTED, rest)):
        return f"{first}: expected {wanted}, got {actual}"
    return _announced(first, lines, rest, test) if first.endswith(":") else first


def _announced(
    first: str, lines: Sequence[str], rest: Sequence[str], test: Mapping[str, Any]
) -> str:
    """Add to a line that ends with a colon what it announces: two values, or what stands below."""
    whole = [line.strip() for line in lines[1:_MOST_COMPARED]]
    if middle := next((at for at, line in enumerate(whole) if _SHOULD.match(line)), 0):
        return f"{first} {_apart(' '.join(whole[middle + 1 :]), ' '.join(whole[:middle]))}"
    differences = pattern("title.differences")
    if any(differences.match(line) for line in lines[1:4]):
        shown = [line for line in lines[1:_MOST_COMPARED] if not differences.match(line)]
        minus, plus = (_first(only, shown).rstrip(",") for only in _ONLY)
        if minus and plus:
            return f"{first} {_cut(minus)}, got {_cut(plus)}"
    wanted, actual = (str(test.get(name, "")) for name in ("expected", "actual"))
    if not rest and wanted and actual:
        several = "\n" in wanted + actual
        both = _apart(wanted, actual) if several else f"{_cut(wanted)}, got {_cut(actual)}"
        return f"{first} {both}"
    more = [line for line in rest if len(line) <= _LONGEST_LINE][:_JOINED]
    return " ".join([first, ", ".join(more)]).strip()


def _cut(line: str, most: int = _LONGEST_LINE) -> str:
    return line if len(line) <= most else line[: most - 1] + "\u2026"


def _values(test: Mapping[str, Any]) -> str:
    expected, actual = str(test.get("expected", "")), str(test.get("actual", ""))
    if expected and actual:
        return f"expected {expected}, received {actual}"
    return ""


def _apart(expected: str, actual: str) -> str:
    """Say where two compared values differ, with a little around it; short ones are whole."""
    both = [" ".join(value.split()) for value in (expected, actual)]
    pairs = enumerate(zip(*both, strict=False))
    start = next((at for at, (first, second) in pairs if first != second), min(map(len, both)))
    if not all(both) or both[0] == both[1]:
        return "two values differ where they were cut"
    begin = max(start - _AROUND, 0) if max(map(len, both)) > 2 * _AROUND else 0
    wanted, got = (("\u2026" if begin else "") + _cut(value[begin:], 2 * _AROUND) for value in both)
    return f"expected {wanted}, got {got}"


def _first(of_line: re.Pattern[str], lines: Sequence[str]) -> str:
    return next((_value(match).strip() for line in lines if (match := of_line.match(line))), "")


def _value(match: re.Match[str]) -> str:
    """Give what the only group holds of the pattern that matched, of all that were joined."""
    return str(match[match.lastindex or 0])


def place_of(fields: Mapping[str, Any]) -> str:
    """Name a failure without a message: by where it was raised, or by its test."""
    if (test := fields.get("test")) and not fields.get("frames"):
        return f"{test['name']} {test.get('status') or 'failed'}"
    frames = fields.get("frames") or [fields.get("location") or {}]
    file, line, function = (str(frames[-1].get(key, "")) for key in ("file", "line", "function"))
    return f"in {function or 'a place'} of {file}" + (f", line {line}" if line else "")
