"""The same as ``history``, as JSON."""

from typing import TYPE_CHECKING, Any

from gitmem.render.as_json import row

if TYPE_CHECKING:
    from gitmem.answers.places import FileHistory, PlacedAnchor, RecordOrigin, Regression, Touch


def provenance(source: "RecordOrigin") -> dict[str, Any]:
    """Where a record comes from; ``commit`` is null while that is not known."""
    introduced = source.known
    if introduced is None:
        return {"commit": None, "why_not": source.why_not, "path": source.path}
    return {
        "commit": introduced.commit,
        "path": source.path,
        "subject": introduced.subject,
        "author": introduced.author,
        "email": introduced.email,
        "written": introduced.written.isoformat(),
        "at": introduced.at.isoformat(),
        "pull_requests": [pull._asdict() for pull in introduced.pulls],
        "merged_by": introduced.merged_by or None,
        "merged_from": introduced.merged_from or None,
        "branches": list(introduced.branches),
    }


def history(file_history: "FileHistory") -> dict[str, Any]:
    """What touched a file or a line."""
    return {
        "path": file_history.path,
        "line": file_history.line or None,
        "governing": [_touch(touch) for touch in file_history.governing],
        "lines": [
            {
                "first": lines.first,
                "last": lines.last,
                "commit": lines.commit or None,
                "records": [_touch(touch) for touch in lines.touches],
            }
            for lines in file_history.lines
            if lines.touches or file_history.line
        ],
        "withheld": [anchor(placed) for placed in file_history.withheld],
        "notes": file_history.notes,
        "issues": {
            record: [issue.name for issue in issues]
            for record, issues in file_history.issues.items()
        },
    }


def _touch(touch: "Touch") -> dict[str, Any]:
    return {**row(touch.row), "why": touch.why, "detail": touch.detail}


def anchor(placed: "PlacedAnchor") -> dict[str, Any]:
    """An anchor and where it is now; ``now`` is null where that is unknown."""
    target, held = placed.wanted.target, placed.held
    return {
        "id": placed.wanted.row.id,
        "title": placed.wanted.row.title,
        "status": placed.wanted.row.shown_status,
        "recorded": {"path": placed.wanted.path, "lines": _span(target.first, target.last),
                     "symbol": placed.wanted.symbol, "quote": target.quote},
        "now": held and {"path": held.path, "lines": _span(held.first, held.last),
                         "confidence": held.how},
        "reason": placed.reason,
    }  # fmt: skip


def _span(first: int, last: int) -> list[int] | None:
    return [first, last] if first else None


def regression(regression: "Regression") -> dict[str, Any]:
    """What became of the fix of an error that came back."""
    return {
        "error": row(regression.error),
        "fix": row(regression.fix),
        "commit": regression.commit or None,
        "held": regression.held,
        "lines": regression.lines,
        "alive": regression.alive,
        "good": regression.good or None,
        "bad": regression.bad or None,
        "why_not": regression.why_not,
        "command": regression.command,
        "script": regression.script,
    }
