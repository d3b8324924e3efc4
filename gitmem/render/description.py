"""The text of a pull request as Markdown; names in records mention nobody there.

Only issues that the work was linked to are written so that a host finds them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.plurals import counted
from gitmem.render.as_json import row
from gitmem.render.hosted_markdown import code, quiet
from gitmem.render.review import bounded

if TYPE_CHECKING:
    from gitmem.answers.changes import CheckedAttempt, CheckRun, Description
    from gitmem.catalog.rows import Row
    from gitmem.records.parts import Change

_LONGEST: Final = 60_000
"""Characters; hosts take 65,536."""
_MOST: Final = 20
_MOST_FILES: Final = 100


def markdown(description: "Description") -> str:
    """Write the text of a pull request; parts that there is nothing to say of are left out."""
    parts = [
        _part(
            "What it is for", [*map(quiet, description.goals), *map(quiet, description.how)], "\n\n"
        ),
        _part("Changes", _areas(description.changes)),
        _part("Errors, and what was tried", _errors([*description.errors, *description.others])),
        _part("Fixes", _some([f"- {_attempt(attempt)}" for attempt in description.loose])),
        _part("Decisions", _some([_decision(row) for row in description.decisions])),
        _part("How it was tested", _some([_test(test) for test in description.tests])),
        _part("Issues", _issues(description)),
    ]
    return bounded(
        [part for part in parts if part] or ["Nothing is recorded about this work."], _LONGEST
    )


def _part(title: str, lines: Iterable[str], between: str = "\n") -> str:
    body = between.join(lines)
    return f"## {title}\n\n{body}" if body else ""


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _MOST
    return [*lines[:_MOST], *([f"- and {more} more"] if more > 0 else [])]


def _areas(changes: "Sequence[Change]") -> Iterator[str]:
    """Tell of files, by the folder at the top that they lie in."""
    shown = 0
    areas: dict[str, list[Change]] = {}
    for change in changes:
        areas.setdefault(change.path.partition("/")[0] if "/" in change.path else "", []).append(
            change
        )
    for area, area_changes in sorted(areas.items()):
        added = sum(change.added or 0 for change in area_changes)
        removed = sum(change.removed or 0 for change in area_changes)
        name = code(f"{area}/") if area else "At the top"
        yield f"- {name}: {counted(len(area_changes), 'file')}, +{added} -{removed}"
        listed = area_changes[: max(0, min(_MOST, _MOST_FILES - shown))]
        shown += len(listed)
        for change in listed:
            source = f" from {code(change.renamed_from)}" if change.renamed_from else ""
            why = f": {quiet(change.reason)}" if change.reason.strip() else ""
            yield f"  - {code(change.path)} ({change.action}{source}){why}"
        if len(area_changes) > len(listed):
            yield f"  - and {counted(len(area_changes) - len(listed), 'more file')}"


def _errors(errors: "Sequence[tuple[Row, list[CheckedAttempt]]]") -> Iterator[str]:
    for error, attempts in errors[:_MOST]:
        yield f"- **{quiet(error.title)}** ({code(error.id)}, {error.shown_status})"
        yield from (f"  - {_attempt(attempt)}" for attempt in attempts[:_MOST])
    if len(errors) > _MOST:
        yield f"- and {len(errors) - _MOST} more"


def _attempt(attempt: "CheckedAttempt") -> str:
    checked = ""
    if attempt.command:
        sides = [side for side in (attempt.before, attempt.after) if side]
        checked = f"; checked with {code(attempt.command)}" + (
            f": {', then '.join(sides)}" if sides else ""
        )
    return f"{attempt.row.verdict}: {quiet(attempt.row.title)} ({code(attempt.row.id)}){checked}"


def _decision(row: "Row") -> str:
    gist = f": {quiet(row.gist)}" if row.gist and row.gist != row.title else ""
    return f"- **{quiet(row.title)}** ({code(row.id)}, {row.shown_status}){gist}"


def _test(test: "CheckRun") -> str:
    counts = f" ({test.counts})" if test.counts else ""
    return f"- {code(test.command or 'tests')}: {test.result}{counts}"


def _issues(description: "Description") -> Iterator[str]:
    yield from (f"Closes {close.name}" for close in description.closes)
    if description.related:
        yield "Related: " + ", ".join(code(issue.name) for issue in description.related)


def data(description: "Description") -> dict[str, Any]:
    """Give the same as plain data, with the Markdown."""

    def tried(attempt: "CheckedAttempt") -> dict[str, Any]:
        return {
            **row(attempt.row),
            "command": attempt.command,
            "before": attempt.before,
            "after": attempt.after,
        }

    return {
        "goals": description.goals,
        "how": description.how,
        "changes": [
            {
                "path": change.path,
                "action": change.action,
                "reason": change.reason,
                "added": change.added,
                "removed": change.removed,
            }
            for change in description.changes
        ],
        "errors": [
            {"error": row(error), "attempts": [tried(attempt) for attempt in attempts]}
            for error, attempts in (*description.errors, *description.others)
        ],
        "fixes": [tried(attempt) for attempt in description.loose],
        "decisions": [row(decision) for decision in description.decisions],
        "tests": [test._asdict() for test in description.tests],
        "closes": [close.name for close in description.closes],
        "related": [issue.name for issue in description.related],
        "markdown": markdown(description),
    }
