"""The YAML reader and writer: round trips, other readers, broken files, both of PyYAML's halves."""

import importlib
import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest
import ruamel.yaml
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem import records
from gitmem.records import codec, convert, yaml_reader, yaml_writer
from gitmem.records.codec import YamlError
from gitmem.records.yaml_reader import MAX_DEPTH
from tests.depth import amount, deep

RECORD = """\
schema: 1
id: err-7k3m9q2d4x
kind: error
title: "can't compare offset-naive and offset-aware datetimes"
created: '2026-11-21T09:30:00Z'
author:
  name: Zoë
  via: human
tags:
- datetime
error_type: TypeError
frames:
- file: app/clock.py
  line: 12
  code: |
    if now > deadline:
        raise Late
exit_code: 1
excerpt: |-
  Traceback (most recent call last):
    File "app/clock.py", line 12
""".encode()


def _pure() -> Any:
    """Load reader and writer a second time, as on a machine whose PyYAML came without libyaml."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml, "CSafeLoader", raising=False)
        patch.delattr(yaml, "CSafeDumper", raising=False)
        for module in (yaml_reader, yaml_writer):
            patch.delitem(sys.modules, module.__name__)
            patch.delattr(records, module.__name__.rpartition(".")[2])
        reader = importlib.import_module(yaml_reader.__name__)
        writer = importlib.import_module(yaml_writer.__name__)
    assert not reader.FAST
    return SimpleNamespace(load=reader.parse, dump=writer.dump)


PURE: Any = _pure()
FAST: Any = codec
both = pytest.mark.parametrize("reader", [FAST, PURE], ids=["libyaml", "pure"])

# Pieces that some YAML reader or writer has tripped over.
PIECES = st.sampled_from(
    [
        *"'\"#:,[]{}&*!|>%@`?-=<~\\ \t\n\r\0\x07\x1b\x7f",
        *"\x85\xa0\u200b\u202e\u2028\u2029\ufeff\ufffe",
        "\r\n", " \n", "\n ", "\n\n", ": ", " #", "- ", "? ", "--- ", "\n---\n", "\n...\n",
        "%YAML 1.2", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> theirs", "<<", "!!str ", "&a", "*a",
        "{{ x }}", "é", "漢字", "\U0001f600", "\U0001f469\u200d\U0001f4bb", "\u0301",
        "x" * 3000, "word " * 500,
        "0", "1", "-1", "+1", ".5", "1.", "1e3", "1.5e3", "1.5E+3", "0o17", "017", "0x1f", "0b1",
        "1_000", "12:30:45", "2026-11-21", "2026-11-21T09:30:00Z", ".inf", "-.INF", ".nan",
        "null", "Null", "~", "true", "True", "yes", "no", "on", "off", "y", "n", "Y", "N", "=",
    ]
)  # fmt: skip
TEXT = st.one_of(st.text(), PIECES, st.lists(st.one_of(PIECES, st.text(max_size=5))).map("".join))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18) + 1, 10**18 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)
MAPPINGS = st.dictionaries(TEXT, VALUES, max_size=5)


def same(left: object, right: object) -> bool:
    """Tell whether two values are equal in type too: 1, 1.0 and true are not the same."""
    return repr(left) == repr(right)


# --- round trips -------------------------------------------------------------------------


@deep
@settings(max_examples=amount(share=40, ci=100, whole=1000))
@both
@given(data=MAPPINGS)
def test_what_is_written_is_read_again(reader: Any, data: dict[str, Any]) -> None:
    assert same(reader.load(reader.dump(data)), data)


@deep
@settings(max_examples=amount(share=40, ci=100, whole=1000))
@both
@given(data=MAPPINGS)
def test_writing_again_changes_no_byte(reader: Any, data: dict[str, Any]) -> None:
    written = reader.dump(data)
    assert reader.dump(reader.load(written)) == written


@given(data=MAPPINGS)
def test_both_halves_of_pyyaml_read_each_other(data: dict[str, Any]) -> None:
    assert same(PURE.load(FAST.dump(data)), data)
    assert same(FAST.load(PURE.dump(data)), data)


@given(data=st.dictionaries(st.text("abc_", min_size=1), SCALARS, max_size=5))
def test_both_halves_of_pyyaml_write_the_same_bytes(data: dict[str, Any]) -> None:
    assert PURE.dump(data) == FAST.dump(data)


@given(text=TEXT)
@example("y")
@example("0o17")
@example("x\n\n\n")
@example("\n x")
@example("\ufeffx\ufeff")
def test_other_readers_take_text_for_the_same_text(text: str) -> None:
    written = codec.dump({"a": text, "b": [text], "c": "end"})
    expected = {"a": text, "b": [text], "c": "end"}
    assert yaml.safe_load(written) == expected
    assert ruamel.yaml.YAML(typ="safe", pure=True).load(io.BytesIO(written)) == expected


@given(number=st.one_of(st.integers(-(10**17), 10**17), st.floats(-1e300, 1e300)))
def test_other_readers_take_numbers_for_the_same_numbers(number: float) -> None:
    written = codec.dump({"a": number})
    assert same(yaml.safe_load(written), {"a": number})
    assert same(
        dict(ruamel.yaml.YAML(typ="safe", pure=True).load(io.BytesIO(written))), {"a": number}
    )


@given(key=TEXT)
def test_keys_are_text_for_every_reader(key: str) -> None:
    assert yaml.safe_load(codec.dump({key: 1})) == {key: 1}


@given(word=st.text("ab:#'\"-", min_size=1, max_size=20), count=st.integers(500, 3000))
def test_long_lines_are_not_folded(word: str, count: int) -> None:
    assert codec.dump({"a": " ".join([word] * count)}).count(b"\n") == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", b"a: plain\n"),
        ("first\nsecond\n", b"a: |\n  first\n  second\n"),
        ("first\nsecond", b"a: |-\n  first\n  second\n"),
        ("no", b"a: 'no'\n"),
        ("1e3", b"a: '1e3'\n"),
        ("2026-11-21", b"a: '2026-11-21'\n"),
        ("y", b"a: 'y'\n"),
        ("", b"a: ''\n"),
        ("é漢", "a: é漢\n".encode()),
        ("\x85", b'a: "\\N"\n'),
    ],
)
@both
def test_canonical_form(reader: Any, text: str, written: bytes) -> None:
    assert reader.dump({"a": text}) == written


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"), ("on", "on"), ("1e3", "1e3"), ("0o17", "0o17"), ("0x1f", "0x1f"),
        ("1_000", "1_000"), ("12:30:45", "12:30:45"), ("2026-11-21", "2026-11-21"),
        (".inf", ".inf"), ("True", "True"), ("=", "="), ("007", "007"), ("+1", "+1"),
        ("1.5e400", "1.5e400"), ("null", None), ("~", None), ("", None), ("true", True),
        ("false", False), ("12", 12), ("-3", -3), ("0", 0), ("1.5", 1.5), ("1.5e3", 1500.0),
        ("'12'", "12"), ('"true"', "true"), ("'null'", "null"),
    ],
)  # fmt: skip
@both
def test_only_json_scalars_are_not_text(reader: Any, written: str, value: object) -> None:
    assert same(reader.load(f"a: {written}\n".encode()), {"a": value})


@both
def test_a_merge_key_is_a_plain_key(reader: Any) -> None:
    assert reader.load(b"<<: {a: 1}\n") == {"<<": {"a": 1}}


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="can't be written"):
        codec.dump({"a": number})


@both
def test_line_ends_and_mark_of_other_systems_are_read(reader: Any) -> None:
    assert reader.load(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n") == {"a": 1, "b": "x\ny\n"}


@both
def test_invisible_characters_are_kept_as_they_are(reader: Any) -> None:
    text = "a: x\u200b\u202ey\n"
    assert reader.load(text.encode()) == {"a": "x\u200b\u202ey"}


# --- known gaps: each of these turns red when it is mended, then the mark goes ---------------


@pytest.mark.parametrize("number", [10**18, 2**63 - 1, -(2**63)], ids=["19", "max", "min"])
def test_whole_numbers_of_64_bits(number: int) -> None:
    assert same(codec.load(codec.dump({"a": number})), {"a": number})


def test_a_whole_number_beyond_64_bits_is_not_written() -> None:
    with pytest.raises(ValueError, match="can't be written"):
        codec.dump({"a": 10**30})


@pytest.mark.parametrize(
    "text",
    [
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n \n c\n",
        "all:\n\tmake\n",
        "two lines and\n\U0001f600\n",
        "first  \nsecond\n",
    ],
    ids=["diff", "tabs", "emoji", "blanks-at-the-end"],
)
def test_text_of_several_lines_is_a_block(text: str) -> None:
    assert codec.dump({"a": text}).startswith(b"a: |\n")


def test_half_a_surrogate_pair_is_refused_by_the_pure_reader() -> None:
    with pytest.raises(YamlError):
        PURE.load(b'a: "\\ud800"\n')


@both
def test_lines_are_counted_as_editors_do(reader: Any) -> None:
    with pytest.raises(YamlError) as caught:
        reader.load("a: 'x\u2028y'\nb: 1\nb: 2\n".encode())
    assert caught.value.position == (3, 1)


# --- broken files ------------------------------------------------------------------------

BROKEN = {
    # what a file holds: code, line, column
    "empty": (b"", "empty", 1, 1),
    "blank": (b"\n\n   \n", "empty", 1, 1),
    "comments": (b"# nothing\n# but this\n", "empty", 1, 1),
    "list": (b"- a\n- b\n", "not-a-mapping", 1, 1),
    "empty-list": (b"[]\n", "not-a-mapping", 1, 1),
    "number": (b"42\n", "not-a-mapping", 1, 1),
    "string": (b"'text'\n", "not-a-mapping", 1, 1),
    "bare-words": (b"\nsome words\n", "not-a-mapping", 2, 1),
    "start-only": (b"---\n", "not-a-mapping", 2, 1),
    "two-documents": (b"a: 1\n---\nb: 2\n", "several-documents", 2, 1),
    "document-after-end": (b"a: 1\n...\n---\nb: 2\n", "several-documents", 3, 1),
    "text-after-end": (b"a: 1\n...\nb: 2\n", "yaml-syntax", 3, 1),
    "tab-indent": (b"a:\n\tb: 2\n", "yaml-syntax", 2, 1),
    "tab-continued": (b"a: 1\n\tb: 2\n", "yaml-syntax", 2, 1),
    "single-quote": (b"a: 1\nb: 'x\nc: 2\n", "yaml-syntax", 2, 4),
    "double-quote": (b'a: 1\nb: "x\nc: 2\n', "yaml-syntax", 2, 4),
    "quote-not-ascii": ("a: é漢\nb: 'éé\nc: 2\n".encode(), "yaml-syntax", 2, 4),
    "bracket": (b"a: [1, 2\n", "yaml-syntax", 1, 4),
    "brace": (b"a: {x: 1\n", "yaml-syntax", 1, 4),
    "bracket-in-the-middle": (b"a: [1, 2\nb: 3\n", "yaml-syntax", 2, 2),
    "bad-anchor": (b"a: &\n", "yaml-syntax", 1, 4),
    "two-colons": (b"a: b: c\n", "yaml-syntax", 1, 5),
    "indent": (b"a: b\n c: d\n", "yaml-syntax", 2, 3),
    "no-colon": (b"a: 1\nb\n", "yaml-syntax", 2, 1),
    "at": (b"a: @x\n", "yaml-syntax", 1, 4),
    "conflict": (
        b"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n", "conflict-marker", 2, 1,
    ),
    "conflict-of-two-names": (
        b"a: 1\n<<<<<<<< HEAD:x\nb: 2\n========\nb: 3\n>>>>>>>> theirs:y\n",
        "conflict-marker", 2, 1,
    ),
    "conflict-crlf": (b"a: 1\r\n<<<<<<< HEAD\r\nb: 2\r\n", "conflict-marker", 2, 1),
    "conflict-end": (b"a: 1\n>>>>>>> theirs\n", "conflict-marker", 2, 1),
    "twice": (b"a: 1\nb: 2\na: 3\n", "duplicate-key", 3, 1),
    "twice-inside": (b"a:\n  b: 1\n  b: 2\n", "duplicate-key", 3, 3),
    "twice-in-braces": (b"a: {b: 1, b: 2}\n", "duplicate-key", 1, 11),
    "list-as-key": (b"? [1, 2]\n: x\n", "bad-key", 1, 3),
    "mapping-as-key": (b"? {a: 1}\n: x\n", "bad-key", 1, 3),
    "python-tag": (b"a: !!python/object/apply:os.system ['x']\n", "yaml-feature", 1, 4),
    "own-tag": (b"a: !x y\n", "yaml-feature", 1, 4),
    "harmless-tag": (b"a: !!str 1\n", "yaml-feature", 1, 4),
    "tag-on-key": (b"!!str a: 1\n", "yaml-feature", 1, 1),
    "tag-on-all": (b"!!map\na: 1\n", "yaml-feature", 1, 1),
    "anchor": (b"a: &x 1\n", "yaml-feature", 1, 4),
    "anchor-on-nothing": (b"a: &x\n", "yaml-feature", 1, 4),
    "alias": (b"a: 1\nb: *x\n", "yaml-feature", 2, 4),
    "alias-as-key": (b"*x : 1\n", "yaml-feature", 1, 1),
    "laughs": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "yaml-feature", 1, 4),
    "deep-brackets": (b"a: " + b"[" * 10_000, "too-deep", 1, 53),
    "deep-dashes": (b"a:\n" + b"- " * 10_000 + b"x\n", "too-deep", 2, 99),
    "nul": (b"a: 1\nb: x\x00y\n", "yaml-syntax", 2, 5),
    "control": ("é: x\x01y\n".encode(), "yaml-syntax", 1, 5),
    "not-utf8": (b"ok: 1\nab: \xc3\n", "encoding", 2, 5),
    "latin-1": ("a: é\n".encode("latin-1"), "encoding", 1, 4),
    "surrogate-bytes": (b"a: \xed\xa0\x80\n", "encoding", 1, 4),
    "utf-16": ("a: 1\n".encode("utf-16"), "encoding", 1, 1),
    "utf-16-be": (b"\xfe\xff" + "a: 1\n".encode("utf-16-be"), "encoding", 1, 1),
}  # fmt: skip


@both
@pytest.mark.parametrize(("text", "code", "line", "column"), BROKEN.values(), ids=BROKEN)
def test_broken_files(reader: Any, text: bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(YamlError) as caught:
        reader.load(text)
    assert (caught.value.code, *caught.value.position) == (code, line, column)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(("text", "code", "line", "column"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_one_problem(text: bytes, code: str, line: int, column: int) -> None:
    record, problems = convert.decode(text, "notes/2026/11/x.yaml")
    assert record is None
    (problem,) = problems
    assert (problem.path, problem.code) == ("notes/2026/11/x.yaml", code)
    assert (problem.line, problem.column) == (line, column)
    assert problem.severity == "error"


@both
def test_nesting_up_to_the_limit_is_fine(reader: Any) -> None:
    depth = MAX_DEPTH - 1
    assert reader.load(b"a: " + b"[" * depth + b"]" * depth)


@pytest.mark.timeout(20)
def test_a_megabyte_of_text_in_one_field() -> None:
    text = "x" * 1_000_000
    assert codec.load(codec.dump({"a": text})) == {"a": text}


def assert_read_or_refused(reader: Any, text: bytes) -> None:
    """Read a text; anything but a mapping or a YamlError with a place is a fault of the reader."""
    try:
        data = reader.load(text)
    except YamlError as error:
        refused = error
    else:
        assert isinstance(data, dict)
        return
    assert refused.code
    assert refused.message
    assert refused.position >= (1, 1)


@both
@given(noise=st.binary(max_size=60))
def test_noise_is_a_mapping_or_a_yaml_error(reader: Any, noise: bytes) -> None:
    assert_read_or_refused(reader, noise)


@both
@given(text=TEXT, where=st.integers(0, len(RECORD)))
def test_text_thrown_into_a_record_is_read_or_refused(reader: Any, text: str, where: int) -> None:
    assert_read_or_refused(reader, RECORD[:where] + text.encode() + RECORD[where:])


# --- half-written files ------------------------------------------------------------------


def _fields(data: object, path: tuple[str | int, ...] = ()) -> dict[tuple[str | int, ...], object]:
    if isinstance(data, dict):
        return {k: v for key in data for k, v in _fields(data[key], (*path, key)).items()}
    if isinstance(data, list):
        return {k: v for i, x in enumerate(data) for k, v in _fields(x, (*path, i)).items()}
    return {path: data}


@both
def test_a_record_cut_anywhere(reader: Any) -> None:
    """A cut file is refused, or all its fields but the last are those of the whole file.

    Block YAML has no closing mark, so a cut that leaves whole lines, or the head of a plain
    value, can't be told from a shorter file. What can be promised: nothing before the cut
    is changed, and the value at the cut is a beginning of the true one (or empty).
    """
    whole = _fields(reader.load(RECORD))
    refused, read = 0, 0
    for cut in range(len(RECORD)):
        try:
            left = _fields(reader.load(RECORD[:cut]))
        except YamlError:
            refused += 1
            continue
        read += 1
        *before, last = left
        assert {path: left[path] for path in before} == {path: whole[path] for path in before}, cut
        if left[last] is not None and last in whole:  # else "- fi" of "- file: x", its own word
            assert str(whole[last]).startswith(str(left[last]).rstrip("\n")), cut
    assert refused > 40
    assert read > 200


def test_a_record_cut_in_its_envelope_is_no_record() -> None:
    envelope = RECORD.index("Zoë".encode())  # the last field that every record must have
    decoded = 0
    for cut in range(len(RECORD)):
        record, problems = convert.decode(RECORD[:cut], "errors/2026/11/err-7k3m9q2d4x.yaml")
        if cut <= envelope:
            assert record is None, cut
            assert problems, cut
        assert record is not None or problems, cut
        decoded += record is not None
    assert 100 < decoded < len(RECORD) - envelope


def test_where_keys_and_entries_stand() -> None:
    places = codec.positions(RECORD)
    assert places["id",] == (2, 1)
    assert places["author", "name"] == (7, 3)
    assert places["tags", 0] == (10, 3)
    assert places["frames", 0, "line"] == (14, 3)


def test_a_dotted_path_is_split_into_steps() -> None:
    assert codec.steps("frames[0].line") == ("frames", 0, "line")
    assert codec.steps("title") == ("title",)
    assert codec.steps("") == ()
