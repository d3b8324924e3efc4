"""JSON for programs. ``format`` changes when a field changes its meaning or goes away."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers import Branches, SearchHit, Shown
from gitmem.catalog.rows import Row
from gitmem.records.problems import Problem

if TYPE_CHECKING:
    from gitmem.answers import Attempted, Concerned, Differences, Review, Turn
    from gitmem.capture.cases import Failing, Tests
    from gitmem.capture.job import CiJob
    from gitmem.capture.looking import LiveFailure
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.matching.explained import Explained

FORMAT: Final = 1
_ROW = ("id", "kind", "status", "title", "created", "author", "email", "via", "session",
        "error_type", "category", "subject", "gist", "path")  # fmt: skip


def document(command: str, **content: object) -> str:
    """Wrap a command's answer."""
    return json.dumps(
        {"format": FORMAT, "command": command, **content}, ensure_ascii=False, indent=2
    )


def row(one: Row) -> dict[str, Any]:
    """A record as lists show it."""
    return {name: getattr(one, name) for name in _ROW}


def rows(found: Iterable[Row], branches: Branches | None = None) -> list[dict[str, Any]]:
    """Several records; with the branches that have them, if those are known."""
    if branches is None:
        return [row(one) for one in found]
    return [row(one) | {"branches": branches.having.get(one.path, [])} for one in found]


def hits(found: Sequence[SearchHit], *, why: bool) -> list[dict[str, Any]]:
    """Search results."""
    made = []
    for hit in found:
        one = row(hit.row) | {
            "score": round(hit.score, 6),
            "label": hit.label,
            "layer": hit.layer,
            "attempts": rows(hit.attempts),
            "errors": rows(hit.errors),
        }
        one["stale"] = {name: known._asdict() for name, known in hit.standing.items()}
        if why:
            one["why"] = [{"term": term, "score": round(score, 6)} for term, score in hit.parts]
        made.append(one)
    return made


def shown(one: Shown) -> dict[str, Any]:
    """A whole record with what links to it."""
    from gitmem.records.convert import to_data

    return {
        "status": one.row.shown_status,
        "path": one.row.path,
        "layer": one.layer,
        "record": to_data(one.record),
        "links": [
            {
                "relation": relation,
                "id": target,
                "found": found is not None,
                "title": found.title if found else None,
            }
            for relation, found, target in one.links
        ],
        "backlinks": [{"relation": relation, **row(other)} for relation, other in one.backlinks],
    }


def recognised(one: "Match") -> dict[str, Any]:
    """A failure with what is known about it."""
    return {
        "title": one.seen.title,
        "label": one.label,
        "fingerprint": one.seen.site,
        "failure": one.seen.fields,
        "errors": rows(one.errors),
        "attempts": rows(one.suggested),
        "withheld": dict(one.withheld),
        "drafts": [draft._asdict() for draft in one.drafts],
        "similar": hits(one.similar, why=False),
    }


def run(one: "Run") -> dict[str, Any]:
    """An observed run: its failures by title and fingerprint, and what failed case by case."""
    return {
        **{name: getattr(one, name) for name in ("id", "seconds", "folder", "exit_code", "tree")},
        "at": one.at.isoformat(),
        "command": list(one.command),
        "head": one.head,
        "green": one.green,
        "ci": one.ci,
        "failures": [{"title": seen.title, "fingerprint": seen.site} for seen in one.failures],
        "tests": _tests(one.tests),
        "cases": [case(failing) for failing in one.failing],
    }


def _tests(one: "Tests | None") -> dict[str, Any] | None:
    """How many tests ended how; None if a run names none."""
    if one is None:
        return None
    return {
        "counts": one.counts,
        "complete": one.complete,
        "rate": one.rate,
        "slowest": dict(one.slowest),
    }


def case(one: "Failing") -> dict[str, Any]:
    """A case that failed; without a name if it belongs to no test."""
    said = one._asdict()
    return {**{name: value for name, value in said.items() if name != "site"},
            "fingerprint": one.site}  # fmt: skip


def live(one: "LiveFailure") -> dict[str, Any]:
    """A live failure with what was tried on it."""
    return {
        "command": list(one.command),
        "since": one.episode.reds[0].at.isoformat(),
        "runs": len(one.episode.reds),
        "edits": [
            {
                "at": edit.at.isoformat(),
                "what": edit.what,
                "state": edit.state,
                "patch": edit.attempt.patch.text,
            }
            for edit in one.edits
        ],
        **recognised(one.known),
    }


def explained(one: "Explained") -> dict[str, Any]:
    """How a text is understood, and how it compares."""
    from gitmem.matching.failure import as_fields  # noqa: PLC0415  start-up

    made: dict[str, Any] = {
        "failure": as_fields(one.failure),
        "understood": one.understood,
        "more": one.more,
        "levels": [
            {"level": level, "hash": value, "key": key}
            for level, value, key in one.explanation.levels
        ],
        "masked": [masked._asdict() for masked in one.explanation.masked],
        "frames": [frame._asdict() | {"why": why} for frame, why in one.explanation.frames],
    }
    if one.against and one.comparison:
        made |= {"against": as_fields(one.against), "comparison": one.comparison._asdict()}
    return made


def problems(found: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems with their place."""
    return [problem._asdict() for problem in found]


def differences(found: "Differences") -> dict[str, Any]:
    """What was learnt between two states."""
    return {
        "added": rows(found.added),
        "turned": [_turn(one) for one in found.turned],
        "edited": rows(found.edited),
        "removed": rows(found.removed),
    }


def _turn(one: "Turn") -> dict[str, Any]:
    return row(one.row) | {"was": one.was}


def review(found: "Review") -> dict[str, Any]:
    """What a change teaches."""

    def attempted(ones: "Iterable[Attempted]") -> list[dict[str, Any]]:
        return [{"error": row(one.error), "fixes": rows(one.fixes)} for one in ones]

    def concerned(ones: "Iterable[Concerned]") -> list[dict[str, Any]]:
        return [row(one.row) | {"files": list(one.paths)} for one in ones]

    known = [one for one in found.attempts if one.error.kind == "error"]
    return {
        "before": found.span.before,
        "after": found.span.after,
        "files": found.files,
        "passed_over": found.passed_over,
        "uncommitted": found.uncommitted,
        "errors": attempted(found.errors),
        "attempts": attempted(known),
        "fixes": rows(one.error for one in found.attempts if one.error.kind == "fix"),
        "decisions": rows(found.decisions),
        "others": rows(found.others),
        "turned": [_turn(one) for one in found.turned],
        "edited": rows(found.edited),
        "removed": rows(found.removed),
        "governing": concerned(found.governing),
        "came_back": concerned(found.came_back),
        "known": concerned(found.known),
        "problems": problems(found.problems),
        "issues": [one.name for one in found.issues],
    }


def job(one: "CiJob") -> dict[str, Any]:
    """What is known about a job's failures, and what is wrong with the memory."""
    return {
        "failures": [recognised(failure) for failure in one.failures],
        "known": one.known,
        "more": one.more,
        "unread": [{"name": name, "reason": reason} for name, reason in one.unread],
        "problems": problems(one.problems),
        "review": None if one.review is None else review(one.review),
    }
