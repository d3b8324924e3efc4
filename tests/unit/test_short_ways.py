"""What is done a quicker way where many records are read gives what the plain way gives."""

import threading
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.config import NO_RULES
from gitmem.errors import InvalidError
from gitmem.index.analysis import MAX_LENGTH, TOKEN, distinct_terms, terms, tokens
from gitmem.matching.recorded import from_fields, from_record
from gitmem.records.convert import from_data, to_data
from gitmem.records.kinds import Error, Note
from gitmem.store.files import Store
from gitmem.sync.record_reader import UnreadFile, read_batch
from gitmem.sync.workers import plan
from tests.random_records import path_of, record, text_of

TEXTS = st.text(st.one_of(st.sampled_from("ab/._\\:@+#-\x00\x0b\x1c\x1f \n\t(é"), st.characters()))


@given(text=TEXTS, times=st.integers(1, 60))
@example(text="a" * (MAX_LENGTH + 1), times=2)
@example(text="a" * MAX_LENGTH + " ", times=3)
def test_a_long_text_is_split_as_the_pattern_splits_it(text: str, times: int) -> None:
    long = text * times
    assert tokens(long) == TOKEN.findall(long)


@given(text=TEXTS)
def test_distinct_terms_are_those_that_are_counted(text: str) -> None:
    assert distinct_terms(text) == list(terms(text))


@given(seed=st.integers(0, 2**32))
def test_a_failure_of_a_record_is_that_of_its_fields(seed: int) -> None:
    error = from_data(record(Random(seed), [], "error"))
    assert isinstance(error, Error)
    assert from_record(error) == from_fields(to_data(error))


def test_a_failure_has_every_field_of_a_full_record() -> None:
    data = record(Random(1), [], "error") | {
        "message": "no such table",
        "tool": "pytest",
        "language": "python",
        "excerpt": "E  no such table",
        "frames": [{"file": "a.py", "function": "f", "line": 3, "code": "g()", "in_app": True}],
        "location": {"file": "a.py", "line": 3, "column": 4, "code": "g()", "around": "f\ng()"},
        "test": {
            "name": "t", "status": "error", "input": "1", "expected": "2", "actual": "3",
            "message": "m", "failing_function": "f", "failing_line": 4, "seconds": 1.5,
        },
    }  # fmt: skip
    error = from_data(data)
    assert isinstance(error, Error)
    assert from_record(error) == from_fields(to_data(error))


@given(seed=st.integers(0, 2**32))
def test_a_record_from_data_is_the_one_that_is_constructed(seed: int) -> None:
    made = from_data(record(Random(seed), []))
    fields = {name: getattr(made, name) for name in made.__struct_fields__}
    assert type(made)(**fields) == made


def test_constructing_is_checked_while_another_thread_converts() -> None:
    data = record(Random(1), [], "note")
    stop = threading.Event()

    def convert() -> None:
        while not stop.is_set():
            from_data(data)

    thread = threading.Thread(target=convert)
    thread.start()
    try:
        fields = {"id": data["id"], "created": "never", "author": data["author"], "title": "t"}
        for _ in range(300):
            with pytest.raises(InvalidError):
                Note(**fields)
    finally:
        stop.set()
        thread.join()


def test_files_that_are_read_together_are_read_as_each_alone(tmp_path: Path) -> None:
    store = Store(str(tmp_path), 1 << 20)
    rng = Random(5)
    for number in range(60):
        data = record(rng, [])
        path = tmp_path / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data) if number % 7 else b"title: [")
    files = [UnreadFile(path, stamp) for path, stamp in store.listing().files.items()]
    known = read_batch(store, files[:1])[0].change.digest
    files[0] = files[0]._replace(digest=known)
    (tmp_path / files[1].path).unlink()
    together = read_batch(store, files)
    alone = [one for file in files for one in read_batch(store, [file])]
    assert [one._replace(change=one.change._replace(read_ns=0)) for one in together] == [
        one._replace(change=one.change._replace(read_ns=0)) for one in alone
    ]
    assert [one.change.path for one in together] == [
        file.path for file in files if file is not files[1]
    ]
    assert together[0].change.entry is None  # it is as it was


@pytest.mark.parametrize(
    ("count", "pieces"), [(1_000, 1), (10_000, 1), (30_999, 2), (100_000, 2), (100_001, 3)]
)
def test_work_is_cut_so_that_little_is_lost_and_segments_are_few(count: int, pieces: int) -> None:
    files = {f"notes/{number}.yaml": (0, 0, 0, 0) for number in range(count)}
    cut = plan(Store("", 1), NO_RULES, "", files, {}, 0).pieces
    assert len(cut) == pieces
    assert [file.path for piece in cut for batch in piece for file in batch] == list(files)
