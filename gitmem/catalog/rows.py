"""A record's row in the catalog, as lists show it."""

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

_Value = TypeVar("_Value")

VERDICTS: Final = ("worked", "claimed", "partial", "did not hold", "unverified", "failed")
"""What is told of a fix attempt, what helped most first."""
HELPED: Final = frozenset({"worked", "claimed"})
CLAIMED_RESOLVED: Final = "resolved (claimed)"
"""What faces call an error of which only a tool or an import says that it is fixed."""


def shown_status(kind: str, status: str, verdict: str) -> str:
    """Give what every face shows of a record: the verdict on a fix, the status of any other."""
    if kind == "fix":
        return verdict
    return CLAIMED_RESOLVED if verdict and status == "resolved" else status


class Row(NamedTuple):
    """One record as lists show it.

    Attributes:
        file: the catalog's number of its file.
        via: ``human``, ``agent`` or ``tool``: by what means its author wrote it.
        tool: which agent or tool, where that is known.
        stated: outcome, decision status or session success, as written.
        status: what follows from all records.
        verdict: of a fix, what is told of it: ``worked`` (a watched run proved it, or a person
            says so), ``claimed`` (a tool or an import says so), ``partial``, ``failed`` or
            ``unverified``; ``did not hold`` where ``failures.verdicts`` found that. Of an error
            ``claimed``, if each fix that is said to have worked on it is. Else empty.
        feedback: of a fix, what users made of it, from -1 to 1; the catalog does not know it,
            ``failures.verdicts`` adds it.

    """

    file: int
    id: str
    kind: str
    title: str
    created: str
    author: str
    email: str
    via: str
    tool: str
    session: str | None
    stated: str
    error_type: str
    category: str
    subject: str
    gist: str
    path: str
    status: str
    verdict: str = ""
    feedback: float = 0.0

    @property
    def helped(self) -> bool:
        """It is a fix that worked, as far as anybody knows."""
        return self.kind == "fix" and self.verdict in HELPED

    @property
    def shown_status(self) -> str:
        """What every face shows of it; see ``shown_status``."""
        return shown_status(self.kind, self.status, self.verdict)

    @property
    def usefulness(self) -> int:
        """The place of its verdict among all: 0 for what helped most. Sort by it."""
        return VERDICTS.index(self.verdict) if self.verdict in VERDICTS else len(VERDICTS)


def best_first(fixes: Iterable[Row], closest: Collection[str] = ()) -> list[Row]:
    """Sort fix attempts as every face tells them: what helped most first.

    Of equal ones those come first that users found more helpful, then the newest.

    Args:
        fixes: in any order.
        closest: ids of those on records that say just what is asked about: of what helped, and of
            what did not, these come first.

    """
    # What is dated in the future, which anybody may write, is not the newest of all.
    ahead = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    newest = sorted(fixes, key=lambda fix: (fix.created < ahead, fix.created, fix.id), reverse=True)
    return sorted(
        newest,
        key=lambda fix: (not fix.helped, fix.id not in closest, fix.usefulness, -fix.feedback),
    )


def grouped(rows: Iterable[Any], made_of: Callable[..., _Value]) -> dict[int, list[_Value]]:
    """Give by the first column what is made of the others, in the order of the rows."""
    groups: dict[int, list[_Value]] = {}
    for file, *rest in rows:
        groups.setdefault(file, []).append(made_of(*rest))
    return groups
