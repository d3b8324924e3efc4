"""The short way to read our own YAML gives what the YAML parser gives, or nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.records import canonical, codec, yaml_reader
from gitmem.records.canonical import read
from tests.random_records import KINDS, record, text_of

PIECES = st.sampled_from(
    [
        *"'\"#:,[]{}&*!|>%@`?-=<~\\ \t\n\r\0\x7f\x85\xa0\u2028\ufeff\ufffe\uffff\U0001f600é",
        "\n\n", ": ", " #", "- ", "? ", "  ", "    ", "''", "|-", "|+", "|2-", ">-", "[]", "{}",
        "---\n", "...\n", "%YAML 1.2\n", "<<: *a\n", "!!str ", "&a ", "*a", "key:\n", "key: |\n",
        "- - a\n", "null", "~", "true", "-1", "0", "1.5", "1e3", "0x1f", "x" * 1100, "\r\n",
        "<<<<<<< HEAD\n", ">>>>>>> theirs\n", "title: again\n", "  \n", "      \n", "word",
    ]
)  # fmt: skip
PLAIN_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.text(max_size=20),
    st.lists(PIECES, max_size=6).map("".join),
)  # fmt: skip
MAPPINGS = st.dictionaries(
    st.text("abc_", min_size=1, max_size=8),
    st.recursive(
        PLAIN_VALUES,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.text("abc_", min_size=1, max_size=8), inner, max_size=3),
        ),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


def by_parser(text: bytes) -> Any:
    """Read a text as the YAML parser does; the error if it refuses it."""
    try:
        return codec.load_mappings(text)
    except codec.YamlError as error:
        return error


def assert_alike(text: bytes) -> bool:
    """Compare both readers; tell whether the short way was taken."""
    found = read(text)
    if found is None:
        return False
    assert repr([found]) == repr(by_parser(text))  # repr: 1 is not true, keys are in order
    return True


@given(seed=st.integers(0, 2**32), kind=st.sampled_from(KINDS))
def test_records_are_read_alike(seed: int, kind: str) -> None:
    assert_alike(text_of(record(Random(seed), [], kind)))


def test_most_records_take_the_short_way() -> None:
    rng = Random(3)
    texts = [text_of(record(rng, [], kind)) for kind in KINDS for _ in range(50)]
    assert sum(map(assert_alike, texts)) > 0.8 * len(texts)


@given(data=MAPPINGS)
def test_what_is_written_is_read_alike(data: dict[str, Any]) -> None:
    try:
        text = codec.dump(data)
    except ValueError:
        return  # half a surrogate pair
    assert_alike(text)


@given(
    seed=st.integers(0, 200),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.one_of(st.just(""), PIECES)),
        min_size=1,
        max_size=4,
    ),
)
def test_files_edited_by_hand_are_read_alike(
    seed: int, edits: list[tuple[float, int, str]]
) -> None:
    text = text_of(record(Random(seed), [])).decode()
    for place, length, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + length :]
    assert_alike(text.encode())


@given(
    seed=st.integers(0, 200),
    moves=st.lists(
        st.tuples(st.floats(0, 0.999), st.floats(0, 0.999), st.integers(-4, 4)),
        min_size=1,
        max_size=4,
    ),
)
def test_lines_that_are_moved_and_indented_are_read_alike(
    seed: int, moves: list[tuple[float, float, int]]
) -> None:
    lines = text_of(record(Random(seed), [])).decode().split("\n")
    for source, target, depth in moves:
        line = lines.pop(int(source * len(lines)))
        line = " " * depth + line if depth > 0 else line[-depth:]
        lines.insert(int(target * len(lines)), line)
    assert_alike("\n".join(lines).encode())


@given(pieces=st.lists(st.one_of(PIECES, st.text("ab: -|'\n", max_size=6)), max_size=12))
@example(["a: |-\n  x\n", "  \n", "b: 1\n"])
@example(["a: |\n  x\n", "    \n", "\n"])
@example(["a:\n- b:\n", "- c\n"])
@example(["a: b\n  c\n"])
@example(["a: 'b'\n  c\n"])
@example(["a: b:\n"])
@example(["a: |-\n  x\n\n\n"])
@example(["a: |+\n  x\n\n\n"])
@example(["a:\n  b: |-\n    x\n   y\n"])
@example(["- a\n"])
@example(["a:\n- b: |-\n    x\n  c: 1\nd: 2\n"])
def test_any_text_is_read_alike(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert_alike(text.encode(errors="replace"))
    assert_alike(f"a: {text}\n".encode(errors="replace"))


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n", "a: 1", "a:\n", "a: [1]\n", "a: b # c\n", "a: *b\n", "? a\n: b\n", "a: \n",
        "a: |2-\n   b\n", "a: >-\n  b\n", 'a: "\\n"\n', "---\na: 1\n", "a: 1\n...\n", "a: 1\r\n",
        "<<<<<<< HEAD\na: 1\n", "a: b\tc\n", "# a\nb: 1\n", "a: 1\n\nb: 2\n", "a: -\n", "",
        "a: \ufeff\n", "a: \u2028\n", "a: \x07\n", "  a: 1\n", "a:\n   b: 1\n", "a: !!str b\n",
    ],
)  # fmt: skip
def test_what_only_a_parser_can_judge_is_left_to_it(text: str) -> None:
    assert read(text.encode()) is None


def test_nesting_is_left_to_the_parser_long_before_it_is_too_deep() -> None:
    deepest = canonical._DEEPEST
    for text in (
        "".join(f"{'  ' * depth}a:\n" for depth in range(60)) + "  " * 60 + "b: 1\n",
        "a:\n" + "".join(f"{'  ' * depth}- a:\n" for depth in range(60)) + "  " * 60 + "- 1\n",
    ):
        assert read(text.encode()) is None
    assert deepest < yaml_reader.MAX_DEPTH
