"""Problem: what is wrong with a file, as a value that is carried, shown and counted."""

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning", "info"]


class Problem(Struct, frozen=True, kw_only=True, order=True, omit_defaults=True):
    """One thing that is wrong in one file of the memory.

    Attributes:
        path: relative to the memory's folder, with forward slashes.
        line, column: counted from 1; 0 where the whole file is meant.
        field: dotted path such as ``frames[0].line``, or empty.
        code: stable name, such as ``yaml-syntax`` or ``dangling-link``.
        message: what is wrong, one line.
        hint: what to do, one line, or empty.
        severity: only ``error`` makes ``gitmem check`` fail.

    """

    path: str
    line: int = 0
    column: int = 0
    field: str = ""
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"
