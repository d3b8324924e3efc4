"""Counts answers: recall with and without the hub, and how often *same message* is wrong."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from benchmarks.across.cases import Case
from benchmarks.across.organisation import Answer, Shown
from gitmem.matching.labels import SAME_MESSAGE

SPLITS: Final = ("dev", "test")
TARGET: Final = 0.02
"""Of the records that are called the same message, at most so many may have another one."""
_FEW: Final = 3
_COLUMNS: Final = (
    "half", "kind", "questions", "own@1 / @3", "hub@1 / @3", "with@1 / @3", "same message",
    "other message", "other cause",
)  # fmt: skip


class Judged(NamedTuple):
    """A question with its answer."""

    case: Case
    answer: Answer

    def is_right(self, shown: Iterable[Shown]) -> bool:
        """Tell whether a right record is among some."""
        return any(record.cause in self.case.right for record in shown)

    @property
    def labelled(self) -> list[str]:
        """The causes of the hub's records with the label *same message*."""
        return [
            record.cause
            for record in self.answer.foreign
            if record.label.startswith(SAME_MESSAGE) and record.cause not in self.case.ignored
        ]

    @property
    def twins(self) -> list[str]:
        """Of these, what has word for word this message for another cause."""
        return [cause for cause in self.labelled if cause in self.case.twins - self.case.right]

    @property
    def wrong(self) -> list[str]:
        """Of these, what is another failure with another message."""
        return [cause for cause in self.labelled if cause not in self.case.right | self.case.twins]


class Counts(NamedTuple):
    """What the questions of one kind gave.

    Attributes:
        kind: of the questions.
        split: ``dev`` or ``test``.
        questions: how many there are.
        answerable: how many of them have a right answer.
        own, hub, both: for how many a right record is first, and among the first three: of the
            asker's own memory, of the hub's answer, of either.
        labelled: records of other repositories that are called the same message.
        twins: of these, those that have the very same message for another cause.
        wrong: of these, those that have another message.
        misled: questions with such a record, of either sort.

    """

    kind: str
    split: str
    questions: int
    answerable: int
    own: tuple[int, int]
    hub: tuple[int, int]
    both: tuple[int, int]
    labelled: int
    twins: int
    wrong: int
    misled: int

    @property
    def false_rate(self) -> float:
        """The share of records called the same message that have another one."""
        return self.wrong / self.labelled if self.labelled else 0.0


def counts(kind: str, split: str, judged: Sequence[Judged]) -> Counts:
    """Count the answers of one kind."""
    own = _right(judged, lambda answer, few: answer.own[:few])
    hub = _right(judged, lambda answer, few: answer.foreign[:few])
    both = _right(judged, lambda answer, few: (*answer.own[:few], *answer.foreign[:few]))
    return Counts(
        kind, split, len(judged), sum(bool(each.case.right) for each in judged), own, hub, both,
        sum(len(each.labelled) for each in judged), sum(len(each.twins) for each in judged),
        sum(len(each.wrong) for each in judged),
        sum(bool(each.twins or each.wrong) for each in judged),
    )  # fmt: skip


def _right(
    judged: Sequence[Judged], shown: Callable[[Answer, int], Iterable[Shown]]
) -> tuple[int, int]:
    first, few = (
        sum(each.is_right(shown(each.answer, number)) for each in judged) for number in (1, _FEW)
    )
    return first, few


def by_kind(judged: Sequence[Judged]) -> list[Counts]:
    """Count by kind and split, and all of a split together."""
    kinds = dict.fromkeys(each.case.kind for each in judged)
    return [
        counts(kind, split, there)
        for split in SPLITS
        for kind in (*kinds, "all")
        if (there := [
            each for each in judged if each.case.split == split and kind in (each.case.kind, "all")
        ])
    ]  # fmt: skip


def table(rows: Iterable[Counts]) -> Iterator[str]:
    """Write counts as Markdown."""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{' --- |' * len(_COLUMNS)}"
    for row in rows:
        recall = (row.own, row.hub, row.both)
        cells = [row.split, "**all**" if row.kind == "all" else row.kind, str(row.questions)]
        cells += [f"{first} / {few}" if row.answerable else "-" for first, few in recall]
        cells += [str(number) for number in (row.labelled, row.wrong, row.twins)]
        yield f"| {' | '.join(cells)} |"


def verdict(rows: Iterable[Counts]) -> Iterator[str]:
    """Say how often *same message* is wrong, and whether the target is met."""
    for row in rows:
        if row.kind == "all":
            met = "met" if row.false_rate <= TARGET else "not met"
            other_cause = f"{row.twins} have that very message for another cause"
            rate = f"{row.wrong} another message ({100 * row.false_rate:.1f} %"
            target = f"target {100 * TARGET:.0f} %: {met})"
            yield f"{row.split}: of {row.labelled} *same message*, {rate}, {target}; {other_cause}"
