"""Who leaves out what is *weak* gets the same other hits, of which less is looked up."""

from collections.abc import Iterable, Iterator

import pytest

from benchmarks.recall.data import pool, questions
from benchmarks.retrieval_data import ENVELOPE
from benchmarks.retrieval_memory import keep
from gitmem.answers.found import SearchHit, SearchResult
from gitmem.catalog.catalog import Catalog
from gitmem.matching.labels import WEAK
from gitmem.memory import Memory
from gitmem.memory.core.derived_state import Snapshot
from gitmem.memory.reading.circumstances import circumstances
from gitmem.query import Query
from gitmem.records.convert import from_data
from tests.depth import amount, deep

_WANTED = 6


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = str(tmp_path_factory.mktemp("recall"))
    environ = keep([from_data(row | ENVELOPE) for row in pool()], folder)
    with Memory.open(f"{folder}/work", environ=environ) as opened:
        opened.checks.catch_up()
        yield opened


@deep
def test_the_hits_that_are_not_weak_stay_as_they_are(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: set[int] = set()
    by_file = Catalog.by_file

    def noted(catalog: Catalog, files: Iterable[int]) -> object:
        numbers.update(files := list(files))
        return by_file(catalog, files)

    def asked(text: str, *, weak: bool) -> tuple[list[SearchHit], int]:
        """Give the hits that are not weak, and how many records were looked up."""
        around = circumstances(memory.workspace, text)

        def ask(now: Snapshot) -> SearchResult:
            return now.search(Query(text, pasted=True), _WANTED, around, weak=weak)

        numbers.clear()
        hits = memory.workspace.ask(ask).hits
        return [hit for hit in hits if hit.label != WEAK], len(numbers)

    monkeypatch.setattr(Catalog, "by_file", noted)
    told, every, few = 0, 0, 0
    for question in questions()[: amount(share=40, ci=450, whole=450)]:
        hits, count = asked(question.text, weak=True)
        same, fewer = asked(question.text, weak=False)
        assert same == hits
        told, every, few = told + len(hits), every + count, few + fewer
    assert told
    assert few * 3 < every
