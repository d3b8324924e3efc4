"""What was tried under one name: ways to fix something, and how often each worked."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from gitmem.learning.rates import Rate


class Tried(NamedTuple):
    """A fix attempt, as far as it tells which way was taken.

    Attributes:
        id: its id.
        created: RFC 3339 in UTC; text order is time order.
        success: 1 worked, 0 failed or partial, None nobody knows.
        title: one line.
        approach: one line; may be empty.
        reuses: id of the earlier fix that was applied again; empty if none.
        kind: what it was tried on: an error type, a failure …

    """

    id: str
    created: str
    success: int | None
    title: str
    approach: str
    reuses: str
    kind: str


class Strategy(NamedTuple):
    """One way to fix one kind of error.

    Attributes:
        kind: as of its attempts.
        approach: in the words of its newest attempt that worked, else of its newest.
        rate: how often it worked.
        unheld: how often it had worked and the failure came back.
        attempts: how many, of known outcome or not.
        best: id of the newest attempt that worked; of the newest one if none did.
        last: when it was last tried.

    """

    kind: str
    approach: str
    rate: Rate
    unheld: int
    attempts: int
    best: str
    last: str


def strategies(
    tried: Iterable[Tried], unheld: Collection[str], first: Mapping[str, Tried]
) -> list[Strategy]:
    """Put attempts together that went the same way, the best way first.

    The same way: the same words, whatever case and spaces, or an earlier fix applied again. The
    best is the one whose interval has the highest lower end, so that one lucky attempt does not
    beat nineteen of twenty; then the one that held; then the newest.

    Args:
        tried: attempts.
        unheld: ids of those that had worked and did not hold.
        first: attempts that others may have applied again, by id.

    """
    ways: dict[tuple[str, str], list[Tried]] = {}
    for one in tried:
        ways.setdefault((one.kind, _words(_origin(one, first))), []).append(one)
    found = [_strategy(some, unheld) for some in ways.values()]
    found.sort(key=lambda one: (one.last, one.best), reverse=True)
    return sorted(found, key=lambda one: (-one.rate.low, one.unheld))


def _strategy(some: list[Tried], unheld: Collection[str]) -> Strategy:
    newest = sorted(some, key=lambda one: (one.created, one.id), reverse=True)
    best = next((one for one in newest if one.success), newest[0])
    known = [one for one in some if one.success is not None]
    rate = Rate(sum(one.success == 1 for one in known), len(known))
    held_not = sum(one.id in unheld for one in some)
    return Strategy(
        best.kind, best.approach or best.title, rate, held_not, len(some), best.id,
        newest[0].created,
    )  # fmt: skip


def _origin(one: Tried, first: Mapping[str, Tried]) -> Tried:
    """Follow what was applied again to where it came from; a circle of hand edits ends."""
    passed = {one.id}
    while one.reuses in first and one.reuses not in passed:
        passed.add(one.reuses)
        one = first[one.reuses]
    return one


def _words(one: Tried) -> str:
    return " ".join((one.approach or one.title).casefold().split())
