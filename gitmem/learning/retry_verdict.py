"""Whether to keep trying or to stop and ask a human: four rules, each with its evidence. Pure.

Attempts since the last success count. Stop

* ``same``: when the approach of the last attempt failed as often as ``RetryLimits.same``,
* ``still``: when none of the last ``RetryLimits.still`` attempts left fewer failing cases than
  there were before them,
* ``broke``: when the last attempt made cases fail that had passed,
* ``most``: when ``RetryLimits.most`` attempts did not succeed.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

GO_ON: Final = "go on"
STOP: Final = "stop"
DONE: Final = "done"
_ASK: Final = "ask a human"


class RetryLimits(NamedTuple):
    """When to stop; 0: never for that reason.

    Attributes:
        most: attempts without success (setting ``advice.attempts``).
        same: attempts with one approach.
        still: attempts in a row without progress.

    """

    most: int = 8
    same: int = 3
    still: int = 3


class TrialStep(NamedTuple):
    """An attempt, and how things stood after it.

    Attributes:
        approach: the same text for attempts that do the same.
        outcome: ``worked``, ``partial``, ``failed`` or ``unverified``.
        failing: how many cases failed after it; None: nobody knows.
        broke: how many cases failed after it that had passed before.
        record: id of its record, or of the run after it.

    """

    approach: str
    outcome: str
    failing: int | None = None
    broke: int = 0
    record: str = ""


class Reason(NamedTuple):
    """A rule that says stop.

    Attributes:
        rule: ``same``, ``still``, ``broke`` or ``most``.
        text: what it saw, and what to do instead.
        records: ids of the attempts that it saw.

    """

    rule: str
    text: str
    records: tuple[str, ...]


class RetryVerdict(NamedTuple):
    """Whether to keep trying.

    Attributes:
        answer: ``go on``, ``stop`` or ``done`` (it works).
        reasons: of a stop, the gravest first.
        tried: attempts since the last success.
        limits: the rules' numbers.

    """

    answer: str
    reasons: tuple[Reason, ...]
    tried: int
    limits: RetryLimits

    @property
    def rules(self) -> str:
        """The rules in force, in one line."""
        limits = self.limits
        named = (
            (limits.same, f"one approach failed {limits.same} times"),
            (limits.still, f"{limits.still} attempts in a row left no fewer failures"),
            (limits.most, f"{limits.most} attempts did not succeed"),
        )
        reached = [text for number, text in named if number]
        return "; ".join([*reached, "an attempt broke what passed before"])


def verdict(
    steps: Sequence[TrialStep], start: int | None = None, limits: RetryLimits | None = None
) -> RetryVerdict:
    """Tell whether to keep trying.

    Args:
        steps: the attempts, oldest first.
        start: how many cases failed before the first of them; None: nobody knows.
        limits: the rules' numbers; None: the usual ones.

    """
    limits = limits or RetryLimits()
    if steps and steps[-1].outcome == "worked":
        return RetryVerdict(DONE, (), 0, limits)
    won = max((at for at, step in enumerate(steps) if step.outcome == "worked"), default=-1)
    since = steps[won + 1 :]
    before = start if won < 0 else steps[won].failing
    texts = (_broke(since), _most(since, limits.most), _same(since, limits.same),
             _still(since, limits.still, before))  # fmt: skip
    reasons = tuple(text for text in texts if text)
    return RetryVerdict(STOP if reasons else GO_ON, reasons, len(since), limits)


def _broke(since: Sequence[TrialStep]) -> Reason | None:
    if not since or not since[-1].broke:
        return None
    number = since[-1].broke
    cases = "case that had" if number == 1 else "cases that had"
    text = f"the last attempt broke {number} {cases} passed: take it back first"
    return Reason("broke", text, _records(since[-1:]))


def _most(since: Sequence[TrialStep], most: int) -> Reason | None:
    if not most or len(since) < most:
        return None
    return Reason("most", f"{len(since)} attempts without success: {_ASK}", _records(since))


def _same(since: Sequence[TrialStep], same: int) -> Reason | None:
    if not same or not since or not since[-1].approach:
        return None
    like = [
        step for step in since if step.approach == since[-1].approach and step.outcome == "failed"
    ]
    if len(like) < same:
        return None
    text = f"the same approach failed {len(like)} times: try another one, or {_ASK}"
    return Reason("same", text, _records(like))


def _still(since: Sequence[TrialStep], still: int, before: int | None) -> Reason | None:
    if not still or len(since) < still:
        return None
    counts = [before, *(step.failing for step in since)]
    last = [count for count in counts[-still:] if count is not None]
    earlier = [count for count in counts[:-still] if count is not None]
    if len(last) < still or not earlier or min(last) < min(earlier):
        return None
    text = (
        f"no progress over the last {still} attempts: {min(last)} failing, "
        f"{min(earlier)} before them: {_ASK}"
    )
    return Reason("still", text, _records(since[-still:]))


def _records(steps: Sequence[TrialStep]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.record for step in steps if step.record))
