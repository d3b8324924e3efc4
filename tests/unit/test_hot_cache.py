"""What of an index is kept from one question to the next."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.index import hot_cache
from gitmem.index.document import Document
from gitmem.index.evidence import FileLine
from gitmem.index.hot_cache import HotCache
from gitmem.index.sections import place_term
from gitmem.index.whoosh_files import Segment
from gitmem.index.whoosh_index import WhooshIndex

COUNT = 200
LATE = 70_000
"""A line of a file that two bytes have no room for."""


@pytest.fixture
def segment(tmp_path: Path) -> Iterator[Segment]:
    index = WhooshIndex(str(tmp_path))
    documents = (
        Document("", "", "common " * (n % 3) + ("usual" if n % 2 else "rare") * (n < 150), "", (),
                 (), (FileLine("auth.py", LATE + n),))
        for n in range(COUNT)
    )  # fmt: skip
    index.update(enumerate(documents, 1), ())
    yield index._segments[0]
    index.close()


def asked(known: HotCache, segment: Segment, term: str) -> list[int] | None:
    entry = segment.find(term)
    assert entry
    found = known.impacts((0, term), segment, entry)
    return None if found is None else list(found)


@pytest.mark.parametrize("term", ["common", place_term("auth.py")])
def test_a_long_list_is_kept_from_its_second_question_on(segment: Segment, term: str) -> None:
    known = HotCache()
    known.next_question()
    assert asked(known, segment, term) is None
    assert asked(known, segment, term) is None, "the same question"
    known.next_question()
    entry = segment.find(term) or b""
    there = dict(zip(*segment.impacts(entry, range(COUNT)), strict=True))
    assert asked(known, segment, term) == [there.get(n, 0) for n in range(COUNT)]
    again = known.impacts((0, term), segment, entry)
    assert again is known.impacts((0, term), segment, entry), "it is not read again"


def test_a_short_list_is_not_kept(segment: Segment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hot_cache, "LEAST", 80)
    known = HotCache()
    for _ in range(3):
        known.next_question()
        assert asked(known, segment, "usual") is None


def test_what_was_not_asked_for_the_longest_goes(
    segment: Segment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hot_cache, "_MOST_BYTES", 4 * COUNT)  # two lists
    known = HotCache()
    terms = ("common", "usual", "rare")
    for _ in range(2):
        known.next_question()
        for term in terms:
            asked(known, segment, term)
    assert [term for _, term in known._lists] == ["usual", "rare"]
    known.next_question()
    asked(known, segment, "usual")
    assert asked(known, segment, "common")
    assert [term for _, term in known._lists] == ["usual", "common"]


def test_terms_are_forgotten_when_there_are_many(
    segment: Segment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hot_cache, "_MOST_TERMS", 2)
    known = HotCache()
    for term in ("common", "usual", "rare"):
        known.entries[term] = [segment.find(term)]
        known.totals[term] = known.counts[term] = 1
    known.next_question()
    assert [known.entries, known.totals, known.counts] == [{}, {}, {}]
