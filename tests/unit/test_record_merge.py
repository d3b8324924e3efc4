"""Merging two edits of one record: no change of either side is lost, and none is made up."""

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.records import codec
from gitmem.records.convert import decode, from_data, to_data
from gitmem.records.merge import merge

NOTE: dict[str, Any] = {
    "schema": 1, "id": "note-7k3m9q2d4x", "kind": "note", "title": "first",
    "created": "2026-01-02T03:04:05Z", "author": {"name": "Ann", "email": "ann@example.org"},
    "tags": ["a", "b", "c"], "body": "one line\nand another\n",
    "anchors": [{"path": "a.py", "lines": [1, 2]}, {"path": "b.py"}],
}  # fmt: skip


def text(**changes: Any) -> bytes:
    data = copy.deepcopy(NOTE) | changes
    return codec.dump(to_data(from_data({k: v for k, v in data.items() if v is not None})))


def merged(ours: bytes, theirs: bytes, base: bytes | None = None) -> dict[str, Any]:
    found = merge(text() if base is None else base, ours, theirs)
    assert found
    assert found.clashes == ()
    assert codec.dump(codec.load(found.text)) == found.text
    return codec.load(found.text)


def test_different_fields_are_both_taken() -> None:
    assert merged(text(title="ours"), text(body="theirs\n")) == codec.load(
        text(title="ours", body="theirs\n")
    )


def test_lists_are_sets_with_removals() -> None:
    one = merged(text(tags=["a", "c", "d"]), text(tags=["a", "b", "e"]))
    assert one["tags"] == ["a", "d", "e"]
    anchors = merged(
        text(anchors=[*NOTE["anchors"], {"path": "c.py"}]), text(anchors=NOTE["anchors"][1:])
    )["anchors"]
    assert [anchor["path"] for anchor in anchors] == ["b.py", "c.py"]


def test_mappings_are_merged_key_by_key() -> None:
    author = NOTE["author"]
    found = merged(text(author=author | {"name": "Bea"}), text(author=author | {"email": "x@y.z"}))
    assert found["author"] == {"name": "Bea", "email": "x@y.z"}


def test_fields_that_are_not_known_are_merged_too() -> None:
    found = merged(text(mine={"a": 1}), text(theirs=[1], mine=None))
    assert (found["mine"], found["theirs"]) == ({"a": 1}, [1])


def test_true_is_not_one() -> None:
    assert merged(text(x=1), text(x=True), text(x=True))["x"] == 1


def test_a_clash_leaves_both_between_markers() -> None:
    found = merge(text(), text(title="ours", tags=["a", "b", "c", "new"]), text(title="theirs"))
    assert found
    assert found.clashes == ("title",)
    said = found.text.decode()
    assert "<<<<<<< ours\ntitle: ours\n=======\ntitle: theirs\n>>>>>>> theirs\n" in said
    assert "- new\n" in said
    record, problems = decode(found.text, "notes/2026/01/x.yaml")
    assert record is None
    assert [problem.code for problem in problems] == ["conflict-marker"]
    for side in ("ours", "theirs"):  # either side is a whole record
        left = re.sub(r"<<<<<<< ours\n(.*?)=======\n(.*?)>>>>>>> theirs\n",
                      r"\1" if side == "ours" else r"\2", said, flags=re.DOTALL)  # fmt: skip
        assert codec.load(left.encode())["title"] == side


@pytest.mark.parametrize(
    ("ours", "theirs", "fields"),
    [
        (text(body=None), text(body="changed\n"), ("body",)),
        (text(body="x\ny\n"), text(body="x\nz\n"), ("body",)),
        (text(author=NOTE["author"] | {"name": "B"}), text(author=NOTE["author"] | {"name": "C"}),
         ("author.name",)),
        (text(anchors=[{"path": "a.py", "lines": [3, 4]}, {"path": "b.py"}]),
         text(anchors=[{"path": "a.py", "lines": [5, 6]}, {"path": "b.py"}]), ("anchors",)),
    ],
)  # fmt: skip
def test_what_clashes_is_named(ours: bytes, theirs: bytes, fields: tuple[str, ...]) -> None:
    found = merge(text(), ours, theirs)
    assert found
    assert found.clashes == fields
    assert found.text.count(b"<<<<<<<") == found.text.count(b">>>>>>>") == 1


@pytest.mark.parametrize(
    "other",
    [b"title: [\n", b"", b"- a\n", b"title: no id\n", b"\xff\xfe", b"<<<<<<< a\n"],
)
def test_what_is_no_edit_of_this_record_is_not_merged(other: bytes) -> None:
    assert merge(text(), text(title="x"), other) is None
    assert merge(text(), other, text(title="x")) is None


def test_another_record_that_git_took_for_the_new_name_of_a_deleted_one_is_left_alone() -> None:
    other = text(id="note-7k3m9q2d4z", title="similar")
    for merged in (merge(text(), text(title="x"), other), merge(text(), other, text(title="x"))):
        assert merged
        assert (merged.text, merged.clashes, merged.forgotten) == (other, (), "note-7k3m9q2d4x")
    third = text(id="note-7k3m9q2d4y")
    assert merge(text(), third, other) is None
    assert merge(b"", text(), other) is None


def test_the_length_of_markers_is_gits() -> None:
    found = merge(text(), text(title="a"), text(title="b"), marker=12)
    assert found
    assert b"<" * 12 + b" ours" in found.text


_SCALARS = st.one_of(st.integers(-3, 3), st.booleans(), st.sampled_from(["", "a", "b\nc\n", "é"]))
_FIELDS = st.dictionaries(
    st.sampled_from(["x_a", "x_b", "x_c", "x_d"]),
    st.one_of(
        _SCALARS,
        st.lists(_SCALARS, max_size=4, unique_by=json.dumps),
        st.dictionaries(st.sampled_from(["k", "l"]), _SCALARS, max_size=2),
    ),
    max_size=4,
)


def _file(fields: dict[str, Any]) -> bytes:
    return codec.dump(to_data(from_data({**NOTE, **fields})))


def _sorted(value: Any) -> Any:
    if isinstance(value, list):
        return sorted((_sorted(one) for one in value), key=json.dumps)
    if isinstance(value, dict):
        return {key: _sorted(one) for key, one in sorted(value.items())}
    return value


@given(_FIELDS, _FIELDS, _FIELDS)
def test_rules_that_always_hold(
    first: dict[str, Any], one: dict[str, Any], other: dict[str, Any]
) -> None:
    base, ours, theirs = _file(first), _file(one), _file(other)
    found, mirrored = merge(base, ours, theirs), merge(base, theirs, ours)
    assert found
    assert mirrored
    # Who merges whom does not matter.
    assert set(found.clashes) == set(mirrored.clashes)
    if not found.clashes:
        there = codec.load(found.text)
        assert _sorted(there) == _sorted(codec.load(mirrored.text))
        for name in first.keys() | one.keys() | other.keys():
            sides = [
                json.dumps(side.get(name, "-"), sort_keys=True) for side in (first, one, other)
            ]
            now = json.dumps(there.get(name, "-"), sort_keys=True)
            if sides[1] == sides[2] or sides[0] == sides[2]:
                assert now == sides[1]
            elif sides[0] == sides[1]:
                assert now == sides[2]
    # An edit of one side alone is that edit.
    alone = merge(base, ours, base)
    assert alone
    assert alone.text == ours
