"""Tables for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence

from gitmem.exchange.tables import harmless_cell
from gitmem.render.text import safe


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write rows with a head line; nothing is an empty cell, and no text is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    return harmless_cell(safe(value)) if isinstance(value, str) else value
