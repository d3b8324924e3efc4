"""A record's row in the catalog, as lists show it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

from gitmem.plurals import counted

_Value = TypeVar("_Value")

VERDICTS: Final = (
    "worked", "claimed", "superseded", "partial", "did not hold", "unverified", "failed",
)  # fmt: skip
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
            ``unverified``; ``did not hold`` and ``superseded``, by a fix that worked, where
            ``failures.verdicts`` found that. Of an error
            ``claimed``, if each fix that is said to have worked on it is. Else empty.
        feedback: of a fix, what users made of it, from -1 to 1; the catalog does not know it,
            ``failures.verdicts`` adds it.
        evidence: of one of several fixes that worked, what is known beyond what its record says:
            2 where a run saw it, 1 where somebody says so, 0 where the run was another record's
            or its author did not commit it; ``failures.precedence`` adds it, and what follows.
        came: grows with the commits that brought such fixes; 0: not known, or long ago.

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
    evidence: int = 1
    came: int = 0

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

    Of equal ones those come first of which more is known, then those that users found more
    helpful, then those that came last.

    Args:
        fixes: in any order.
        closest: ids of those on records that say just what is asked about: of what helped, and of
            what did not, these come first.

    """
    # What is dated in the future, which anybody may write, is not the newest of all.
    ahead = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    newest = sorted(fixes, key=lambda fix: (fix.came, fix.created, fix.id), reverse=True)
    return sorted(
        newest,
        key=lambda fix: (
            not fix.helped,
            fix.id not in closest,
            fix.usefulness,
            fix.created >= ahead,
            -fix.evidence,
            -fix.feedback,
        ),
    )


class Approach(NamedTuple):
    """What was done against a failure, however often somebody wrote it down.

    Attributes:
        row: the attempt of it that helped most.
        attempts: all of them, that one first.

    """

    row: Row
    attempts: tuple[Row, ...]

    @property
    def tally(self) -> str:
        """``worked 5 times, failed once``; empty for a single attempt."""
        if len(self.attempts) == 1:
            return ""
        counts = Counter(fix.verdict for fix in self.attempts)
        return ", ".join(
            f"{verdict} {'once' if number == 1 else counted(number, 'time')}"
            for verdict, number in counts.items()
        )


def approaches(ranked: Iterable[Row]) -> list[Approach]:
    """Fold attempts that say the same into one, in the order of the best of each."""
    alike: dict[str, list[Row]] = {}
    for fix in ranked:
        alike.setdefault(" ".join(fix.title.casefold().split()) or fix.id, []).append(fix)
    return [Approach(rows[0], tuple(rows)) for rows in alike.values()]


def grouped(rows: Iterable[Any], made_of: Callable[..., _Value]) -> dict[int, list[_Value]]:
    """Give by the first column what is made of the others, in the order of the rows."""
    groups: dict[int, list[_Value]] = {}
    for file, *rest in rows:
        groups.setdefault(file, []).append(made_of(*rest))
    return groups
