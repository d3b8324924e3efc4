"""Facts about a found record in this repository, and what they add to its score.

Each fact is a share of the score, above or below 0. They are small beside what the text says:
facts put hits of about equal text in order, they don't lift what does not fit. So what *the same
error* adds, to come first, counts for them as no more than *the same message*. Only what users
made of a record is a share of the whole: who said that the same error did not help is told another
one first.

The circumstances of a question say when, where and for which failure it is asked; the catalog and
the work tree know the facts. An error stands with its fixes, so that words of either find all.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from gitmem.answers.found import SearchHit
from gitmem.catalog.catalog import Catalog
from gitmem.index.weights import WEIGHTS


class RecordFeedback(NamedTuple):
    """What users made of a record.

    Attributes:
        here: votes with the failure at hand; a record that helped counts 1, one that did not -1,
            one that was only applied or opened a part of 1.
        everywhere: votes with any failure.
        judged: somebody said something; otherwise it was only used.

    """

    here: float = 0.0
    everywhere: float = 0.0
    judged: bool = False


class Circumstances(NamedTuple):
    """Where a question comes from. Everything may be missing.

    Attributes:
        now: the time, in RFC 3339 with a ``Z``.
        prints: fingerprints of the failure that is asked for, best first, as (level, value,
            what a record that shares it is called).
        kind: the type of that failure, or its code; empty: it has none.
        names: what its message has in quotes, in its canonical wording.
        files: files that the failure names, as paths of the repository.
        branch: the branch that is checked out.
        root: the folder that paths in records are relative to; empty: nothing can be stale.
        feedback: by record id what users made of it.
        synonyms: the team's own, beside those that everybody uses.

    """

    now: str = ""
    prints: tuple[tuple[str, str, str], ...] = ()
    kind: str = ""
    names: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    branch: str = ""
    root: str = ""
    feedback: Mapping[str, RecordFeedback] = {}
    synonyms: tuple[str, ...] = ()


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


_OWN = frozenset({"location", "frame", "anchor", "change"})


def with_facts(
    hits: Sequence[SearchHit], catalog: Catalog, around: Circumstances
) -> list[SearchHit]:
    """Add to scores what is known, and say so in the parts."""
    files = {hit.row.file for hit in hits} | {fix.file for hit in hits for fix in hit.attempts}
    paths = catalog.paths_of(files)
    branches = catalog.branches_of(files) if around.branch else {}
    reused = catalog.reused(
        row.id for hit in hits for row in (hit.row, *hit.attempts) if row.kind == "fix"
    )
    weighted = []
    is_there = cache(lambda path: os.path.lexists(f"{around.root}/{path}"))  # many name the same
    for hit in hits:
        own = frozenset(path for role, path in paths.get(hit.row.file, ()) if role in _OWN)
        numbers = [hit.row.file, *(fix.file for fix in hit.attempts)]
        record_facts = RecordFacts(
            hit.row.id,
            hit.row.status,
            hit.row.created,
            own,
            frozenset(branch for number in numbers for branch in branches.get(number, ())),
            stale=bool(around.root) and _are_missing(own, is_there),
            reused=reused.get(hit.row.id, 0),
        )
        about = facts(record_facts, around)
        for fix in hit.attempts:
            if not (fix.id in reused or fix.id in around.feedback):
                continue
            # What was said of a fix was said of the answer that showed it.
            of_fix = RecordFacts(fix.id, "", "", reused=reused.get(fix.id, 0))
            about += facts(of_fix, around._replace(now="", files=frozenset()))
        level = next((value for name, value in hit.parts if name == hit.label), 0.0)
        parts = added(about, hit.score, level)
        score = hit.score + sum(value for _, value in parts)
        weighted.append(hit._replace(score=score, parts=(*hit.parts, *parts)))
    return weighted


def _are_missing(files: frozenset[str], is_there: Callable[[str], bool]) -> bool:
    """Tell that a record speaks of files of this repository, and none of them is there."""
    inside = [path for path in files if not path.startswith(("/", "~", "<", "..")) and path]
    return bool(inside) and not any(map(is_there, inside))


SECOND = 0.4
"""What the second best record of a story adds, as a share of its own score: words of a
question are often spread over what failed and what helped."""


def together(hits: Sequence[SearchHit], *, spread: bool) -> list[SearchHit]:
    """Join the hits of one story under its error, or the fix where the error was not found.

    Args:
        hits: any order; each record once.
        spread: add up what the records of a story give; without, the best one speaks.

    """
    errors = {hit.row.id: hit for hit in hits if hit.row.kind == "error"}
    groups: dict[str, list[SearchHit]] = {}
    alone: list[SearchHit] = []
    for hit in hits:
        homes = [error.id for error in hit.errors if error.id in errors]
        if hit.row.kind == "fix" and homes:
            for home in homes:
                groups.setdefault(home, []).append(hit)
        else:
            alone.append(hit)
    return [_joined(hit, groups.get(hit.row.id, []), spread=spread) for hit in alone]


def _joined(error: SearchHit, fixes: list[SearchHit], *, spread: bool) -> SearchHit:
    if not fixes:
        return error
    fix = max(fixes, key=lambda hit: hit.score)
    if not spread:
        if fix.score <= error.score:
            return error
        return error._replace(score=fix.score, parts=fix.parts)
    best, second = (error, fix) if error.score >= fix.score else (fix, error)
    added = SECOND * second.score
    name = "its fix" if second is fix else "its error"
    # What words have found of either, they have found.
    label = error.label and fix.label
    return error._replace(score=best.score + added, parts=(*best.parts, (name, added)), label=label)
