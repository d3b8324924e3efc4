"""The same as ``history``, as JSON."""

from typing import TYPE_CHECKING, Any

from gitmem.render.as_json import row

if TYPE_CHECKING:
    from gitmem.answers import FileHistory, Placed, RecordOrigin, Regression, Touch


def provenance(source: "RecordOrigin") -> dict[str, Any]:
    """Where a record comes from; ``commit`` is null while that is not known."""
    known = source.known
    if known is None:
        return {"commit": None, "why_not": source.why_not, "path": source.path}
    return {
        "commit": known.commit,
        "path": source.path,
        "subject": known.subject,
        "author": known.author,
        "email": known.email,
        "written": known.written.isoformat(),
        "at": known.at.isoformat(),
        "pull_requests": [one._asdict() for one in known.pulls],
        "merged_by": known.merged_by or None,
        "merged_from": known.merged_from or None,
        "branches": list(known.branches),
    }


def history(found: "FileHistory") -> dict[str, Any]:
    """What touched a file or a line."""
    return {
        "path": found.path,
        "line": found.line or None,
        "governing": [_touch(one) for one in found.governing],
        "lines": [
            {"first": lines.first, "last": lines.last, "commit": lines.commit or None,
             "records": [_touch(one) for one in lines.touches]}
            for lines in found.lines if lines.touches or found.line
        ],
        "withheld": [anchor(one) for one in found.withheld],
        "notes": found.notes,
        "issues": {record: [one.name for one in issues] for record, issues in found.issues.items()},
    }  # fmt: skip


def _touch(one: "Touch") -> dict[str, Any]:
    return {**row(one.row), "why": one.why, "detail": one.detail}


def anchor(one: "Placed") -> dict[str, Any]:
    """A place that a record names, and where it is; ``now`` is null where nobody can tell."""
    target, held = one.wanted.target, one.held
    return {
        "id": one.wanted.row.id,
        "title": one.wanted.row.title,
        "status": one.wanted.row.shown_status,
        "recorded": {"path": one.wanted.path, "lines": _span(target.first, target.last),
                     "symbol": one.wanted.symbol, "quote": target.quote},
        "now": held and {"path": held.path, "lines": _span(held.first, held.last),
                         "confidence": held.how},
        "reason": one.reason,
    }  # fmt: skip


def _span(first: int, last: int) -> list[int] | None:
    return [first, last] if first else None


def regression(found: "Regression") -> dict[str, Any]:
    """What became of the fix of an error that came back."""
    return {
        "error": row(found.error),
        "fix": row(found.fix),
        "commit": found.commit or None,
        "held": found.held,
        "lines": found.lines,
        "alive": found.alive,
        "good": found.good or None,
        "bad": found.bad or None,
        "why_not": found.why_not,
        "command": found.command,
        "script": found.script,
    }
