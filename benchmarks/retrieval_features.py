"""What each clause gives each candidate of a question: the material to learn weights from."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.nearness import nearness
from benchmarks.retrieval_data import Question, Task
from gitmem.index import clauses
from gitmem.index.document import document
from gitmem.index.scoring import CANDIDATES, impacts
from gitmem.index.semantic_scores import nearer
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.query import Query


class Candidate(NamedTuple):
    """A record that the words of a question found."""

    place: int
    right: bool
    features: dict[str, float]


class Case(NamedTuple):
    """A question with its candidates, in the order of the pool."""

    question: Question
    kind: str
    candidates: tuple[Candidate, ...]


def cases(task: Task, *, semantic: bool = False) -> Iterator[Case]:
    """Index the records, and measure every question's candidates, by meaning too if asked to."""
    impacts_by_number = {
        number: impacts(document(record)) for number, record in enumerate(task.records, 1)
    }
    counts = Counter(term for impact in impacts_by_number.values() for term in impact)
    with tempfile.TemporaryDirectory() as folder:
        near = nearness(task.records, folder) if semantic else None
        index = WhooshIndex(os.path.join(folder, "index"))
        index.update(impacts_by_number.items(), [])
        for question in task.questions:
            demand = clauses.demand(question.text)
            wanted = Query(question.text, pasted=True)
            ignored = {number + 1 for number in question.ignored}
            hits = index.search(wanted, CANDIDATES + len(ignored), allow=None, text_of=lambda _: "")
            keys = sorted(hit.key for hit in hits if hit.key not in ignored)
            features_of_each = _features(
                demand, [impacts_by_number[key] for key in keys], counts, len(impacts_by_number)
            )
            cosines_of = near(wanted, len(hits)) if near else None
            further = nearer(cosines_of.cosines(keys)) if cosines_of else {}
            for key, features in zip(keys, features_of_each, strict=True):
                if key in further:
                    features[clauses.MEANING] = further[key]
            yield Case(
                question,
                demand.kind,
                tuple(
                    Candidate(key - 1, key - 1 in question.right, features)
                    for key, features in zip(keys, features_of_each, strict=True)
                ),
            )
        index.close()


def _features(
    demand: clauses.Demand, documents: Sequence[dict[str, int]], counts: Counter[str], alive: int
) -> list[dict[str, float]]:
    features_of_each: list[dict[str, float]] = [{} for _ in documents]
    for name in clauses.names():
        alone = clauses.weigh(demand, counts.__getitem__, alive, {name: 1.0})
        if not (alone.parts or alone.places or alone.code[0] or alone.marks()):
            continue
        for features, impact in zip(features_of_each, documents, strict=True):
            value = clauses.total(alone, impact)
            if value:
                features[name] = value
    return features_of_each
