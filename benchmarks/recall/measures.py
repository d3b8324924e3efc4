"""How good answers are: recall, reciprocal rank, traps and false answers, with intervals."""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from benchmarks.recall.data import UNANSWERABLE, Question

LIMIT: Final = 10
_FEW: Final = 5
_DRAWS: Final = 1000


class Answered(NamedTuple):
    """A question and what a system said.

    Attributes:
        question: what was asked.
        ids: records, best first.
        sure: how many of the first ids the system vouches for.

    """

    question: Question
    ids: tuple[str, ...]
    sure: int

    @property
    def rank(self) -> int:
        """The place of the first right record, from 1; 0 if there is none."""
        right = self.question.relevant
        places = (place for place, name in enumerate(self.ids[:LIMIT], 1) if name in right)
        return next(places, 0)


class Figure(NamedTuple):
    """A share and its 95 % interval; all from 0 to 1."""

    value: float
    low: float
    high: float


Measure = Callable[[Answered], float]
_ANSWERABLE: Final[dict[str, Measure]] = {
    "r1": lambda one: float(one.rank == 1),
    "r5": lambda one: float(0 < one.rank <= _FEW),
    "mrr10": lambda one: 1 / one.rank if one.rank else 0.0,
    "vouched_right": lambda one: float(one.sure > 0 and one.rank == 1),
}
_TRAP: Final[dict[str, Measure]] = {
    "trap_first": lambda one: float(bool(one.question.never_first & set(one.ids[:1]))),
}
_SILENT: Final[dict[str, Measure]] = {
    "false_answers": lambda one: float(one.sure > 0 and bool(one.ids)),
}


def figures(answers: Sequence[Answered]) -> dict[str, Figure]:
    """Give the figures that these answers allow, by name.

    ``r1``, ``r5``, ``mrr10`` and ``vouched_right`` are over questions with an answer,
    ``trap_first`` over those with a trap, ``false_answers`` over those without an answer.
    """
    answerable = [one for one in answers if one.question.family != UNANSWERABLE]
    trapped = [one for one in answers if one.question.never_first]
    silent = [one for one in answers if one.question.family == UNANSWERABLE]
    found: dict[str, Figure] = {}
    for chosen, measures in ((answerable, _ANSWERABLE), (trapped, _TRAP), (silent, _SILENT)):
        if chosen:
            found |= {name: interval(chosen, measure) for name, measure in measures.items()}
    return found


def interval(answers: Sequence[Answered], measure: Measure) -> Figure:
    """Give the mean, and its 95 % interval when programs are drawn anew.

    Questions about one program are no independent draws, so whole programs are drawn.
    """
    by_program: defaultdict[str, list[float]] = defaultdict(list)
    for one in answers:
        by_program[one.question.program].append(measure(one))
    sums = [(sum(values), len(values)) for _, values in sorted(by_program.items())]
    draw = random.Random(20_261_121)
    means = sorted(_mean(draw.choices(sums, k=len(sums))) for _ in range(_DRAWS))
    edge = _DRAWS // 40
    return Figure(_mean(sums), means[edge], means[-1 - edge])


def _mean(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(count for _, count in sums)
