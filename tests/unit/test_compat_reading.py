"""How the shells read what older programs hand in."""

from types import SimpleNamespace

import pytest

from gitmem.parts.compat.shared import as_text, listed, or_default, scalars, tag, tagged, words


@pytest.mark.parametrize(("value", "expected"), [
    ('["a", "b"]', ["a", "b"]), (["a", 1], ["a", "1"]), ("alone", ["alone"]), ("", []),
    (None, []), ("42", ["42"]), (("a",), ["a"]), ('"quoted"', ['"quoted"']),
    ("[broken", ["[broken"]),
])  # fmt: skip
def test_lists_come_as_lists_as_json_or_alone(value: object, expected: list[str]) -> None:
    assert listed(value) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("comparing datetimes", "comparing datetimes"),
    ('kind:error "quoted" -not fuzzy~2', "kind error quoted not fuzzy 2"),
    ("can't e.g. a_b", "can't e.g a_b"), ("???", ""),
])  # fmt: skip
def test_words_hold_no_operator_of_the_search(text: str, expected: str) -> None:
    assert words(text) == expected


def test_tags_are_one_word_each() -> None:
    assert tag(" my project, two ") == "my-project-two"
    assert tagged("a b", "", "a b", "c") == ["a-b", "c"]
    assert len(tag("x" * 300)) == 100


def test_figures_are_flat() -> None:
    assert scalars({"a": 1, "b": {"c": 2}, "d": None}) == {"a": 1, "b.c": 2, "d": None}
    assert scalars({"a": {}, "b": [1, {"c": 2}]}) == {"a": "{}", "b": '[1, {"c": 2}]'}
    assert scalars(SimpleNamespace(seconds=3)) == {"seconds": 3}
    assert scalars(7) == {"value": 7}
    assert scalars(None) == {}


def test_what_an_example_leaves_out_is_the_default() -> None:
    assert (or_default(..., "x"), or_default("y", "x"), or_default(None, "x")) == ("x", "y", None)
    assert (as_text("text"), as_text({"a": 1})) == ("text", '{"a": 1}')
