"""What to try and what to avoid, from attempts that were made on the same or on like errors. Pure.

Attempts of one approach are one item. Two are of one approach if one says that it reuses the
other, or if they are described in the same words. An approach is

* to try, if it worked, still holds, and worked at least as often as not; or if nobody knows yet,
* to avoid, if it failed each time, failed more often than it worked, or did not hold.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.learning.confidence import Confidence, Rate, confidence

TRY: Final = "try"
AVOID: Final = "avoid"
WORKED: Final = "worked"
CLAIMED: Final = "claimed"
PARTIAL: Final = "partial"
UNVERIFIED: Final = "unverified"
DID_NOT_HOLD: Final = "did not hold"
_UNPROVEN: Final = (UNVERIFIED, CLAIMED)
LABELS: Final = ("same error", "same place", "same message", "this file", "similar")
"""The nearer first; others come after them."""


class Trial(NamedTuple):
    """An attempt on an error or a task, and what came of it.

    Attributes:
        id: of its record.
        approach: what was done, in words.
        verdict: what is told of it; see ``catalog.rows.Row``.
        created: when it was written down, as the catalog writes times.
        label: how what it was made on and what is asked about are alike.
        checked: a command passed after it.
        reuses: id of the attempt that it repeats; empty: none.
        came: grows with the commits that brought attempts; 0: not known.

    """

    id: str
    approach: str
    verdict: str
    created: str
    label: str
    checked: bool = False
    reuses: str = ""
    came: int = 0


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
        error: what it was tried on, and where, if that is not what is asked about.

    """

    text: str
    why: str
    records: tuple[str, ...] = ()
    confidence: Confidence | None = None
    says: str = ""
    error: str = ""


def approach_key(text: str) -> str:
    """Give what two approaches in the same words have in common."""
    return " ".join(
        "".join(character if character.isalnum() else " " for character in text.casefold()).split()
    )


def groups(trials: Iterable[Trial]) -> list[ApproachGroup]:
    """Put attempts of one approach together, and weigh each approach; the surest first."""
    approach_groups = [_weighed(together) for together in _together(trials)]
    approach_groups.sort(key=lambda group: group.trials[0].id)
    approach_groups.sort(key=lambda group: _newest_last(group.trials[0])[:3], reverse=True)
    return sorted(approach_groups, key=_order)


def _order(group: ApproachGroup) -> tuple[int, float, int, int]:
    confidence = group.confidence.rate
    nearness = min(_nearness(trial.label) for trial in group.trials)
    checked = any(trial.checked for trial in group.trials)
    # Without an outcome the interval is 0 to 1, with a failure its lower end is 0 as well.
    return nearness, -confidence.low, not confidence.worked, not checked


def _newest_last(trial: Trial) -> tuple[bool, int, str, str]:
    return trial.checked, trial.came, trial.created, trial.id


def _nearness(label: str) -> int:
    return LABELS.index(label) if label in LABELS else len(LABELS)


def _together(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Give the attempts of each approach: joined by words, and by what repeats what."""
    trials_by_id = {trial.id: trial for trial in trials}
    leader = {name: name for name in trials_by_id}

    def lead(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    worded: dict[str, str] = {}
    for trial in trials_by_id.values():
        if key := approach_key(trial.approach):
            leader[lead(trial.id)] = lead(worded.setdefault(key, trial.id))
        if trial.reuses in trials_by_id:
            leader[lead(trial.id)] = lead(trial.reuses)
    trials_of: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials_by_id.values():
        trials_of[lead(trial.id)].append(trial)
    return list(trials_of.values())


def _weighed(trials: Sequence[Trial]) -> ApproachGroup:
    decided = [trial for trial in trials if trial.verdict not in _UNPROVEN]
    good = [trial for trial in decided if trial.verdict in (WORKED, DID_NOT_HOLD)]
    nearest = min((trial.label for trial in trials), key=_nearness)
    lost = any(trial.verdict == DID_NOT_HOLD for trial in good)
    failed = len(decided) - len(good)
    bad = lost or (bool(decided) and failed > len(good))
    if bad and not all(trial.verdict == PARTIAL for trial in decided):
        against = [trial for trial in decided if trial.verdict != WORKED]
        sure = confidence(Rate(len(against), len(decided)), nearest)
        return ApproachGroup(
            AVOID, _led(trials, against), sure, _why_not(len(good), len(decided), lost)
        )
    sure = confidence(Rate(len(good), len(decided)), nearest)
    claimed = [trial for trial in trials if trial.verdict == CLAIMED]
    leading = good or [trial for trial in decided if trial.verdict == PARTIAL] or claimed or trials
    return ApproachGroup(TRY, _led(trials, leading), sure, _why(good, decided, len(claimed)))


def _led(trials: Sequence[Trial], leading: Sequence[Trial]) -> tuple[Trial, ...]:
    newest = sorted(trials, key=_newest_last, reverse=True)
    first = {trial.id for trial in leading}
    return tuple(sorted(newest, key=lambda trial: trial.id not in first))


def _why(good: Sequence[Trial], decided: Sequence[Trial], claimed: int) -> str:
    if not decided and claimed:
        return f"claimed {_times(claimed)} to have worked, confirmed by no person and no check"
    if not decided:
        return "its outcome is not recorded"
    if not good:
        return f"helped in part, {_times(len(decided))}"
    checked = ", checked by a command" if any(trial.checked for trial in good) else ""
    return f"worked {len(good)} of {len(decided)}{checked}"


def _why_not(good: int, decided: int, lost: bool) -> str:  # noqa: FBT001  private
    if lost:
        return f"did not hold: worked {good} of {decided}, the error came back anyway"
    return f"failed {decided - good} of {decided}"


def _times(number: int) -> str:
    return f"{number} {'time' if number == 1 else 'times'}"
