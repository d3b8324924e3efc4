"""What to try and what to avoid, from attempts that were made on the same or on like errors. Pure.

Attempts of one approach are one item. Two are of one approach if one says that it reuses the
other, or if they are described in the same words. An approach is

* to try, if it worked, still holds, and worked at least as often as not; or if nobody knows yet,
* to avoid, if it failed each time, failed more often than it worked, or worked until the error
  came back.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.learning.confidence import Confidence, confidence
from gitmem.learning.rates import Rate

TRY: Final = "try"
AVOID: Final = "avoid"
WORKED: Final = "worked"
PARTIAL: Final = "partial"
UNVERIFIED: Final = "unverified"
LABELS: Final = ("same error", "same place", "same message", "this file", "similar")
"""The nearer first; others come after them."""


class Trial(NamedTuple):
    """An attempt on an error or a task, and what came of it.

    Attributes:
        id: of its record.
        approach: what was done, in words.
        outcome: ``worked``, ``partial``, ``failed`` or ``unverified``.
        created: when it was written down, as the catalog writes times.
        label: how what it was made on and what is asked about are alike.
        held: it worked, and what it was made on did not come back.
        checked: a command passed after it.
        reuses: id of the attempt that it repeats; empty: none.

    """

    id: str
    approach: str
    outcome: str
    created: str
    label: str
    held: bool = True
    checked: bool = False
    reuses: str = ""


class ApproachGroup(NamedTuple):
    """The attempts of one approach.

    Attributes:
        sort: ``try`` or ``avoid``.
        trials: the one that tells most first: of what to try one that worked, of what to avoid
            one that did not; of several the newest.
        confidence: that it will work, or that it will not.
        why: in a few words.

    """

    sort: str
    trials: tuple[Trial, ...]
    confidence: Confidence
    why: str

    @property
    def approach(self) -> str:
        """What was done, in the words of the attempt that tells most."""
        return self.trials[0].approach


class AdviceItem(NamedTuple):
    """One piece of advice.

    Attributes:
        text: what to try, to avoid, or why to stop.
        why: what speaks for that, in a few words.
        records: ids of the records that it rests on.
        confidence: how sure it is; None where it is no matter of chance, such as a decision.
        says: what its records say of it themselves.

    """

    text: str
    why: str
    records: tuple[str, ...] = ()
    confidence: Confidence | None = None
    says: str = ""


def approach_key(text: str) -> str:
    """Give what two approaches in the same words have in common."""
    return " ".join("".join(one if one.isalnum() else " " for one in text.casefold()).split())


def groups(trials: Iterable[Trial]) -> list[ApproachGroup]:
    """Put attempts of one approach together, and weigh each approach; the surest first."""
    made = [_weighed(together) for together in _together(trials)]
    made.sort(key=lambda one: one.trials[0].id)
    made.sort(key=lambda one: one.trials[0].created, reverse=True)
    return sorted(made, key=_order)


def _order(group: ApproachGroup) -> tuple[int, float, int, int]:
    known = group.confidence.rate
    nearness = min(_nearness(one.label) for one in group.trials)
    checked = any(one.checked for one in group.trials)
    # Without an outcome the interval is 0 to 1, with a failure its lower end is 0 as well.
    return nearness, -known.low, not known.worked, not checked


def _nearness(label: str) -> int:
    return LABELS.index(label) if label in LABELS else len(LABELS)


def _together(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Give the attempts of each approach: joined by words, and by what repeats what."""
    every = {one.id: one for one in trials}
    leader = {name: name for name in every}

    def lead(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    worded: dict[str, str] = {}
    for one in every.values():
        if key := approach_key(one.approach):
            leader[lead(one.id)] = lead(worded.setdefault(key, one.id))
        if one.reuses in every:
            leader[lead(one.id)] = lead(one.reuses)
    found: dict[str, list[Trial]] = defaultdict(list)
    for one in every.values():
        found[lead(one.id)].append(one)
    return list(found.values())


def _weighed(trials: Sequence[Trial]) -> ApproachGroup:
    known = [one for one in trials if one.outcome != UNVERIFIED]
    good = [one for one in known if one.outcome == WORKED]
    nearest = min((one.label for one in trials), key=_nearness)
    lost = any(not one.held for one in good)
    holds = bool(good) and all(one.held for one in good)
    failed = len(known) - len(good)
    bad = (lost and not holds) or (bool(known) and failed > len(good))
    partly = not good and any(one.outcome == PARTIAL for one in known)
    if bad and not (partly and all(one.outcome == PARTIAL for one in known)):
        against = [one for one in known if one.outcome != WORKED or not one.held]
        sure = confidence(Rate(len(against), len(known)), nearest)
        return ApproachGroup(
            AVOID, _led(trials, against), sure, _why_not(len(good), len(known), lost)
        )
    sure = confidence(Rate(len(good), len(known)), nearest)
    leading = good or [one for one in known if one.outcome == PARTIAL] or list(trials)
    return ApproachGroup(TRY, _led(trials, leading), sure, _why(good, known))


def _led(trials: Sequence[Trial], leading: Sequence[Trial]) -> tuple[Trial, ...]:
    newest = sorted(trials, key=lambda one: (one.created, one.id), reverse=True)
    first = {one.id for one in leading}
    return tuple(sorted(newest, key=lambda one: one.id not in first))


def _why(good: Sequence[Trial], known: Sequence[Trial]) -> str:
    if not known:
        return "nobody has written down what came of it"
    if not good:
        return f"helped in part, {_times(len(known))}"
    checked = ", checked by a command" if any(one.checked for one in good) else ""
    return f"worked {len(good)} of {len(known)}{checked}"


def _why_not(good: int, known: int, lost: bool) -> str:  # noqa: FBT001  private
    if lost:
        return f"worked {good} of {known}, and the error came back"
    return f"failed {_times(known)}" if not good else f"failed {known - good} of {known}"


def _times(number: int) -> str:
    return f"{number} {'time' if number == 1 else 'times'}"
