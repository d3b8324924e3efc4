"""JSON for programs. ``format`` changes when a field changes its meaning or goes away."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers.found import Branches, SearchHit, Shown
from gitmem.catalog.rows import Row
from gitmem.output.failure import as_fields
from gitmem.records.problems import Problem
from gitmem.render import text
from gitmem.render.text import written_out

if TYPE_CHECKING:
    from gitmem.answers.changes import (
        AttemptedError,
        ConcernedRecord,
        Differences,
        Review,
        StatusChange,
    )
    from gitmem.answers.guarded import TakenBack
    from gitmem.capture.cases import Failing, Tests
    from gitmem.capture.job import CiJob
    from gitmem.capture.looking import LiveFailure
    from gitmem.capture.observed import Match
    from gitmem.capture.runs import Run
    from gitmem.matching.explained import Explained

FORMAT: Final = 1
_ROW = ("id", "kind", "status", "title", "created", "author", "email", "via", "session",
        "error_type", "category", "subject", "gist", "path")  # fmt: skip


def document(command: str, **content: object) -> str:
    """Wrap a command's answer."""
    return readable(
        json.dumps({"format": FORMAT, "command": command, **content}, ensure_ascii=False, indent=2)
    )


def readable(document: str) -> str:
    """Write in JSON's own way what would act on a terminal or in a job's log: it means the same."""
    if not document.isascii():
        document = written_out(document, lambda sign: json.dumps(sign)[1:-1])
    return text.as_json(document)


def row(record: Row) -> dict[str, Any]:
    """A record as lists show it."""
    return {name: getattr(record, name) for name in _ROW} | {"status": record.shown_status}


def rows(records: Iterable[Row], branches: Branches | None = None) -> list[dict[str, Any]]:
    """Several records; with the branches that have them, if those are known."""
    if branches is None:
        return [row(record) for record in records]
    return [row(record) | {"branches": branches.having.get(record.path, [])} for record in records]


def hits(search_hits: Sequence[SearchHit], *, why: bool) -> list[dict[str, Any]]:
    """Search results."""
    results = []
    for hit in search_hits:
        result = row(hit.row) | {
            "score": round(hit.score, 6),
            "label": hit.label,
            "layer": hit.layer,
            "attempts": rows(hit.attempts),
            "errors": rows(hit.errors),
        }
        result["stale"] = {name: standing._asdict() for name, standing in hit.standing.items()}
        if why:
            result["why"] = [{"term": term, "score": round(score, 6)} for term, score in hit.parts]
        results.append(result)
    return results


def record(answer: Shown) -> dict[str, Any]:
    """A whole record with what links to it."""
    from gitmem.records.convert import to_data

    return {
        "status": answer.row.shown_status,
        "path": answer.row.path,
        "layer": answer.layer,
        "record": to_data(answer.record),
        "links": [
            {
                "relation": relation,
                "id": target,
                "found": linked is not None,
                "title": linked.title if linked else None,
            }
            for relation, linked, target in answer.links
        ],
        "backlinks": [{"relation": relation, **row(other)} for relation, other in answer.backlinks],
        "also_tried": rows(answer.also_tried),
    }


def recognised(match: "Match") -> dict[str, Any]:
    """A failure with what is known about it."""
    return {
        "title": match.seen.name,
        "label": match.label,
        "fingerprint": match.seen.site,
        "failure": match.seen.fields,
        "errors": rows(match.errors),
        "attempts": rows(match.ranked),
        "withheld": dict(match.withheld),
        "drafts": [draft._asdict() for draft in match.drafts],
        "similar": hits(match.similar, why=False),
    }


def run(run: "Run") -> dict[str, Any]:
    """An observed run: its failures by title and fingerprint, and what failed case by case."""
    return {
        **{name: getattr(run, name) for name in ("id", "seconds", "folder", "exit_code", "tree")},
        "at": run.at.isoformat(),
        "command": list(run.command),
        "head": run.head,
        "green": run.green,
        "ci": run.ci,
        "failures": [
            {"title": failure.name, "fingerprint": failure.site} for failure in run.failures
        ],
        "tests": _tests(run.tests),
        "cases": [case(failing) for failing in run.failing],
    }


def _tests(counts: "Tests | None") -> dict[str, Any] | None:
    """How many tests ended how; None if a run names none."""
    if counts is None:
        return None
    return {
        "counts": counts.counts,
        "complete": counts.complete,
        "rate": counts.rate,
        "slowest": dict(counts.slowest),
    }


def case(failing: "Failing") -> dict[str, Any]:
    """A case that failed; without a name if it belongs to no test."""
    fields = failing._asdict()
    return {**{name: value for name, value in fields.items() if name != "site"},
            "fingerprint": failing.site}  # fmt: skip


def live(failure: "LiveFailure") -> dict[str, Any]:
    """A live failure with what was tried on it."""
    return {
        "command": list(failure.command),
        "since": failure.episode.reds[0].at.isoformat(),
        "runs": len(failure.episode.reds),
        "edits": [
            {
                "at": edit.at.isoformat(),
                "what": edit.what,
                "state": edit.state,
                "patch": edit.attempt.patch.text,
            }
            for edit in failure.edits
        ],
        **recognised(failure.known),
    }


def explained(explanation: "Explained") -> dict[str, Any]:
    """How a text is understood, and how it compares."""
    data: dict[str, Any] = {
        "failure": as_fields(explanation.failure),
        "understood": explanation.understood,
        "more": explanation.more,
        "levels": [
            {"level": level, "hash": value, "key": key}
            for level, value, key in explanation.explanation.levels
        ],
        "counts": [part._asdict() for part in explanation.explanation.counts],
        "masked": [masked._asdict() for masked in explanation.explanation.masked],
        "masked_for": list(explanation.explanation.reasons),
        "frames": [frame._asdict() | {"why": why} for frame, why in explanation.explanation.frames],
    }
    if explanation.against and explanation.comparison:
        data |= {
            "against": as_fields(explanation.against),
            "comparison": explanation.comparison._asdict(),
        }
    return data


def problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems with their place."""
    return [problem._asdict() for problem in problems]


def differences(differences: "Differences") -> dict[str, Any]:
    """What was learnt between two states."""
    return {
        "added": rows(differences.added),
        "turned": [_turn(turn) for turn in differences.turned],
        "edited": rows(differences.edited),
        "removed": rows(differences.removed),
    }


def _turn(turn: "StatusChange") -> dict[str, Any]:
    return row(turn.row) | {"was": turn.was}


def review(review: "Review") -> dict[str, Any]:
    """What a change teaches."""

    def attempted(ones: "Iterable[AttemptedError]") -> list[dict[str, Any]]:
        return [
            {"error": row(attempted_error.error), "fixes": rows(attempted_error.fixes)}
            for attempted_error in ones
        ]

    def concerned(ones: "Iterable[ConcernedRecord]") -> list[dict[str, Any]]:
        return [row(record.row) | {"files": list(record.paths)} for record in ones]

    on_errors = [attempt for attempt in review.attempts if attempt.error.kind == "error"]
    return {
        "before": review.span.before,
        "after": review.span.after,
        "files": review.files,
        "passed_over": review.passed_over,
        "uncommitted": review.uncommitted,
        "errors": attempted(review.errors),
        "attempts": attempted(on_errors),
        "fixes": rows(attempt.error for attempt in review.attempts if attempt.error.kind == "fix"),
        "decisions": rows(review.decisions),
        "others": rows(review.others),
        "turned": [_turn(turn) for turn in review.turned],
        "edited": rows(review.edited),
        "removed": rows(review.removed),
        "governing": concerned(review.governing),
        "came_back": concerned(review.came_back),
        "known": concerned(review.known),
        "problems": problems(review.problems),
        "issues": [issue.name for issue in review.issues],
        "taken_back": taken_back(review.taken_back),
    }


def taken_back(fixes: "Iterable[TakenBack]") -> list[dict[str, Any]]:
    """Fixes that a change takes back."""
    return [
        {
            "fix": row(taken.fix),
            "error": row(taken.error) if taken.error else None,
            "how": taken.change.how,
            "path": taken.change.path,
            "line": taken.change.line,
            "places": taken.change.places,
            "of": taken.change.of,
            "sureness": taken.sureness,
            "score": round(taken.change.sureness, 3),
            "why": taken.why,
            "proof": taken.proof,
            "rule": taken.rule,
            "seen": taken.seen,
        }
        for taken in fixes
    ]


def job(ci_job: "CiJob") -> dict[str, Any]:
    """What is known about a job's failures, and what is wrong with the memory."""
    return {
        "failures": [recognised(failure) for failure in ci_job.failures],
        "known": ci_job.known,
        "more": ci_job.more,
        "unread": [{"name": name, "reason": reason} for name, reason in ci_job.unread],
        "problems": problems(ci_job.problems),
        "review": None if ci_job.review is None else review(ci_job.review),
        "unreviewed": ci_job.unreviewed,
        "empty": list(ci_job.empty),
        "green": list(ci_job.green),
    }
