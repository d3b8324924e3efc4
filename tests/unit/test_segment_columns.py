"""What is written without Whoosh is what Whoosh writes."""

from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh import columns
from whoosh.filedb.filestore import FileStorage
from whoosh.util import numeric

from gitmem.index.term_table import LENGTHS, length_to_byte
from gitmem.index.whoosh_toc import schema
from gitmem.index.whoosh_writer import _key_terms, _nothing_stored


@given(length=st.integers(0, 200_000))
def test_lengths_are_rounded_as_whoosh_rounds_them(length: int) -> None:
    assert length_to_byte(length) == numeric.length_to_byte(length)


def test_bytes_stand_for_the_same_lengths() -> None:
    assert list(LENGTHS) == [numeric.byte_to_length(byte) for byte in range(256)]


@pytest.mark.parametrize("documents", [1, 2, 255, 256, 32_768, 32_769, 70_000])
def test_the_column_of_stored_fields_is_that_of_whoosh(tmp_path: Path, documents: int) -> None:
    storage = FileStorage(str(tmp_path))
    stream = storage.create_file("column")
    columns.PickleColumn(columns.CompressedBytesColumn()).writer(stream).finish(documents)
    stream.close()
    assert (tmp_path / "column").read_bytes() == _nothing_stored(documents)


@given(key=st.integers(0, 2**64 - 1))
def test_keys_are_written_as_whoosh_writes_them(key: int) -> None:
    ((term, _),) = _key_terms(array("Q", [key]))
    assert term == schema()["key"].to_bytes(key)
