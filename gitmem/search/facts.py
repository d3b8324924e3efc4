"""Facts about a found record in this repository, and what they add to its score. Pure.

Each fact is a share of the score, above or below 0. They are small beside what the text says:
facts put hits of about equal text in order, they don't lift what does not fit. So what *the same
error* adds, to come first, counts for them as no more than *the same message*. Only what users
made of a record is a share of the whole: who said that the same error did not help is told another
one first.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.index.weights import WEIGHTS
from gitmem.search.circumstances import Circumstances, RecordFeedback

_LEAST: Final = 0.4
"""No record loses more than the rest of its score to facts."""
_OF_USERS: Final = frozenset({"helpful", "unhelpful", "used before"})


class RecordFacts(NamedTuple):
    """What the catalog knows about a record.

    Attributes:
        id, status, created: of the record.
        files: own files that it speaks of.
        branches: branches of the sessions in which it, or a fix of it, was written.
        stale: none of its files is there any more.
        reused: how often a fix was applied again and helped, less how often it did not.

    """

    id: str
    status: str
    created: str
    files: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    stale: bool = False
    reused: int = 0


def facts(record_facts: RecordFacts, around: Circumstances) -> list[tuple[str, float]]:
    """Give the facts that apply, each with its share of the score."""
    worth = WEIGHTS["facts"]
    facts_found: list[tuple[str, float]] = []
    if record_facts.status == "resolved":
        facts_found.append(("a fix held", worth["a fix held"]))
    elif record_facts.status in {"regressed", "superseded", "deprecated", "rejected", "failed"}:
        facts_found.append((record_facts.status, worth["out of date"]))
    if around.files and same_file(record_facts.files, around.files):
        facts_found.append(("same file", worth["same file"]))
    if around.branch and around.branch in record_facts.branches:
        facts_found.append(("same branch", worth["same branch"]))
    if around.now:
        age = _days(record_facts.created, around.now)
        facts_found.append(("recent", worth["recent"] * 0.5 ** (age / worth["half-life in days"])))
    if record_facts.stale:
        facts_found.append(("its files are gone", worth["stale"]))
    if record_facts.reused:
        name = "helped again" if record_facts.reused > 0 else "did not help again"
        facts_found.append((name, worth["helped again"] * saturated(record_facts.reused)))
    feedback = around.feedback.get(record_facts.id, RecordFeedback())
    helpfulness = worth["helpful here"] * saturated(feedback.here)
    helpfulness += worth["helpful"] * saturated(feedback.everywhere)
    if helpfulness:
        name = "helpful" if feedback.judged else "used before"
        facts_found.append((name if helpfulness > 0 else "unhelpful", helpfulness))
    return [(name, share) for name, share in facts_found if share]


def added(
    facts_found: Iterable[tuple[str, float]], score: float, level: float
) -> list[tuple[str, float]]:
    """Give what facts add to a score, part by part.

    Args:
        facts_found: facts with their shares.
        score: what the text and an equal fingerprint gave.
        level: how much of it the fingerprint gave.

    """
    text = score - max(0.0, level - WEIGHTS["facts"]["same message"])
    parts = [(name, share * (score if name in _OF_USERS else text)) for name, share in facts_found]
    beyond = score * (_LEAST - 1.0) - sum(value for _, value in parts)
    if beyond > 1e-9:  # noqa: PLR2004  more than rounding
        parts.append(("facts take no more", beyond))
    return parts


def same_file(paths: Iterable[str], other: Iterable[str]) -> bool:
    """Tell whether two sets of paths share a file; a path may lack its first folders."""
    names: dict[str, list[str]] = {}
    for path in other:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    for path in paths:
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


def saturated(votes: float) -> float:
    """One vote counts for half, many for nearly one."""
    return votes / (1 + abs(votes))
