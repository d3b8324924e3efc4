"""Records as a table: every field has a column, and reading it back gives what was written."""

import csv
import json
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitmem.exchange.tables import as_csv, flat, harmless_cell

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
NAMES = st.text(alphabet="abc", min_size=1, max_size=2)
VALUES = TEXT | st.integers() | st.booleans() | st.lists(TEXT, max_size=3)
RECORDS = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=2), max_size=4)


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode(), newline="")))


def test_s1_75_lists_and_nested_fields_have_columns() -> None:
    record: dict[str, Any] = {
        "id": "fix-1", "created": "2026-01-01", "links": {"fixes": ["err-1", "err-2"]},
        "steps": ["one\ntwo"], "author": {"name": '=SUM(A1), "Ann"'}, "applied": True,
    }  # fmt: skip
    (row,) = read(as_csv([record]))
    assert list(row) == ["id", "created", "applied", "author.name", "links.fixes", "steps"]
    assert row["links.fixes"] == "err-1\nerr-2"
    assert json.loads(row["steps"]) == ["one\ntwo"]
    assert row["author.name"] == '\'=SUM(A1), "Ann"'


def test_no_records_give_a_header() -> None:
    assert as_csv([]) == b"id,title,created,status\r\n"


@given(st.lists(RECORDS, min_size=1, max_size=4))
def test_what_is_read_back_is_what_was_written(records: list[dict[str, Any]]) -> None:
    """But for the quote before what a spreadsheet would run; another test looks at that."""
    rows = [flat(one) for one in records]
    columns = {name for row in rows for name in row}
    found = read(as_csv(records)) if columns else []
    assert len(found) == (len(records) if columns else 0)
    for row, said in zip(rows, found, strict=False):
        assert said == {name: str(harmless_cell(row.get(name, ""))) for name in said}


_CELLS = st.text(st.sampled_from("=+-@;|,\t\r\n \"'a1\uff1d\uff0b"), max_size=12)


@given(_CELLS)
def test_no_cell_is_a_formula_however_a_spreadsheet_divides_the_line(text: str) -> None:
    """``x;=HYPERLINK(...)`` is two cells where a semicolon divides them."""
    data = as_csv([{"id": "note-1", "title": text}]).decode().partition("\r\n")[2]
    for divider in ",;|\t":
        for row in csv.reader(StringIO(data, newline=""), delimiter=divider):
            for cell in row:
                begun = cell.lstrip()
                assert not begun.startswith(("=", "+", "@", "\uff1d", "\uff0b")), (divider, row)
                assert not begun.startswith("-") or begun.startswith("- "), (divider, row)


def test_lists_and_words_stay() -> None:
    for text in ("- one\n- two", "a+b = c", "it's a -1", "x; y", "a@b.example"):
        assert harmless_cell(f"I {text}") == f"I {text}"
