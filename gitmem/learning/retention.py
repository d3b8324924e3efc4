"""What of a memory is due to be pruned or archived, and what stays, with the reasons. Pure.

Records go or stay in whole stories: what links to each other, and errors of one fingerprint. So
an error never loses the fix that resolved it, and no link ends nowhere. A story is due when every
record of it is old enough and none is worth keeping.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

_DAY: Final = 86_400
_LASTING: Final = frozenset({"pattern", "note"})
_DEAD: Final = frozenset({"superseded", "rejected", "deprecated"})
_BEYOND: Final = "beyond the newest"
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

    """

    due: list[Due]
    kept: dict[str, str]
    young: int


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
    due, retained, young = [], {}, 0
    for story in stories:
        members = [by_id[member] for member in story]
        reasons = _with_fixes(members, [_due(item, policy, now, beyond) for item in members])
        worth = min(_reason_to_stay(item, valued, helpful) for item in members)[1]
        if all(reasons) and not worth:
            due += map(Due, members, reasons)
        elif worth and any(reasons):
            retained.update(
                {item.id: worth for item, why in zip(members, reasons, strict=True) if why}
            )
            young += sum(not why for why in reasons)
        else:
            young += len(members)
    return RetentionPlan(_oldest_first(due), retained, young)


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


def _due(item: RetentionItem, policy: Policy, now: float, beyond: dict[str, str]) -> str:
    """Say why a record is due; empty: it is not."""
    if item.kind in _LASTING or (item.kind == "decision" and item.status not in _DEAD):
        return ""
    if item.id in beyond:
        return beyond[item.id]
    age = int((now - item.seconds) // _DAY)
    if item.kind == "decision":
        what, days = item.status, policy.success_days
    elif item.worked:
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
    if item.status == "regressed":
        return 2, "the error came back"
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
