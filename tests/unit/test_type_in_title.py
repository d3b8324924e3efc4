"""A title names the type of an error once."""

import pytest

from gitmem.matching.titles import title_of
from gitmem.records.guide import title_from


@pytest.mark.parametrize(
    ("kind", "message", "title"),
    [
        ("T", "Text of it", "T: Text of it"),
        ("Key", "no Keyboard", "Key: no Keyboard"),
        ("err", "stderr is closed", "err: stderr is closed"),
        ("E501", "line too long (E501)", "line too long (E501)"),
        ("KeyError", "KeyError: 'x'", "KeyError: 'x'"),
        ("Error", "TypeError: x is undefined", "TypeError: x is undefined"),
        ("", "plain", "plain"),
    ],
)
def test_a_type_is_left_out_only_where_the_text_names_it(
    kind: str, message: str, title: str
) -> None:
    fields: dict[str, object] = {"error_type": kind, "message": message}
    assert title_from(fields) == title_of(fields) == title
