"""Lines that hold words of trouble and tell of none: warnings, counts, steps of traces."""

from typing import Final

from gitmem.lazy_pattern import lazily

STAMP: Final = lazily(
    r"^\s*(?:[A-Z], (?=\[))?\[?(?:(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d{1,2}([/.])\d{1,2}\1\d{4},? )?"
    r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| [AP]M)?|1\d{9}(?:\.\d{1,9})?(?= ))"
    r"(?: #\d{1,9})?\]?[\s|:-]{0,4}"
    r"(?:\[?(?:(?P<level>ERROR|FATAL|CRITICAL|SEVERE)|(?P<mild>WARN(?:ING)?|INFO|DEBUG))"
    r"\]?[\s|:-]{1,6})?(?:\[[0-9a-f]{8}-[0-9a-f-]{27}\]\s*)?"
)
"""The time and the level at the start of a log's line: they say nothing about what happened."""
MILD_LEVELS: Final = frozenset({"warning", "warn", "note", "info", "related location"})
"""What a tool writes between a place and what it only remarks."""
_COUNTS_NONE: Final = lazily(
    r"\b(?:0|no|No|zero|without|Without) (?:\w+ )?(?:errors?|failures?|failed|fail|exceptions?)\b"
    r"|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|\bfailed=0\b"
)
_LEVEL: Final = lazily(
    r".{0,200}?\blevel\"?\s?[=:]\s?\"?(?:warn(?:ing)?|info|debug)\b"
    r"|(?:\S+ ){0,6}?(?:Retrying|Reconnecting|Will retry|Trying again)\b(?: in | after |\.\.\.|$)"
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


_MOST_BARS: Final = 2
"""Bars of a box around a text: at its left and its right."""


def only_warns(line: str) -> bool:
    """Tell whether a line says by its level, or by its form, that it is no more than a warning."""
    stamp = STAMP.match(line)
    if stamp and stamp["mild"]:
        return True
    return _LEVEL.match(line) is not None or _WARNED.match(line) is not None


def is_table_row(line: str) -> bool:
    """Tell whether a line is a row of a table that is drawn with bars."""
    return line.count("\u2502") > _MOST_BARS or line.count("\u2551") > _MOST_BARS


def counts_none(line: str) -> bool:
    """Tell whether a line says that nothing failed: ``0 errors``, ``failed=0``."""
    return _COUNTS_NONE.search(line) is not None


def is_step(line: str) -> bool:
    """Tell whether a line is a step of a trace, or heads one."""
    return _STEP.match(line) is not None
