"""The dimensions that statistics group errors and attempts by, as SQL.

``s`` is one of the ``occurrences``, ``t`` a row of ``tries``, and ``e`` the first error that it
fixes.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

KIND: Final = "kind"
"""The type of an error, or its category where it has none; no dimension that people name."""
_OF_ERRORS: Final = {
    "type": "{0}.type", "category": "{0}.category", "subject": "{0}.subject",
    KIND: "coalesce(nullif({0}.type, ''), {0}.category)",
}  # fmt: skip
"""An attempt has that of the first error that it fixes."""
_OF_ATTEMPTS: Final = {"fixer": "t.fixer", "model": "t.model"}
"""Errors have none."""
_OF_BOTH: Final = {
    "via": "{0}.via",
    "day": "substr({0}.created, 1, 10)",
    "week": "date({0}.created, 'weekday 0', '-6 days')",  # its Monday
    "month": "substr({0}.created, 1, 7)",
    "weekday": "strftime('%w', {0}.created)",
    "hour": "substr({0}.created, 12, 2)",
}
OF_FILES: Final = (
    "SELECT DISTINCT file, path AS value FROM paths"
    " WHERE role IN ('anchor', 'location', 'frame', 'patch')"
    " AND path NOT LIKE '/%' AND path NOT LIKE '_:%'"
)
"""The files of the work tree that records are about."""
_SHARED: Final = {
    "tag": "SELECT file, tag AS value FROM tags",
    "file": OF_FILES,
    "language": "SELECT file, value FROM traits WHERE role = 'language'",
}
"""Several each; an attempt also has those of the errors that it fixes."""
_COLUMN: Final = re.compile(r"\bs\.([a-z_]+)")


class DimensionLabels(NamedTuple):
    """How rows get their labels.

    Attributes:
        columns: one expression for each dimension, with a comma behind each; may be empty.
        joins: what is joined for them.
        grouping: GROUP BY, or nothing without a dimension.
        of_occurrence: the columns of ``s`` that they are made from.

    """

    columns: str
    joins: str
    grouping: str
    of_occurrence: frozenset[str]


def of_errors(by: Sequence[str]) -> DimensionLabels | None:
    """Label the ``occurrences`` s; None if errors have no such label."""
    if any(dimension in _OF_ATTEMPTS for dimension in by):
        return None
    columns, joins = [], []
    for number, dimension in enumerate(by):
        if dimension in _SHARED:
            joins.append(f"LEFT JOIN ({_SHARED[dimension]}) x{number} ON x{number}.file = s.error")
            columns.append(f"coalesce(x{number}.value, '')")
        else:
            columns.append((_OF_BOTH | _OF_ERRORS)[dimension].format("s"))
    return _labels(columns, joins)


def of_attempts(by: Sequence[str]) -> DimensionLabels:
    """Label rows of ``tries t``."""
    columns, joins = [], []
    if any(dimension in _OF_ERRORS for dimension in by):
        joins.append("LEFT JOIN sightings e ON e.file = t.error")
    for number, dimension in enumerate(by):
        if dimension in _SHARED:
            own = _SHARED[dimension]
            of_errors_ = "SELECT a.file, o.value FROM aims a JOIN ({}) o ON o.file = a.error"
            both = " UNION ".join((own, of_errors_.format(own)))
            joins.append(f"LEFT JOIN ({both}) x{number} ON x{number}.file = t.file")
            columns.append(f"coalesce(x{number}.value, '')")
        elif dimension in _OF_ERRORS:
            columns.append(f"coalesce({_OF_ERRORS[dimension].format('e')}, '')")
        else:
            columns.append((_OF_BOTH | _OF_ATTEMPTS)[dimension].format("t"))
    return _labels(columns, joins)


def _labels(columns: Sequence[str], joins: Sequence[str]) -> DimensionLabels:
    numbers = ", ".join(str(number) for number in range(1, len(columns) + 1))
    grouping = f"GROUP BY {numbers}" if numbers else ""
    labels = "".join(f"{column}," for column in columns)
    joined = " ".join(joins)
    return DimensionLabels(labels, joined, grouping, frozenset(_COLUMN.findall(labels + joined)))
