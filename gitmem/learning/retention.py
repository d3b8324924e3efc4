"""What of a memory is due to be pruned or archived, and what stays, with the reasons. Pure.

Records go or stay in whole cases: what links to each other, so that no link ends nowhere. A case
is due when every record of it is old enough and none is worth keeping. Cases of one fingerprint are
a story. As long as anything of a story stays, its newest success does, so that no error loses the
fix that resolved it; where the failure came back, the newest case does. The last success of a type
of error never goes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

_DAY: Final = 86_400
_LASTING: Final = frozenset({"pattern", "note"})
_DEAD: Final = frozenset({"superseded", "rejected", "deprecated"})
_BEYOND: Final = "beyond the newest"
_UNSOLVED: Final = frozenset({"open", "regressed"})
_OPEN: Final = "the error is open"
_VALUED: Final = frozenset({"relates", "caused_by", "implements", "reuses"})
"""Links that say that their target is of use to others; a fix of an error says nothing of that."""


class Policy(NamedTuple):
    """How long records stay. A number of 0 is no limit.

    Attributes:
        failure_days: what did not work, or is not known to.
        success_days: what worked.
        pattern_limit: sessions with an approach, the newest of them.
        solution_limit: fixes, the newest of them.

    """

    failure_days: int = 365
    success_days: int = 1095
    pattern_limit: int = 0
    solution_limit: int = 0


class RetentionItem(NamedTuple):
    """One record.

    Attributes:
        id, kind, title, path: as the catalog has them.
        seconds: when it was created, as a time stamp.
        stated: outcome of a fix, or how a session ended.
        status: what follows from other records.
        group: what a limit must not take the only success of: type of error, or of task.

    """

    id: str
    kind: str
    title: str
    path: str
    seconds: float
    stated: str = ""
    status: str = ""
    group: str = ""

    @property
    def worked(self) -> bool:
        """It is a success: a fix or a session that worked, an error that is resolved."""
        return self.stated in {"worked", "partial", "succeeded"} or self.status == "resolved"


class Due(NamedTuple):
    """A record that is due, and why."""

    item: RetentionItem
    why: str


class RetentionPlan(NamedTuple):
    """What is due and what stays.

    Attributes:
        due: the oldest first.
        kept: reasons by id, of old records that stay nevertheless.
        young: how many records are not old enough.
        outcomes: of each outcome of fixes how many go and how many stay.

    """

    due: list[Due]
    kept: dict[str, str]
    young: int
    outcomes: tuple[tuple[str, int, int], ...] = ()


class Retained(NamedTuple):
    """What is due, and what was done about it.

    Attributes:
        plan: what the policy says.
        uncommitted: ids of due records that git does not have as they are; they and what belongs
            to them stay.
        done: it was carried out.
        commit: the commit that has all that went.
        archives: paths of the archives that were written.

    """

    plan: RetentionPlan
    uncommitted: list[str]
    done: bool = False
    commit: str = ""
    archives: tuple[str, ...] = ()


def plan(
    items: Sequence[RetentionItem],
    links: Iterable[tuple[str, str, str]],
    prints: Iterable[tuple[str, str]],
    helpful: Collection[str],
    policy: Policy,
    now: float,
    only: Collection[str] = (),
    *,
    readable: bool = False,
) -> RetentionPlan:
    """Plan what goes.

    Args:
        items: the records, each once.
        links: (id, relation, id of the target).
        prints: (id of an error, fingerprint of its place).
        helpful: ids that somebody said helped.
        policy: how long records stay.
        now: the time, as a time stamp.
        only: ids that were named: just their stories, whatever their age or worth.
        readable: what goes is still found and read: all that is old may go but what is open.

    """
    by_id = {item.id: item for item in items}
    each = [link for link in links if link[0] in by_id and link[2] in by_id]
    stories = _stories(by_id, each, prints)
    if only:
        wanted = set(only)
        due = [
            Due(by_id[member], "named")
            for story in stories
            if wanted & set(story)
            for member in story
        ]
        return RetentionPlan(_oldest_first(due), {}, len(items) - len(due))
    valued = {target for _, relation, target in each if relation in _VALUED}
    beyond = _beyond(items, policy)
    cases = []
    for linked in _stories(by_id, each, ()):
        members = [by_id[member] for member in linked]
        if readable:
            worth = next((_OPEN for item in members if item.status in _UNSOLVED), "")
        else:
            worth = min(_reason_to_stay(item, valued, helpful) for item in members)[1]
        cases.append(
            _Case(members, _reasons(members, policy, now, beyond, readable=readable), worth)
        )
    if not readable:
        _spare(cases, stories)
    due, retained, young = [], {}, 0
    for case in cases:
        if case.goes:
            due += map(Due, case.members, case.reasons)
            continue
        old = [item for item, why in zip(case.members, case.reasons, strict=True) if why]
        if case.worth:
            retained.update({item.id: case.worth for item in old})
        young += len(case.members) - (len(old) if case.worth else 0)
    every, going = (
        Counter(item.stated for item in some if item.kind == "fix")
        for some in (items, [due_record.item for due_record in due])
    )
    outcomes = tuple((name, going[name], every[name] - going[name]) for name in sorted(every))
    return RetentionPlan(_oldest_first(due), retained, young, outcomes)


class _Case:
    """Records that link to each other.

    Attributes:
        members: the records.
        reasons: why each is due; empty: it is not.
        worth: why they stay all the same; empty: nothing speaks for it.

    """

    def __init__(self, members: list[RetentionItem], reasons: list[str], worth: str) -> None:
        self.members = members
        self.reasons = reasons
        self.worth = worth

    @property
    def goes(self) -> bool:
        """It is due and nothing speaks against it."""
        return all(self.reasons) and not self.worth

    @property
    def worked(self) -> bool:
        """A fix of it worked."""
        return any(item.kind == "fix" and item.worked for item in self.members)

    @property
    def newest(self) -> tuple[float, str]:
        """When its newest record was written; no two have the same."""
        return max((item.seconds, item.id) for item in self.members)


def _spare(cases: Sequence[_Case], stories: Iterable[Sequence[str]]) -> None:
    """Say of cases that are due which of them have to stay for others."""
    case_of = {item.id: case for case in cases for item in case.members}
    for story in stories:
        of_story = list({id(case): case for case in map(case_of.__getitem__, story)}.values())
        newest = max(of_story, key=lambda case: case.newest)
        if any(item.status == "regressed" for case in of_story for item in case.members):
            newest.worth = newest.worth or "the error came back"
        if not all(case.goes for case in of_story):
            _stays(of_story, "it resolved what stays")
    types: dict[str, list[_Case]] = {}
    for case in cases:
        for item in case.members:
            if item.kind == "fix" and item.worked and item.group:
                types.setdefault(item.group, []).append(case)
    for kind, of_type in types.items():
        if all(case.goes for case in of_type):
            _stays(of_type, f"the last success of {kind}")


def _stays(cases: Iterable[_Case], why: str) -> None:
    """Let the newest success of some cases stay."""
    successes = [case for case in cases if case.worked]
    if successes:
        newest = max(successes, key=lambda case: case.newest)
        newest.worth = newest.worth or why


def _reasons(
    members: Sequence[RetentionItem],
    policy: Policy,
    now: float,
    beyond: dict[str, str],
    *,
    readable: bool,
) -> list[str]:
    """Say why each record of a case is due; an error lasts as long as what was tried on it."""
    fixes = [item for item in members if item.kind == "fix"]
    worked = any(item.worked for item in fixes)
    lasting = () if readable else _LASTING
    reasons = [
        _due(
            item,
            policy,
            now,
            beyond,
            lasting,
            worked=worked if fixes and item.kind == "error" else item.worked,
        )
        for item in members
    ]
    return _with_fixes(members, reasons)


def _with_fixes(members: Sequence[RetentionItem], reasons: Sequence[str]) -> list[str]:
    """Let errors go with their fixes, where a limit takes these before the errors are old."""
    fixes = [why for item, why in zip(members, reasons, strict=True) if item.kind == "fix"]
    if not fixes or not all(fixes) or not any(why.startswith(_BEYOND) for why in fixes):
        return list(reasons)
    return [
        why or ("goes with its fixes" if item.kind == "error" else "")
        for item, why in zip(members, reasons, strict=True)
    ]


def _oldest_first(due: list[Due]) -> list[Due]:
    return sorted(
        due,
        key=lambda item_due: (
            item_due.item.seconds,
            item_due.item.kind,
            item_due.item.title,
            item_due.item.id,
        ),
    )


def _due(
    item: RetentionItem,
    policy: Policy,
    now: float,
    beyond: dict[str, str],
    lasting: Collection[str],
    *,
    worked: bool,
) -> str:
    """Say why a record is due; empty: it is not."""
    if item.kind in lasting or (item.kind == "decision" and item.status not in _DEAD):
        return ""
    if item.id in beyond:
        return beyond[item.id]
    age = int((now - item.seconds) // _DAY)
    if item.kind == "decision":
        what, days = item.status, policy.success_days
    elif worked:
        what, days = "worked", policy.success_days
    else:
        what, days = item.stated or item.status or "no success", policy.failure_days
    day = datetime.fromtimestamp(item.seconds, UTC).date()
    return f"{what}, from {day}" if 0 < days <= age else ""


def _reason_to_stay(
    item: RetentionItem, valued: Collection[str], helpful: Collection[str]
) -> tuple[int, str]:
    """Say why a record stays however old it is, the best reason as the least; empty: none."""
    if item.kind == "decision" and item.status not in _DEAD:
        return 0, "a decision in force belongs to it"
    if item.kind in _LASTING:
        return 1, f"a {item.kind} belongs to it"
    if item.id in valued:
        return 3, "other records build on it"
    return (4, "somebody said that it helped") if item.id in helpful else (5, "")


def _beyond(items: Sequence[RetentionItem], policy: Policy) -> dict[str, str]:
    """Give what is beyond the limits, but never the only success of its group."""
    reasons: dict[str, str] = {}
    for kind, most in (("session", policy.pattern_limit), ("fix", policy.solution_limit)):
        newest = sorted(
            (item for item in items if item.kind == kind and (kind == "fix" or item.group)),
            key=lambda item: (item.seconds, item.id),
            reverse=True,
        )
        if not most or len(newest) <= most:
            continue
        succeeded = {item.group for item in newest[:most] if item.worked}
        for item in newest[most:]:
            if item.worked and item.group not in succeeded:
                succeeded.add(item.group)
            else:
                reasons[item.id] = f"{_BEYOND} {most}"
    return reasons


def _stories(
    by_id: dict[str, RetentionItem],
    links: Iterable[tuple[str, str, str]],
    prints: Iterable[tuple[str, str]],
) -> list[list[str]]:
    """Put together what belongs together; each record is in one story."""
    above = {record_id: record_id for record_id in by_id}

    def top(record_id: str) -> str:
        while above[record_id] != record_id:
            above[record_id] = above[above[record_id]]
            record_id = above[record_id]
        return record_id

    for source, _, target in links:
        above[top(source)] = top(target)
    first: dict[str, str] = {}
    for record_id, value in prints:
        if record_id in by_id:
            above[top(record_id)] = top(first.setdefault(value, record_id))
    stories: dict[str, list[str]] = {}
    for record_id in by_id:
        stories.setdefault(top(record_id), []).append(record_id)
    return list(stories.values())
