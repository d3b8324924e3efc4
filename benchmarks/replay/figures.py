"""The figures of replays, and whether each is as good as it shall be."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from benchmarks.replay.judging import Judgement


class Goal(NamedTuple):
    """How good a figure shall be: at least, or at most, so much."""

    name: str
    least: float | None = None
    most: float | None = None
    share: bool = True

    def is_met(self, value: float) -> bool:
        """Tell whether a figure is good enough."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    @property
    def text(self) -> str:
        """How good it shall be, in words."""
        bound = self.most if self.least is None else self.least
        return f"{'at most' if self.least is None else 'at least'} {bound:g}"


GOALS: Final = (
    Goal("recorded facts that are true", least=0.98),
    Goal("facts recorded of those wanted", least=0.85),
    Goal("wrong attributions", most=0, share=False),
    Goal("junk records", most=0.02),
    Goal("right fix told first", least=0.95),
    Goal("new bugs told as known", most=0.01),
    Goal("files a bug, median", most=3, share=False),
    Goal("titles that say something", least=0.9),
)


def values(judgement: Judgement) -> dict[str, float]:
    """Give each figure by its goal's name; what nothing is known of is missing."""
    counts = judgement.counts

    def share(part: str, whole: str) -> list[float]:
        return [counts[part] / counts[whole]] if counts[whole] else []

    parts: tuple[list[float], ...] = (
        share("true", "recorded"),
        share("found", "wanted"),
        [counts["wrong attributions"]],
        share("junk", "records"),
        share("right", "met"),
        share("told", "bugs"),
        [statistics.median(judgement.files)] if judgement.files else [],
        share("something", "titles"),
    )
    return {goal.name: part[0] for goal, part in zip(GOALS, parts, strict=True) if part}


def table(judgements: dict[str, Judgement]) -> Iterator[str]:
    """Print the figures of each way to work, with whether they are met."""
    for way, judgement in judgements.items():
        counts = judgement.counts
        yield (
            f"{way}: {counts['bugs']} bugs, {counts['records']} records, {counts['drafts']} only"
            f" drafts, {counts['met']} met again ({counts['later']} in later code)"
        )
        figures_of = values(judgement)
        for goal in GOALS:
            value = figures_of.get(goal.name)
            if value is None:
                yield f"  {goal.name:<32} {'-':>7}  {goal.text}: nothing to tell it by"
                continue
            shown = f"{value:.3f}" if goal.share else f"{value:g}"
            state = "met" if goal.is_met(value) else "not met"
            yield f"  {goal.name:<32} {shown:>7}  {goal.text}: {state}"
        for remark in judgement.remarks:
            yield f"    {remark}"


def are_met(judgements: Sequence[Judgement]) -> bool:
    """Tell whether bugs were replayed and every goal is reached."""
    return all(judgement.counts["bugs"] for judgement in judgements) and all(
        goal.is_met(figures_of[goal.name])
        for judgement in judgements
        for figures_of in (values(judgement),)
        for goal in GOALS
        if goal.name in figures_of
    )
