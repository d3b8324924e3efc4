"""Times at which failures recur: an hour, a weekday, after new dependencies, after a release.

Each is compared with the memory's own activity: a failure recorded at nine says nothing where
everything is recorded at nine. The question is asked by Fisher's exact test (``chance.py``),
one-sided: is the share of this failure's occasions that fall there larger than that of all
occasions of the memory?

* An *occasion* is not a record: one burst of twenty records is one thing that happened. For
  hours it is an hour of a day in which the failure was recorded; for weekdays a day. Behind a
  change all that follows within a day is one occasion.
* Many questions find something by chance. Each p value is multiplied by how many were asked for
  this answer (Bonferroni's correction; O. J. Dunn, "Multiple comparisons among means", J. Am.
  Stat. Assoc. 56 (1961) 52-64), and what is then not below ``SURE`` is not told. So in 95 of 100
  answers over a memory without any rhythm nothing is told.
* Times are UTC.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from gitmem.learning.chance import at_least

SURE: Final = 0.05
LEAST_OCCASIONS: Final = 5
"""Of a failure; with fewer nothing is asked."""
LEAST_THERE: Final = 3
"""Occasions in the hour, on the weekday or after changes; with fewer nothing is told."""
LEAST_TIMES: Final = 2.0
"""How many times more often than the memory's activity has it."""
WINDOW: Final = 86_400
"""Seconds behind a change that count as after it."""
DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_AFTER: Final = "after"
_ELSE: Final = "else"
_Key = int
"""Of a failure, in the catalog."""


class Periodicity(NamedTuple):
    """A time at which a failure shows more often than others do.

    Attributes:
        when: ``hour``, ``weekday``, ``dependencies`` or ``deploy``.
        at: the hour as 00 to 23, or the weekday's name; empty for the others.
        there: the failure's occasions then.
        occasions: all its occasions.
        share: what share of all occasions of the memory is then, 0 to 1.
        p: chance of so many or more, corrected for the number of questions asked.
        asked: how many questions were asked for the whole answer.

    """

    when: str
    at: str
    there: int
    occasions: int
    share: float
    p: float
    asked: int


Times = Mapping[_Key, Sequence[str]]
"""What belongs to each failure."""


class Activity(NamedTuple):
    """When the memory's failures show, all of them together.

    Attributes:
        hours: occasions by hour, 00 to 23.
        weekdays: occasions by the weekday's name.
        firsts: each failure and, of each day on which it was recorded, when it first was (RFC
            3339, UTC), in order; asked for only where there are changes.

    """

    hours: Counter[str]
    weekdays: Counter[str]
    firsts: Callable[[], Iterable[tuple[_Key, str]]]


class _Counts(NamedTuple):
    """Occasions by hour, by weekday or by whether they are behind a change.

    Attributes:
        every: of all failures of the memory.
        mine: of each failure that is asked about.

    """

    every: Counter[str]
    mine: Mapping[_Key, Counter[str]]


class _Question(NamedTuple):
    """Whether a failure has more occasions at a time than the memory's activity has it."""

    failure: _Key
    when: str
    at: str
    there: int
    occasions: int
    marked: int
    total: int


def periodicities(
    times: Times, activity: Activity, changes: Mapping[str, Iterable[float]]
) -> dict[_Key, tuple[Periodicity, ...]]:
    """Find the times at which failures show more often than the memory's activity has it.

    Args:
        times: of each failure that is asked about the times of its records (RFC 3339, UTC),
            oldest first.
        activity: of all failures.
        changes: the moments (seconds since 1970) of changes by their sort: ``dependencies``,
            ``deploy``. A sort without any is not asked about.

    Returns:
        Of each failure that has some, its rhythms, the surest first.

    """
    counts = {
        "hour": _Counts(activity.hours, {key: _hours(moments) for key, moments in times.items()}),
        "weekday": _Counts(
            activity.weekdays, {key: _days(moments) for key, moments in times.items()}
        ),
    }
    sorts = {sort: ends for sort, moments in changes.items() if (ends := sorted(moments))}
    firsts = list(activity.firsts()) if sorts else []
    for sort, ends in sorts.items():
        counts_by_failure = _behind(firsts, ends)
        counts_of_all: Counter[str] = Counter()
        for counter in counts_by_failure.values():
            counts_of_all.update(counter)
        counts[sort] = _Counts(counts_of_all, {key: counts_by_failure[key] for key in times})
    questions: list[_Question] = []
    for when, counted in counts.items():
        total = counted.every.total()
        for key, own in sorted(counted.mine.items()):
            if (occasions := own.total()) >= LEAST_OCCASIONS:
                questions += [
                    _Question(key, when, at, own[at], occasions, counted.every[at], total)
                    for at in _values_of(when)
                ]
    return _significant(questions)


def _values_of(when: str) -> Sequence[str]:
    if when == "hour":
        return [f"{hour:02}" for hour in range(24)]
    return DAYS if when == "weekday" else (_AFTER,)


def _significant(questions: Sequence[_Question]) -> dict[_Key, tuple[Periodicity, ...]]:
    results: dict[_Key, list[Periodicity]] = {}
    for question in questions:
        share = question.marked / question.total
        if (
            question.there < LEAST_THERE
            or question.there < LEAST_TIMES * share * question.occasions
        ):
            continue
        p = at_least(question.there, question.occasions, question.marked, question.total) * len(
            questions
        )
        if p < SURE:
            at = "" if question.at == _AFTER else question.at
            periodicity = Periodicity(
                question.when, at, question.there, question.occasions, share, p, len(questions)
            )
            results.setdefault(question.failure, []).append(periodicity)
    return {
        key: tuple(sorted(found_periodicities, key=lambda result: result.p))
        for key, found_periodicities in results.items()
    }


def _hours(times: Iterable[str]) -> Counter[str]:
    return Counter([hour[11:] for hour in {at[:13] for at in times}])


def _days(times: Iterable[str]) -> Counter[str]:
    return Counter([weekday(day) for day in {at[:10] for at in times}])


def weekday(day: str) -> str:
    """Name the weekday of a day (ISO 8601)."""
    return DAYS[date.fromisoformat(day).weekday()]


def _behind(firsts: Iterable[tuple[_Key, str]], ends: Sequence[float]) -> dict[_Key, Counter[str]]:
    """Tell of each failure how many occasions lie behind a change; there one a change counts."""
    begin, over = ([_text(moment + seconds) for moment in ends] for seconds in (0, WINDOW))
    counts: dict[_Key, Counter[str]] = {}
    counted: set[tuple[_Key, int]] = set()
    for key, at in firsts:
        own_counts = counts.setdefault(key, Counter())
        position = bisect_right(begin, at) - 1
        if position < 0 or at >= over[position]:
            own_counts[_ELSE] += 1
        elif (key, position) not in counted:
            counted.add((key, position))
            own_counts[_AFTER] += 1
    return counts


def _text(moment: float) -> str:
    """Write a moment as records do: then text order is time order."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
