"""What this repository knows about a record that was found, and what that adds. Pure.

Each fact is a share of the score, above or below 0. They are small beside what the text says:
facts put hits of about equal text in order, they don't lift what does not fit. So what *the same
error* adds, to come first, counts for them as no more than *the same message*. Only verdicts of
users are shares of the whole: who said that the same error did not help is told another one first.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.index.weights import WEIGHTS
from gitmem.search.circumstances import Circumstances

_LEAST: Final = 0.4
"""No record loses more than the rest of its score to facts."""
_VERDICTS: Final = frozenset({"helpful", "unhelpful"})


class Known(NamedTuple):
    """What the catalog knows about a record.

    Attributes:
        id, status, created: of the record.
        files: own files that it speaks of.
        branches: branches of the sessions in which it, or a fix of it, was written.
        stale: none of its files is there any more.

    """

    id: str
    status: str
    created: str
    files: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    stale: bool = False


def facts(known: Known, around: Circumstances) -> list[tuple[str, float]]:
    """Give the facts that apply, each with its share of the score."""
    worth = WEIGHTS["facts"]
    found: list[tuple[str, float]] = []
    if known.status == "resolved":
        found.append(("a fix held", worth["a fix held"]))
    elif known.status in {"regressed", "superseded", "deprecated", "rejected", "failed"}:
        found.append((known.status, worth["out of date"]))
    if around.files and same_file(known.files, around.files):
        found.append(("same file", worth["same file"]))
    if around.branch and around.branch in known.branches:
        found.append(("same branch", worth["same branch"]))
    if around.now:
        age = _days(known.created, around.now)
        found.append(("recent", worth["recent"] * 0.5 ** (age / worth["half-life in days"])))
    if known.stale:
        found.append(("its files are gone", worth["stale"]))
    here, everywhere = around.verdicts.get(known.id, (0, 0))
    said = worth["helpful here"] * _saturated(here) + worth["helpful"] * _saturated(everywhere)
    if said:
        found.append(("helpful" if said > 0 else "unhelpful", said))
    return [(name, share) for name, share in found if share]


def added(
    found: Iterable[tuple[str, float]], score: float, level: float
) -> list[tuple[str, float]]:
    """Give what facts add to a score, part by part.

    Args:
        found: facts with their shares.
        score: what the text and an equal fingerprint gave.
        level: how much of it the fingerprint gave.

    """
    text = score - max(0.0, level - WEIGHTS["facts"]["same message"])
    parts = [(name, share * (score if name in _VERDICTS else text)) for name, share in found]
    beyond = score * (_LEAST - 1.0) - sum(value for _, value in parts)
    if beyond > 1e-9:  # noqa: PLR2004  more than rounding
        parts.append(("facts take no more", beyond))
    return parts


def same_file(one: Iterable[str], other: Iterable[str]) -> bool:
    """Tell whether two sets of paths share a file; a path may lack its first folders."""
    names: dict[str, list[str]] = {}
    for path in other:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    for path in one:
        for there in names.get(path.rpartition("/")[2], ()):
            longer, shorter = sorted((path, there), key=len, reverse=True)
            if longer == shorter or longer.endswith("/" + shorter):
                return True
    return False


def _days(created: str, now: str) -> int:
    """Count whole days: the same question gives the same answer all day."""
    try:
        apart = datetime.fromisoformat(now) - datetime.fromisoformat(created)
    except (ValueError, TypeError):
        return 1_000_000
    return max(0, apart.days)


def _saturated(votes: int) -> float:
    """One vote counts for half, many for nearly one."""
    return votes / (1 + abs(votes))
