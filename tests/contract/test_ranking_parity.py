"""Whatever is pruned, skipped or batched: the index on disk answers as the exhaustive one does.

Random indexes with many segments and deletions, thousands of random questions; the scores are
compared bit by bit. Words are as unequally common as in natural text, so that pruning sets in.
"""

import random
from itertools import accumulate
from typing import Any
from zlib import crc32

import pytest

from gitmem.index import (
    fillers,
    hot_cache,
    index_update,
    ranking,
    scan_index,
    term_table,
    whoosh_index,
)
from gitmem.index.document import Document, plain_text
from gitmem.index.evidence import FileLine
from gitmem.index.protocol import Near
from gitmem.index.scan_index import ScanIndex
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.query import Query
from tests.depth import DEEP, amount, deep

INDEXES = amount(share=4, ci=20, whole=400)
QUESTIONS = 100
SYLLABLES = ["ka", "lo", "mi", "ter", "ver", "sun", "ing", "ed", "or", "pa", "data", "err"]
FILES = [f"{name}.py" for name in ("auth", "token", "route", "order", "cache")]


class World:
    """Words, some common and most rare, and what is made of them."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        made = {
            "".join(self.pick.choices(SYLLABLES, k=self.pick.randint(1, 4))) for _ in range(400)
        }
        self.words = sorted({*made, "how", "error", "work", "fix-it", "please"})
        self.pick.shuffle(self.words)
        self.weights = list(accumulate(1 / (rank + 1) for rank in range(len(self.words))))

    def text(self, most: int) -> str:
        count = self.pick.randint(0, most)
        return " ".join(self.pick.choices(self.words, cum_weights=self.weights, k=count))

    def document(self) -> Document:
        code = tuple(self.text(4) for _ in range(self.pick.randint(0, 2)))
        places = [FileLine(self.pick.choice(FILES), self.pick.randint(1, 60)) for _ in range(2)]
        body = self.text(40)
        return Document(self.text(6), self.text(6), body, body[:60], (self.text(2),), code,
                        tuple(places[: self.pick.randint(0, 2)]))  # fmt: skip

    def question(self) -> Query:
        kind = self.pick.randrange(7)
        if kind == 0:
            return Query(self.text(3))
        if kind == 1:
            return Query(self.text(9), related=tuple(self.text(2) for _ in range(3)))
        if kind == 2:
            return Query(self.text(2), phrases=(self.text(2),), excluded=(self.text(1),))
        if kind == 3:
            word = self.pick.choice(self.words)
            at = self.pick.randrange(len(word))
            return Query(self.text(1), fuzzy=((word[:at] + "x" + word[at + 1 :], 2),))
        if kind == 4:  # words so common that many documents have all of them
            return Query(" ".join(self.pick.sample(self.words[:12], self.pick.randint(2, 4))))
        file, line = self.pick.choice(FILES), self.pick.randint(1, 60)
        trace = f'  File "src/{file}", line {line}, in f\n    {self.text(4)}\n'
        said = f'{self.text(12)} "{self.text(2)}"\n{self.text(30)}'
        return Query(f"Traceback\n{trace}{said}" if kind == 5 else said, pasted=True)

    def allow(self, keys: set[int]) -> Any:
        some = frozenset(self.pick.sample(sorted(keys), self.pick.randint(0, len(keys))))
        return self.pick.choice([None, None, some, some.__contains__])


def _nearness(query: Query, _: int) -> Near:
    """Stand in for vectors: any number that follows from the question and the key."""
    return Near(lambda keys: {key: crc32(f"{key} {query.words}".encode()) / 2**32 for key in keys})


def _of_sentences(query: Query, hits: int) -> Near:
    """Stand in for vectors that bring records of their own; some are gone by now."""
    near = _nearness(query, hits)
    cosines = near.cosines(range(1, 251))
    return near._replace(nearest=lambda: sorted(cosines, key=lambda key: -cosines[key]))


@deep
@pytest.mark.timeout(7200 if DEEP else 300)
def test_the_tuned_ranking_is_the_exhaustive_one(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Small numbers, so that merges, pruning and several blocks come up in small indexes.
    for module in (whoosh_index, scan_index):
        monkeypatch.setattr(module, "CANDIDATES", 15)
    monkeypatch.setattr(ranking, "WORTH_PRUNING", 0)
    monkeypatch.setattr(fillers, "_ALWAYS_TELLING", 5)
    monkeypatch.setattr(hot_cache, "LEAST", 2)
    monkeypatch.setattr(index_update, "TOGETHER", 4)
    monkeypatch.setattr(term_table, "BLOCK", 8)
    monkeypatch.setattr(term_table, "AS_TUPLE", 3)
    asked = answered = pruned = whole = segments = kept = 0
    score, complete = ranking.Ranking.score, ranking.Ranking._only_complete

    def counted(self: ranking.Ranking, most: int) -> None:
        nonlocal pruned
        score(self, most)
        pruned += not self.all_scored

    def counted_complete(self: ranking.Ranking, *arguments: Any) -> float:
        nonlocal whole
        least = complete(self, *arguments)
        whole += not self.all_scored
        return least

    monkeypatch.setattr(ranking.Ranking, "score", counted)
    monkeypatch.setattr(ranking.Ranking, "_only_complete", counted_complete)
    for seed in range(INDEXES):
        world = World(seed)
        nearness = (None, _nearness, None, _of_sentences)[seed % 4]
        disk, oracle = WhooshIndex(str(tmp_path / str(seed)), nearness), ScanIndex(nearness)
        current: dict[int, Document] = {}
        for _ in range(world.pick.randint(1, 9)):
            upserts = {
                world.pick.randint(1, 250): world.document()
                for _ in range(world.pick.randint(1, 60))
            }
            gone = set(world.pick.sample(sorted(current), len(current) // 8))
            current = {key: one for key, one in current.items() if key not in gone} | upserts
            disk.update(upserts.items(), gone)
            oracle.update(upserts.items(), gone)
        texts = {key: plain_text(one) for key, one in current.items()}.__getitem__
        segments += len(disk._segments)
        for _ in range(QUESTIONS):
            question, limit = world.question(), world.pick.randint(1, 20)
            allow = world.allow(set(current))
            found = disk.search(question, limit, allow=allow, text_of=texts)
            expected = oracle.search(question, limit, allow=allow, text_of=texts)
            assert found == expected, f"seed {seed}: {question}"
            if not found:
                assert disk.suggest(question) == oracle.suggest(question)
            asked += 1
            answered += bool(found)
        kept += len(disk._hot._lists)
        disk.close()
    with capsys.disabled():
        print(  # noqa: T201  the count is what the test is for
            f"\n{asked:,} questions to {INDEXES} indexes of {segments} segments, {answered:,} with"
            f" an answer, pruned {pruned:,} times, {whole:,} times to documents with every word:"
            " 0 differences"
        )
    assert min(pruned, answered, kept) > asked / 10
    assert whole > asked / 50
