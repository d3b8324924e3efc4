"""Recommends an approach for a task from similar tasks done before. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.learning.advice import TRY, WORKED, ApproachGroup, Trial, groups
from gitmem.learning.confidence import TOO_LITTLE, Confidence, Rate, confidence
from gitmem.learning.tasks import Likeness

STANDARD: Final = "standard"
MOST_FACTORS: Final = 5
MOST_TOOLS: Final = 3
LABEL: Final = "similar task"
_ENOUGH: Final = 10
NOTHING: Final = "No similar patterns found, using standard approach"
NO_SUCCESS: Final = "No similar task has succeeded yet, using standard approach"


class PastWork(NamedTuple):
    """A piece of work that was done before.

    Attributes:
        id, title, created: of the session's record.
        success: whether it succeeded; None: it only ended.
        approach: how it was gone about; empty: not said.
        factors: what made it succeed.
        tools: what was used.
        likeness: how like the task at hand it is.

    """

    id: str
    title: str
    created: str
    success: bool | None
    approach: str
    factors: tuple[str, ...]
    tools: tuple[str, ...]
    likeness: Likeness


class Recommendation(NamedTuple):
    """How to go about a task.

    Attributes:
        approach: the one that did best in similar work, though it may have failed more often than
            it worked; ``standard`` where nothing succeeded.
        confidence: how sure that is.
        factors: (what made similar work succeed, in how many), at most five.
        tools: (what was used when it succeeded, in how many), at most three.
        similar: similar work that succeeded, the most alike first.
        weighed: each approach that was taken in similar work, to try or to avoid.

    """

    approach: str
    confidence: Confidence
    factors: tuple[tuple[str, int], ...]
    tools: tuple[tuple[str, int], ...]
    similar: tuple[PastWork, ...]
    weighed: tuple[ApproachGroup, ...] = ()

    @property
    def experience(self) -> float:
        """A tenth for each similar piece of work that succeeded, at most 1: not a probability."""
        return min(1.0, len(self.similar) / _ENOUGH)

    @property
    def lines(self) -> tuple[str, ...]:
        """The recommendation in sentences."""
        if not self.weighed:
            return (NOTHING,)
        if not self.similar:
            failed = [
                f"  - {group.approach} (failed in {len(group.trials)} similar tasks)"
                for group in self.weighed
            ]
            return NO_SUCCESS, "Approaches that failed:", *failed
        best = next(group for group in self.weighed if group.approach == self.approach)
        used = _worked(best)
        line = f"Use '{self.approach}' approach (used in {used} similar tasks)"
        if best.sort != TRY:
            line = (
                f"No approach worked in most similar tasks; '{self.approach}' did best:"
                f" it worked in {used} of {len(best.trials)}"
            )
        lines = [line]
        if self.factors:
            lines.append("Key success factors:")
            lines += [
                f"  - {name} (appeared in {number} successful executions)"
                for name, number in self.factors
            ]
        if self.tools:
            lines.append("Recommended tools:")
            lines += [f"  - {name} (used in {number} similar tasks)" for name, number in self.tools]
        return tuple(lines)


def recommend(similar: Sequence[PastWork]) -> Recommendation:
    """Recommend how to go about a task.

    Approaches are ranked by the lower end of the interval of their rate, so that what succeeded
    once does not beat what succeeded nine times of ten.

    Args:
        similar: similar work, whatever came of it, the most alike first.

    """
    won = tuple(session for session in similar if session.success)
    weighed = groups(_trial(session) for session in similar if session.success is not None)
    if not won:
        nothing = Confidence(TOO_LITTLE, Rate(0, 0), LABEL)
        return Recommendation(STANDARD, nothing, (), (), won, tuple(weighed))
    best = next((group for group in weighed if group.sort == TRY), None)
    if best is None:
        best = max(weighed, key=lambda group: _worked(group) / len(group.trials))
    sure = confidence(Rate(_worked(best), len(best.trials)), LABEL)
    return Recommendation(
        best.approach,
        sure,
        _common((session.factors for session in won), MOST_FACTORS),
        _common((session.tools for session in won), MOST_TOOLS),
        won,
        tuple(weighed),
    )


def sound(every: Recommendation, most: int) -> tuple[Recommendation, tuple[PastWork, ...]]:
    """Recommend by the few most similar that succeeded.

    One whose approach fails more often than it works counts only where there is no other.

    Args:
        every: the recommendation by all similar work.
        most: how many to rest on.

    Returns:
        The recommendation, and the work that it rests on.

    """
    good = {trial.id for group in every.weighed if group.sort == TRY for trial in group.trials}
    chosen = tuple(work for work in every.similar if work.id in good)[:most]
    return (recommend(chosen), chosen) if chosen else (every, every.similar[:most])


def _worked(group: ApproachGroup) -> int:
    return sum(trial.verdict == WORKED for trial in group.trials)


def _trial(work: PastWork) -> Trial:
    outcome = WORKED if work.success else "failed"
    return Trial(work.id, work.approach or STANDARD, outcome, work.created, LABEL)


def _common(groups_of_names: Iterable[tuple[str, ...]], most: int) -> tuple[tuple[str, int], ...]:
    counted = Counter(name for names in groups_of_names for name in dict.fromkeys(names))
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:most])
