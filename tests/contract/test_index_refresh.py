"""An open index that refreshes answers as one that is opened only now, whoever wrote meanwhile."""

import os
import shutil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.index import index_update
from gitmem.index.document import Document, plain_text
from gitmem.index.protocol import IndexDamaged
from gitmem.index.scan_index import ScanIndex
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.query import Query
from tests.depth import amount, deep

WORDS = ("token", "expire", "parse", "connection", "naive")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
# Who writes, what is put, what is removed; and whether all is wiped before.
steps = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.dictionaries(st.integers(1, 9), texts, max_size=4),
        st.sets(st.integers(1, 9), max_size=3),
        st.integers(0, 9).map(lambda drawn: drawn == 0),
    ),
    min_size=1,
    max_size=12,
)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@deep
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files here")
@settings(max_examples=amount(share=40, ci=100, whole=1000), deadline=None)
@given(steps=steps)
def test_two_that_write_in_turn_and_refresh_answer_as_the_oracle(
    tmp_path_factory: pytest.TempPathFactory, steps: Any
) -> None:
    directory = str(tmp_path_factory.mktemp("index"))
    before = open_files()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_update, "TOGETHER", 2)  # so that segments are joined, too
        both = [WhooshIndex(directory), WhooshIndex(directory)]
        oracle = ScanIndex()
        current: dict[int, str] = {}
        for writer, put, removed, wiped in steps:
            if wiped:
                # As a process does that finds it damaged; generations count from the start again.
                shutil.rmtree(directory)
                oracle, current = ScanIndex(), {}
            both[writer].refresh()
            documents = {key: Document(text, "", "") for key, text in put.items()}
            both[writer].update(documents.items(), removed)
            oracle.update(documents.items(), removed)
            current = {key: text for key, text in current.items() if key not in removed} | put
            both[1 - writer].refresh()
            fresh = WhooshIndex(directory)
            for index in (*both, fresh):
                assert index.generation() == fresh.generation()
                assert index.keys() == current.keys()
                for word in WORDS:
                    read = {
                        key: plain_text(Document(text, "", "")) for key, text in current.items()
                    }
                    found = index.search(Query(word), 5, text_of=read.__getitem__)
                    assert found == oracle.search(Query(word), 5, text_of=read.__getitem__)
            fresh.close()
        for index in both:
            index.close()
    assert open_files() == before


def test_damage_is_noticed_by_who_refreshes(tmp_path: Any) -> None:
    directory = str(tmp_path / "index")
    writer, reader = WhooshIndex(directory), WhooshIndex(directory)
    for number in range(2):
        writer.update([(number + 1, Document("token", "", ""))], ())
    reader.refresh()
    writer.update([(3, Document("token", "", ""))], ())
    (tmp_path / "index" / "_MAIN_2.toc").write_bytes(b"nonsense")
    with pytest.raises(IndexDamaged):
        reader.refresh()
    for index in (writer, reader):
        index.close()
