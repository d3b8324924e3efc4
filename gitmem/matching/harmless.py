"""Lines that hold words of trouble and tell of none: warnings, counts, steps of traces."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily

STAMP: Final = lazily(
    r"^\s*(?:[A-Z], (?=\[))?\[?(?:(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d{1,2}([/.])\d{1,2}\1\d{4},? )?"
    r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| [AP]M)?|1\d{9}(?:\.\d{1,9})?(?=:? ))"
    r"(?: #\d{1,9})?\]?[\s|:-]{0,4}"
    r"(?:\[?(?:(?P<level>ERROR|FATAL|CRITICAL|SEVERE)|(?P<mild>WARN(?:ING)?|INFO|DEBUG))"
    r"\]?[\s|:-]{1,6})?(?:\[[0-9a-f]{8}-[0-9a-f-]{27}\]\s*)?"
)
"""The time and the level at the start of a log's line: they say nothing about what happened."""
LOUD: Final = lazily(r"(?:ERROR|FATAL|CRITICAL)(?: {2,}|:[\w.-]{1,80}:)(?=\S)|\*{3} - (?=\S)")
"""A level in a column of its own, or with the name of a logger of Python's behind it."""
MILD_LEVELS: Final = frozenset({"warning", "warn", "note", "info", "related location"})
"""What a tool writes between a place and what it only remarks."""
_COUNTS_NONE: Final = lazily(
    r"\b(?:0|no|No|zero|without|Without) (?:\w+ )?(?:errors?|failures?|failed|fail|exceptions?)\b"
    r"|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|\bfailed=0\b"
    r"|\bexit(?:ed|ing)? (?:with )?(?:code|status):? 0\b"
)
_LEVEL: Final = lazily(
    r".{0,200}?\blevel\"?\s?[=:]\s?\"?(?:warn(?:ing)?|info|debug)\b"
    r"|(?:\S+ ){0,6}?(?:Retrying|Reconnecting|Will retry|Trying again)\b(?: in | after |\.\.\.|$)"
    r"|\S[^\n]{0,200}\. Attempting to \w[^\n]{0,80}\.\.\.$"
    r"|\s*::(?:warning|notice|debug)\b"
    r"|\s*(?:\S+ )?\[?(?:WARN(?:ING)?|[Ww]arn(?:ing)?|DEBUG|INFO|note)[:\s\]]"
)
# Python's warnings tell where they were raised, and fail nothing.
_WARNED: Final = lazily(
    r"\s*(?:\S[^\n]{0,400}?\.py[cx]?|sys|<[\w. ]{1,80}>):\d+: (?:\w+\.)*\w*Warning: "
    r"|ResourceWarning: Enable tracemalloc to get "
)

_STEP: Final = lazily(
    r"\s*(?:at\s+\S+.*[:(]\d+|#\d+\s|\d+:\s(?!.{0,8}\b(?:ERROR|FATAL)\b)"
    r"|0x[0-9a-f]+ in |called from$|\[C\]:|from\s+\S+:\d+"
    r"|@ \S+ \d+:\d+|in (?:function|local|main)|In \S{1,200} line \d{1,7}:$"
    r"|Error in \S{1,200} \(line \d{1,7}\)$|File \"|stack traceback|traceback|backtrace|call ?stack"
    r"|context\.\.\.|\.\.\.|/[\w.:]+\(\)(?:->[\w/.:]+\(\))?\s*$)"
)


_POINT: Final = lazily(r"\s*[*\u2022-] [A-Z]\S*(?: \S+){4}")
_MOST_BARS: Final = 2
"""Bars of a box around a text: at its left and its right."""


def only_warns(line: str) -> bool:
    """Tell whether a line says by its level, or by its form, that it is no more than a warning."""
    stamp = STAMP.match(line)
    if stamp and stamp["mild"]:
        return True
    return _LEVEL.match(line) is not None or _WARNED.match(line) is not None


def is_table_row(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is a row of a table that is drawn with bars, or heads one."""
    line = lines[at]
    if line.count("\u2502") > _MOST_BARS or line.count("\u2551") > _MOST_BARS:
        return True
    near_by = "".join(lines[at + 1 : at + 2])
    return line.count("|") > 1 and near_by.count("|") > 1 and not near_by.strip(" |+-=:")


def is_wrapped_point(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line goes on with a sentence of a point of a list."""
    if not at or not lines[at].startswith("  ") or not lines[at].strip()[:1].islower():
        return False
    above = lines[at - 1]
    return bool(_POINT.match(above)) and above.rstrip()[-1].isalnum()


def counts_none(line: str) -> bool:
    """Tell whether a line says that nothing failed: ``0 errors``, ``failed=0``."""
    return _COUNTS_NONE.search(line) is not None


def is_step(line: str) -> bool:
    """Tell whether a line is a step of a trace, or heads one."""
    return _STEP.match(line) is not None
