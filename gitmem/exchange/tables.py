"""Records of one kind as a table: a column a field, nested fields with a dot, lists as JSON."""

import csv
import json
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any, Final

from gitmem.lazy_pattern import lazily

_SIGNS: Final = "=@+\uff1d\uff0b\uff0d\uff20"
# A spreadsheet takes text that begins so for a formula and runs it; also behind a line end, or
# behind a sign that divides cells in its user's country. The "- " of a list is left there.
_FORMULA: Final = lazily(
    rf"(\A\s*(?=[-{_SIGNS}])|\A(?=[\t\r\n])"
    rf"|(?<![\s;|\"])(?=[ \"]*[;|\t\r\n])[\s;|\"]+(?=[{_SIGNS}]|-(?! )))"
)
_FIRST: Final[tuple[str, ...]] = ("id", "title", "created", "status")


def flat(data: Mapping[str, Any], at: str = "") -> dict[str, Any]:
    """Flatten a record: ``author.name``; a list of plain texts is a line each, others are JSON."""
    fields: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{at}.{key}" if at else key
        if isinstance(value, Mapping):
            fields |= flat(value, name)
        elif isinstance(value, list | tuple):
            plain = all(isinstance(item, str) and "\n" not in item for item in value)
            fields[name] = "\n".join(value) if plain else json.dumps(value, ensure_ascii=False)
        elif value is not None:
            fields[name] = value
    return fields


def harmless_cell(value: object) -> object:
    """Put a quote before what a spreadsheet would run; numbers stay numbers."""
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


def as_csv(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Write records as CSV (RFC 4180) in UTF-8.

    The columns are those fields that some record has: what everybody looks for first, then by
    name. The same records give the same bytes.

    Args:
        records: plain data, each with its derived ``status``.

    """
    rows = [
        {name: harmless_cell(value) for name, value in flat(record).items()} for record in records
    ]
    named = {name for row in rows for name in row}
    columns = [name for name in _FIRST if name in named]
    columns += sorted(named.difference(_FIRST))
    out = StringIO(newline="")
    writer = csv.DictWriter(out, columns or list(_FIRST), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
