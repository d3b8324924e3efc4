"""The text of a pull request, as Markdown for GitHub and GitLab. What records say calls nobody.

Only issues that the work was linked to are written so that a host finds them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.plurals import counted
from gitmem.render.hosted import code, quiet
from gitmem.render.review import bounded

if TYPE_CHECKING:
    from gitmem.answers import CheckedAttempt, Description, Ran
    from gitmem.catalog.rows import Row
    from gitmem.records.parts import Change

_LONGEST: Final = 60_000
"""Characters; hosts take 65,536."""
_MOST: Final = 20
_MOST_FILES: Final = 100


def markdown(found: "Description") -> str:
    """Write the text of a pull request; parts that there is nothing to say of are left out."""
    parts = [
        _part("What it is for", [*map(quiet, found.goals), *map(quiet, found.how)], "\n\n"),
        _part("Changes", _areas(found.changes)),
        _part("Errors met, and what was tried", _errors([*found.errors, *found.others])),
        _part("Fixes", _some([f"- {_attempt(one)}" for one in found.loose])),
        _part("Decisions", _some([_decision(row) for row in found.decisions])),
        _part("How it was tested", _some([_test(one) for one in found.tests])),
        _part("Issues", _issues(found)),
    ]
    return bounded([part for part in parts if part] or ["Nothing is recorded of this work."],
                   _LONGEST)  # fmt: skip


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
    for one in changes:
        areas.setdefault(one.path.partition("/")[0] if "/" in one.path else "", []).append(one)
    for area, some in sorted(areas.items()):
        added = sum(one.added or 0 for one in some)
        removed = sum(one.removed or 0 for one in some)
        name = code(f"{area}/") if area else "At the top"
        yield f"- {name}: {counted(len(some), 'file')}, +{added} -{removed}"
        listed = some[: max(0, min(_MOST, _MOST_FILES - shown))]
        shown += len(listed)
        for one in listed:
            source = f" from {code(one.renamed_from)}" if one.renamed_from else ""
            why = f": {quiet(one.reason)}" if one.reason.strip() else ""
            yield f"  - {code(one.path)} ({one.action}{source}){why}"
        if len(some) > len(listed):
            yield f"  - and {counted(len(some) - len(listed), 'more file')}"


def _errors(found: "Sequence[tuple[Row, list[CheckedAttempt]]]") -> Iterator[str]:
    for row, tried in found[:_MOST]:
        yield f"- **{quiet(row.title)}** ({code(row.id)}, {row.shown_status})"
        yield from (f"  - {_attempt(one)}" for one in tried[:_MOST])
    if len(found) > _MOST:
        yield f"- and {len(found) - _MOST} more"


def _attempt(one: "CheckedAttempt") -> str:
    checked = ""
    if one.command:
        sides = [side for side in (one.before, one.after) if side]
        checked = f"; checked with {code(one.command)}" + (
            f": {', then '.join(sides)}" if sides else ""
        )
    return f"{one.row.verdict}: {quiet(one.row.title)} ({code(one.row.id)}){checked}"


def _decision(row: "Row") -> str:
    gist = f": {quiet(row.gist)}" if row.gist and row.gist != row.title else ""
    return f"- **{quiet(row.title)}** ({code(row.id)}, {row.shown_status}){gist}"


def _test(one: "Ran") -> str:
    counts = f" ({one.counts})" if one.counts else ""
    return f"- {code(one.command or 'tests')}: {one.result}{counts}"


def _issues(found: "Description") -> Iterator[str]:
    yield from (f"Closes {one.name}" for one in found.closes)
    if found.related:
        yield "Related: " + ", ".join(code(one.name) for one in found.related)


def data(found: "Description") -> dict[str, Any]:
    """Give the same as plain data, with the Markdown."""
    from gitmem.render.as_json import row  # noqa: PLC0415  start-up

    def tried(one: "CheckedAttempt") -> dict[str, Any]:
        return {**row(one.row), "command": one.command, "before": one.before, "after": one.after}

    return {
        "goals": found.goals,
        "how": found.how,
        "changes": [
            {"path": one.path, "action": one.action, "reason": one.reason, "added": one.added,
             "removed": one.removed} for one in found.changes
        ],
        "errors": [{"error": row(error), "attempts": [tried(one) for one in some]}
                   for error, some in (*found.errors, *found.others)],
        "fixes": [tried(one) for one in found.loose],
        "decisions": [row(one) for one in found.decisions],
        "tests": [one._asdict() for one in found.tests],
        "closes": [one.name for one in found.closes],
        "related": [one.name for one in found.related],
        "markdown": markdown(found),
    }  # fmt: skip
