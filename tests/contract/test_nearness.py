"""Nearness in meaning puts hits in order, in the index on disk exactly as in the oracle."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.index import semantic_scores
from gitmem.index.document import Document
from gitmem.index.protocol import Hit, Index, Near, Nearness
from gitmem.index.scan_index import ScanIndex
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.query import Query
from gitmem.sync.record_vectors import FEWEST_HITS

WORDS = ("socket", "refused", "parse", "date", "naive", "token", "retry", "cache")
PASTED = "ValueError: socket refused\n  at parse date\nnaive token"
TYPED = "why socket refused parse date naive token"
QUERIES = (Query(PASTED, pasted=True), Query(TYPED), Query("token"))

TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
DOCUMENTS = st.lists(st.builds(Document, TEXTS, TEXTS, TEXTS), min_size=1, max_size=70)
COSINES = st.dictionaries(st.integers(1, 70), st.floats(-1, 1), max_size=70)


def told(cosines: dict[int, float], nearest: Callable[[], Iterable[int]] | None = None) -> Near:
    """Give those of some keys that have a cosine."""

    def near(keys: Collection[int]) -> dict[int, float]:
        return {key: cosines[key] for key in keys if key in cosines}

    return Near(near, nearest)


def given_few(near: Near) -> Nearness:
    """As an embedder of words does: of few hits none is put in order by meaning."""
    return lambda _, hits: near if near.nearest or hits >= FEWEST_HITS else None


def ask(index: Index, query: Query, limit: int) -> list[Hit]:
    return index.search(query, limit, text_of=lambda _: "")


@settings(max_examples=60, deadline=None)
@given(
    documents=DOCUMENTS,
    cosines=COSINES,
    query=st.sampled_from(QUERIES),
    limit=st.sampled_from([1, 5, 60, 300]),
)
def test_index_and_oracle_answer_alike(
    tmp_path_factory: pytest.TempPathFactory,
    documents: list[Document],
    cosines: dict[int, float],
    query: Query,
    limit: int,
) -> None:
    near = told(cosines)
    disk = WhooshIndex(str(tmp_path_factory.mktemp("index") / "index"), given_few(near))
    oracle = ScanIndex(given_few(near))
    for index in (disk, oracle):
        index.update(enumerate(documents, 1), [])
    assert ask(disk, query, limit) == ask(oracle, query, limit)
    disk.close()


@pytest.fixture(params=["scan", "whoosh"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    near = told({2: 0.9, 1: 0.1, 3: 0.1})
    made: Index
    if request.param == "scan":
        made = ScanIndex(given_few(near))
    else:
        made = WhooshIndex(str(tmp_path / "index"), given_few(near))
    same = Document("socket refused", "parse", "naive token date")
    made.update([(number, same) for number in range(1, FEWEST_HITS + 1)], [])
    yield made
    made.close()


@pytest.mark.parametrize("query", QUERIES, ids=["pasted", "typed", "word"])
def test_of_equal_words_the_nearest_comes_first(index: Index, query: Query) -> None:
    hits = ask(index, query, 4)
    assert hits[0].key == 2
    for hit in hits:
        assert hit.score == pytest.approx(sum(part for _, part in hit.terms))
        assert (semantic_scores.NAME in dict(hit.terms)) is (hit.key == 2)


def test_of_few_hits_none_is_far_from_the_others(index: Index) -> None:
    index.update([], [FEWEST_HITS])
    for query in QUERIES:
        hits = ask(index, query, 30)
        assert len(hits) == FEWEST_HITS - 1
        assert not any(semantic_scores.NAME in dict(hit.terms) for hit in hits)


def test_only_what_words_found_is_put_in_order(index: Index) -> None:
    assert ask(index, Query("nowhere at all in here"), 4) == []
    assert {hit.score for hit in ask(index, Query(), 4)} == {0.0}


@given(st.lists(st.tuples(st.floats(0.01, 50), st.floats(-1, 1)), min_size=2, max_size=30))
def test_typed_words_count_nearness_both_ways_within_bounds(
    drawn: list[tuple[float, float]],
) -> None:
    hits = [Hit(key, score, (("word", score),)) for key, (score, _) in enumerate(drawn)]
    cosines = {key: cosine for key, (_, cosine) in enumerate(drawn)}
    mean = math.fsum(cosines.values()) / len(cosines)
    made = semantic_scores.typed(hits, Near(lambda _: cosines))
    assert [hit.score for hit in made] == sorted((hit.score for hit in made), reverse=True)
    for hit in made:
        before = hits[hit.key].score
        added = dict(hit.terms).get(semantic_scores.NAME, 0.0)
        assert hit.score == pytest.approx(before + added)
        assert hit.score >= semantic_scores.LEAST_LEFT * before
        assert not added or (added > 0) == (cosines[hit.key] > mean)


@given(cosines=COSINES)
def test_who_is_nearer_than_the_others(cosines: dict[int, float]) -> None:
    found = semantic_scores.nearer(cosines)
    assert set(found) <= set(cosines)
    assert all(0 < value <= len(cosines) ** 0.5 for value in found.values())
    if found:
        nearest = max(cosines.values())
        assert cosines[max(found, key=found.__getitem__)] == pytest.approx(nearest)


@pytest.mark.parametrize("cosines", [{}, {1: 0.5}, {1: 0.5, 2: 0.5}, {1: 0.1, 2: 0.1, 3: 0.1}])
def test_where_all_are_alike_nobody_is_nearer(cosines: dict[int, float]) -> None:
    assert semantic_scores.nearer(cosines) == {}
