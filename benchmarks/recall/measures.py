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
        positions = (position for position, name in enumerate(self.ids[:LIMIT], 1) if name in right)
        return next(positions, 0)


class Figure(NamedTuple):
    """A share and its 95 % interval; all from 0 to 1."""

    value: float
    low: float
    high: float


Measure = Callable[[Answered], float]
_ANSWERABLE: Final[dict[str, Measure]] = {
    "r1": lambda answer: float(answer.rank == 1),
    "r5": lambda answer: float(0 < answer.rank <= _FEW),
    "mrr10": lambda answer: 1 / answer.rank if answer.rank else 0.0,
    "vouched_right": lambda answer: float(answer.sure > 0 and answer.rank == 1),
}
_TRAP: Final[dict[str, Measure]] = {
    "trap_first": lambda answer: float(bool(answer.question.never_first & set(answer.ids[:1]))),
}
_SILENT: Final[dict[str, Measure]] = {
    "false_answers": lambda answer: float(answer.sure > 0 and bool(answer.ids)),
}


def figures(answers: Sequence[Answered]) -> dict[str, Figure]:
    """Give the figures that these answers allow, by name.

    ``r1``, ``r5``, ``mrr10`` and ``vouched_right`` are over questions with an answer,
    ``trap_first`` over those with a trap, ``false_answers`` over those without an answer.
    """
    answerable = [answer for answer in answers if answer.question.family != UNANSWERABLE]
    trapped = [answer for answer in answers if answer.question.never_first]
    silent = [answer for answer in answers if answer.question.family == UNANSWERABLE]
    figures_by_name: dict[str, Figure] = {}
    for chosen, measures in ((answerable, _ANSWERABLE), (trapped, _TRAP), (silent, _SILENT)):
        if chosen:
            figures_by_name |= {
                name: interval(chosen, measure) for name, measure in measures.items()
            }
    return figures_by_name


def interval(answers: Sequence[Answered], measure: Measure) -> Figure:
    """Give the mean, and its 95 % interval when programs are drawn anew.

    Questions about one program are no independent draws, so whole programs are drawn.
    """
    by_program: defaultdict[str, list[float]] = defaultdict(list)
    for answer in answers:
        by_program[answer.question.program].append(measure(answer))
    sums = [(sum(values), len(values)) for _, values in sorted(by_program.items())]
    draw = random.Random(20_261_121)
    means = sorted(_mean(draw.choices(sums, k=len(sums))) for _ in range(_DRAWS))
    edge = _DRAWS // 40
    return Figure(_mean(sums), means[edge], means[-1 - edge])


def _mean(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(count for _, count in sums)
