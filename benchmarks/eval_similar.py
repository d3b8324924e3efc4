"""How often *similar* is said of what is not right, by the size of the memory.

Memories of several sizes are drawn from a pool of past errors, of all projects or of one. The
labelled queries whose right records are not in it should get nothing; those whose right record
comes first should keep it. A hit that shares a fingerprint has a label of its own and is passed
over. Run it with::

    python -m benchmarks.eval_similar --data ../shared/data/dev
"""

import argparse
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from benchmarks.eval_fingerprints import DATA
from benchmarks.retrieval_data import Task, read
from gitmem.index.document import document
from gitmem.index.scoring import impacts
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.matching.labels import LOOKED_UP
from gitmem.matching.naming import same_type
from gitmem.matching.parse import main_failure
from gitmem.matching.recorded import prints_of
from gitmem.output.failure import as_fields
from gitmem.query import Query
from gitmem.search.levels import least_similar

SIZES: Final = (1, 3, 10, 30, 100, 300, 1000, 3000)
MIXED: Final = "mixed"
PROJECT: Final = "one project"
_ASKED: Final = 4_000
"""Questions for each size."""
SAMPLE: Final = 150
"""Pairs of a failure and what is told as similar to it, of which the useful ones are counted."""
TARGET: Final = 0.70
_SAMPLED_SIZES: Final = (10, 30, 100, 300)
_ASKED_OF_EACH: Final = 25
_MOST_DRAWN: Final = 25
_TOLD: Final = 2
"""So many similar records are told of one failure."""
_MOST_ROUNDS: Final = 10
_MOST_SHARED: Final = 10
"""Hits that may share a fingerprint before one that does not."""


class Best(NamedTuple):
    """The best hit without a label of its own: of a memory that has what is right, or not."""

    score: float
    right: bool
    answerable: bool
    same_kind: bool = True


class AnswerCounts(NamedTuple):
    """How many are told *similar*: of the queries without an answer, of the right first hits."""

    unanswerable: int
    wrongly: int
    found: int
    kept: int


class Useful(NamedTuple):
    """Of so many pairs of a failure and what is told as similar to it, so many are useful."""

    pairs: int
    useful: int

    @property
    def share(self) -> float:
        """The share of useful ones."""
        return self.useful / self.pairs if self.pairs else 1.0


class Pool:
    """Past errors and questions, taken apart once."""

    def __init__(self, task: Task) -> None:
        self.questions = task.questions
        self.impacts = [impacts(document(record)) for record in task.records]
        # What the failure is that a text tells of, as the pipeline looks it up.
        texts = [str(getattr(record, "excerpt", "")) for record in task.records]
        self._known = [_prints(text) for text in texts]
        self._kinds = [_kind(text) for text in texts]
        self._asked = [_prints(question.text) for question in task.questions]
        self._asked_kinds = [_kind(question.text) for question in task.questions]

    def ask(self, chosen: Sequence[int], questions: Sequence[int]) -> Iterator[list[Best]]:
        """Put questions to a memory of the chosen records, all by their places.

        Yields:
            for each question the best hits without a label of their own, as many as are told; one
            without a score if there is none.

        """
        inside = frozenset(chosen)
        with tempfile.TemporaryDirectory() as folder:
            index = WhooshIndex(os.path.join(folder, "index"))
            index.update([(number + 1, self.impacts[number]) for number in chosen], [])
            for number in questions:
                question, prints = self.questions[number], self._asked[number]
                most = _MOST_SHARED + len(question.ignored)
                wanted = Query(question.text, pasted=True)
                none = Best(0.0, right=False, answerable=not inside.isdisjoint(question.right))
                best: list[Best] = []
                for hit in index.search(wanted, most, allow=None, text_of=lambda _: ""):
                    record_number = hit.key - 1
                    if record_number not in question.ignored and prints.isdisjoint(
                        self._known[record_number]
                    ):
                        kinds = self._kinds[record_number], self._asked_kinds[number]
                        right = record_number in question.right
                        best.append(none._replace(score=hit.score, right=right,
                                                  same_kind=_same_kind(*kinds)))  # fmt: skip
                    if len(best) == _TOLD:
                        break
                yield best or [none]
            index.close()


def _same_kind(kind: str, other: str) -> bool:
    """Tell whether a record can be similar: of another type of error it is not."""
    return not kind or not other or same_type(kind, other)


def _kind(text: str) -> str:
    failure = main_failure(text)
    return failure.error_type or failure.code


def _prints(text: str) -> frozenset[tuple[str, str]]:
    fingerprints = prints_of(as_fields(main_failure(text)))
    return frozenset((level, key) for level in LOOKED_UP if (key := getattr(fingerprints, level)))


def draw(
    rng: random.Random, pool: Pool, numbers: Sequence[int], questions: Sequence[int], size: int
) -> list[int]:
    """Draw a memory: half of it right for some of the questions, the rest anything."""
    sample = rng.sample(questions, min((size + 1) // 2, len(questions) // 2))
    rights = (sorted(pool.questions[number].right) for number in sample)
    chosen = dict.fromkeys(rng.choice(right) for right in rights if right)
    others = [number for number in numbers if number not in chosen]
    return [*chosen, *rng.sample(others, min(len(others), max(0, size - len(chosen))))]


def measure(
    pool: Pool, sources: Sequence[str], seed: int = 4
) -> dict[tuple[str, int], AnswerCounts]:
    """Draw memories and ask; ``sources`` are the projects of the records."""
    by_project: dict[str, list[int]] = defaultdict(list)
    for record_number, source in enumerate(sources):
        by_project[source].append(record_number)
    asking: dict[str, list[int]] = defaultdict(list)
    for number, question in enumerate(pool.questions):
        asking[question.source].append(number)
    kinds = {
        MIXED: [(list(range(len(sources))), list(range(len(pool.questions))))],
        PROJECT: [(by_project[name], numbers) for name, numbers in sorted(asking.items())],
    }
    rng = random.Random(seed)
    results = {}
    for kind, size in ((kind, size) for kind in kinds for size in SIZES):
        fitting = [(members, numbers) for members, numbers in kinds[kind] if len(members) >= size]
        whole = sum(len(numbers) for _, numbers in fitting)
        best: list[Best] = []
        for members, numbers in fitting:
            for _ in range(min(_MOST_DRAWN, max(1, _ASKED // whole))):
                answers = pool.ask(draw(rng, pool, members, numbers, size), numbers)
                best += [hits[0] for hits in answers]
        if best:
            results[kind, size] = _counts(best, least_similar(size))
    return results


def sample(pool: Pool, sources: Sequence[str], seed: int = 9) -> Useful:
    """Ask memories of one project each, and draw 150 pairs of a question and what is *similar*.

    A pair is useful if the labels of the data say that the record is right for the question. All
    that is told of a question counts. Memories are drawn until there are enough pairs.
    """
    by_project: dict[str, list[int]] = defaultdict(list)
    for number, source in enumerate(sources):
        by_project[source].append(number)
    asking: dict[str, list[int]] = defaultdict(list)
    for number, question in enumerate(pool.questions):
        asking[question.source].append(number)
    rng = random.Random(seed)
    useful: list[bool] = []
    for _ in range(_MOST_ROUNDS):
        for size in _SAMPLED_SIZES:
            for name, numbers in sorted(asking.items()):
                if len(by_project[name]) >= size:
                    chosen_questions = rng.sample(numbers, min(len(numbers), _ASKED_OF_EACH))
                    chosen = draw(rng, pool, by_project[name], numbers, size)
                    least = least_similar(size)
                    answers = pool.ask(chosen, chosen_questions)
                    useful += [hit.right for hits in answers for hit in hits
                               if hit.same_kind and hit.score >= least]  # fmt: skip
        if len(useful) >= SAMPLE:
            break
    rng.shuffle(useful)
    return Useful(len(useful[:SAMPLE]), sum(useful[:SAMPLE]))


def lines(useful: Useful) -> Iterator[str]:
    """Write how much of what is told as similar is useful, and whether the target is met."""
    met = "met" if useful.share >= TARGET else "not met"
    yield f"told as similar: {useful.useful} of {useful.pairs} are useful"
    yield f"  target similar >= {TARGET:.0%}: {100 * useful.share:.1f}, {met}"


def _counts(best: Sequence[Best], least: float) -> AnswerCounts:
    best = [answer if answer.same_kind else answer._replace(score=0.0) for answer in best]
    without = [answer for answer in best if not answer.answerable]
    answered = [answer for answer in best if answer.right]
    return AnswerCounts(
        len(without),
        sum(answer.score >= least for answer in without),
        len(answered),
        sum(answer.score >= least for answer in answered),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA, help="folder of the labelled queries")
    options = parser.parse_args(arguments)
    try:
        task = read(options.data, "errors")
    except FileNotFoundError as missing:
        print(f"similar: skipped, there is no {missing.filename}")
        return 0
    print(f"{'memory':12}{'records':>8}{'from':>7}{'told wrongly':>24}{'right ones kept':>24}")
    for (kind, size), counts in measure(Pool(task), task.sources).items():
        wrongly = f"{counts.wrongly} of {counts.unanswerable}"
        kept_text = f"{counts.kept} of {counts.found}"
        shares = (counts.wrongly / (counts.unanswerable or 1), counts.kept / (counts.found or 1))
        cells = (
            f"{text:>16} {share:6.1%}"
            for text, share in zip((wrongly, kept_text), shares, strict=True)
        )
        print(f"{kind:12}{size:8}{least_similar(size):7.2f}{''.join(cells)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
