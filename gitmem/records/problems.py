"""Problem: what is wrong with a file, as a value that is carried, shown and counted."""

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]


class Problem(NamedTuple):
    """One thing that is wrong in one file of the memory.

    Attributes:
        path: relative to the memory's folder, with forward slashes.
        code: stable name, such as ``yaml-syntax`` or ``dangling-link``.
        message: what is wrong, one line.
        hint: what to do, one line, or empty.
        line, column: counted from 1; 0 where the whole file is meant.
        field: dotted path such as ``frames[0].line``, or empty.
        severity: only ``error`` makes ``gitmem check`` fail.

    """

    path: str
    code: str
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    field: str = ""
    severity: Severity = "error"


def twin_of(path: str, record: str, other: str) -> Problem:
    """Say that another file has the id of a record, too."""
    hint = "keep one of the two files, or give one a new id"
    return Problem(path, "duplicate-id", f"id {record} is also in {other}", hint, field="id")
