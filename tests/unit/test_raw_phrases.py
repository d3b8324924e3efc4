"""A file that the bytes filter passes over never holds the phrase; most that don't are passed."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.analysis import plain
from gitmem.index.document import document, plain_text
from gitmem.index.raw_phrases import UNWRITTEN, filter_for
from gitmem.records.convert import decode, encode, from_data
from gitmem.records.parts import RecordPart
from tests import random_records

TEXT = st.text(st.sampled_from("abcXYZ 019._-/\\:'\"#\n\t,éﬁＡß́ê({|>%&*!"), max_size=60)


@given(seed=st.integers(0, 2**32), body=TEXT, title=TEXT, key=TEXT, data=st.data())
def test_a_file_whose_text_has_a_phrase_is_read(
    seed: int, body: str, title: str, key: str, data: Any
) -> None:
    record = random_records.record(Random(seed), [])
    record |= {"title": f"t{plain(title)}", "remark": {f"k{key}": [body, 1.5e20, 10, True]}}
    written = encode(from_data(record))
    read = decode(written, "x.yaml").record
    assert read
    text = plain_text(document(read))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 40)))
    phrase = text[start:end]
    if plain(phrase) in text:
        assert filter_for([phrase], [])(written)
        assert filter_for([], ["surely not there", phrase])(written)


@pytest.mark.parametrize(
    "written",
    [
        b"body: one\n  two three\n",
        b"body: >-\n  one two\n  three\n",
        b"body: |\n    ONE\n    two\n    three\n",
        b"body: 'one two''three'\n",
        b'body: "one two\\\n  three"\n',
        b'body: "one \\x74wo three"\n',
        "body: one \uff54\uff57\uff4f three\n".encode(),
    ],
)
def test_ways_of_writing_a_phrase(written: bytes) -> None:
    assert filter_for(["one two"], [])(written)


def test_what_can_not_have_a_phrase_is_passed_over() -> None:
    worth_reading = filter_for(["lost connection"], [])
    assert not worth_reading(b"title: the connection was lost\n")
    assert not worth_reading(b"title: lost the connection\n")
    assert worth_reading(b"title: Lost\n  connection\n")
    assert not filter_for(["lost connection", "retry"], [])(b"title: lost connection\n")
    assert not filter_for([], ["lost connection"])(b"title: the connection was lost\n")
    assert filter_for(["port 80"], [])(b"title: a report\n")  # nothing is said about numbers
    assert filter_for(["80"], [])(b"title: nothing\n")


def test_what_records_have_without_saying_so_is_known() -> None:
    """Defaults that are searched stand in no file."""
    unsearched = {"status", "outcome", "action", "via"}
    found = {
        field.default
        for part in _parts(RecordPart)
        for field in msgspec.structs.fields(part)
        if isinstance(field.default, str) and field.name not in unsearched
    }
    assert found - {""} == set(UNWRITTEN)


def _parts(part: type[RecordPart]) -> list[type[RecordPart]]:
    below = part.__subclasses__()
    return [*below, *(one for each in below for one in _parts(each))]
