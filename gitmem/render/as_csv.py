"""Tables for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from gitmem.render.text import safe

# A spreadsheet takes text that begins so for a formula and runs it.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write rows with a head line; nothing is an empty cell, and no text is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = safe(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
