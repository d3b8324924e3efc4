"""The outline of record files agrees with the YAML reader on what our own writer writes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.records import codec
from gitmem.records.kinds import KINDS
from gitmem.records.shape import slot
from lsp_server.mentions import column_of, mention_at, mentions, unfinished_id
from lsp_server.outline import outline, plain
from tests.depth import amount, deep

_TEXT = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\x85\u2028\u2029")
)
_KEYS = st.text("abcnoy_", min_size=1, max_size=6)
_VALUES = st.recursive(
    _TEXT | st.integers(-9, 9) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)


@deep
@settings(max_examples=amount(share=30, ci=100, whole=1000))
@given(st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=4))
def test_the_outline_finds_what_the_reader_finds_where_it_finds_it(data: dict[str, object]) -> None:
    text = codec.dump(data)
    lines = text.decode().split("\n")
    found = {entry.steps: entry for entry in outline(lines)}
    expected = codec.positions(text)
    assert found.keys() == expected.keys()
    for steps, at in expected.items():
        if isinstance(steps[-1], str):
            assert (found[steps].line + 1, found[steps].column + 1) == at
        assert found[steps].last >= found[steps].line


@given(st.lists(st.text("ab:-|>[]{}#'\" \t.é😀", max_size=12), max_size=12))
def test_any_text_has_an_outline_whose_entries_lie_in_it(lines: list[str]) -> None:
    for entry in outline(lines):
        assert 0 <= entry.line <= entry.last < len(lines)
        assert 0 <= entry.column <= entry.end <= entry.start <= len(lines[entry.line])


def test_an_entry_ends_before_the_next_one_and_before_blank_lines() -> None:
    lines = ["a: |", "  one", "", "  two", "", "b:", "- x: 1", "  y: 2", "- z", ""]
    ends = {entry.steps: entry.last for entry in outline(lines)}
    assert ends == {
        ("a",): 3, ("b",): 8, ("b", 0): 7, ("b", 0, "x"): 6, ("b", 0, "y"): 7, ("b", 1): 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "bare"), [("a", "a"), ("'a'", "a"), ('"a b"', "a b"), ("a # why", "a"), ("'", "'")]
)
def test_a_value_without_quotes_and_comment(value: str, bare: str) -> None:
    assert plain(value) == bare


@given(st.text("aé😀"), st.integers(0, 12))
def test_a_column_counted_back_is_the_position_that_was_asked_for(line: str, at: int) -> None:
    def units(text: str) -> int:
        return len(text.encode("utf-16-le")) // 2

    column = column_of(line, at, units)
    assert 0 <= column <= len(line)
    assert units(line[:column]) >= min(at, units(line))
    assert column == 0 or units(line[: column - 1]) < at


def test_ids_are_found_only_as_whole_words() -> None:
    line = "see err-7k3m9q2d4x, xerr-7k3m9q2d4x err-7k3m9q2d4xy (fix-7k3m9q2d4x)"
    assert [one.id for one in mentions(line)] == ["err-7k3m9q2d4x", "fix-7k3m9q2d4x"]
    found = mention_at(line, 4)
    assert found
    assert (found.start, found.end) == (4, 18)
    assert mention_at(line, 3) is None


@pytest.mark.parametrize(
    ("before", "word"),
    [("see err-7k", "err-7k"), ("err-", "err-"), ("xerr-", ""), ("err", ""), ("note-7", "note-7")],
)
def test_a_begun_id_is_recognised_from_its_dash_on(before: str, word: str) -> None:
    assert unfinished_id(before) == word


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_every_kind_has_a_shape(kind: str) -> None:
    top = slot(kind, ())
    assert {"id", "kind", "title", "links"} <= top.fields.keys()
    assert all(top.fields.values())
    assert slot(kind, ("links", "fixes", 0)).names == "error"
    assert slot(kind, ("links", "fixes")).is_list
    assert slot(kind, ("anchors", 3, "path")).names == "path"
    assert slot(kind, ("tags", 0)).names == "tag"
    assert slot(kind, ("author", "via")).values == ("human", "agent", "tool")
    assert slot(kind, ("no", "such")) == slot("", ("title",))
