"""Statistics: what errors and attempts come to, of all that is there or of each group."""

import gc
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import UsageError
from gitmem.learning.failures import Attempt, Course, Sighting, course
from gitmem.learning.figures import figures, grouped
from gitmem.learning.labels import DIMENSIONS, SHARED, Known, of_attempt, of_error, ordered
from gitmem.learning.rates import Rate
from gitmem.learning.stats import RECENT, Stats, weeks
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.view import View

_MOST_DIMENSIONS = 2
_ABOUT = ("tag", "path", "type")


class Everything(NamedTuple):
    """All errors and attempts of a memory, oldest first, and what became of its failures."""

    errors: list[Sighting]
    attempts: list[Attempt]
    course: Course


def lessons(memory: "View") -> "Lessons":
    """Catch up with the files; give the questions that statistics ask."""
    return memory.derived.catalog(memory.progress).lessons()


def everything(asked: "Lessons") -> Everything:
    """Read all errors and attempts."""
    # None of it is garbage: looking for some again and again takes a sixth of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        errors = list(map(Sighting._make, asked.errors()))
        attempts = list(map(Attempt._make, asked.attempts()))
        return Everything(errors, attempts, course(errors, attempts, asked.same()))
    finally:
        if collecting:
            gc.enable()


def stats(memory: "View", by: str, filters: Filters) -> Stats:
    """Count a memory; see ``Memory.stats``."""
    dimensions = _dimensions(by)
    asked = lessons(memory)
    read = everything(asked)
    errors, attempts = chosen(asked, read, filters)
    sessions = asked.sessions()
    records = asked.others() | {
        "error": len(read.errors), "fix": len(read.attempts), "session": len(sessions),
    }  # fmt: skip
    if filters != Filters():
        ids = asked.meeting("session", filters)
        sessions = [one for one in sessions if one[0] in ids]
    done = [one[2] for one in sessions if one[2] is not None]
    since = (memory.now() - timedelta(days=RECENT)).isoformat()
    known = _known(asked, read, dimensions)
    groups = grouped(
        ((one, of_error(one, dimensions, known)) for one in errors),
        ((one, of_attempt(one, dimensions, known)) for one in attempts),
        read.course,
    ) if dimensions else []  # fmt: skip
    return Stats(
        total=figures(errors, attempts, read.course),
        by=dimensions,
        groups=ordered(groups, dimensions),
        sessions=Rate(sum(done), len(done)),
        subjects=len({one.subject for one in errors} - {""}),
        types=len({one.type for one in errors} - {""}),
        categories=len({one.category for one in errors} - {""}),
        recent_errors=sum(one.created >= since for one in errors),
        recent_attempts=sum(one.created >= since for one in attempts),
        weeks=weeks(errors, attempts, memory.now().date()),
        records={kind: count for kind, count in sorted(records.items()) if count},
        size=asked.bytes(),
        folder=memory.site.folder,
    )


def _dimensions(by: str) -> tuple[str, ...]:
    found = tuple(part.strip() for part in by.split(",")) if by.strip() else ()
    for part in found:
        if part not in DIMENSIONS:
            raise UsageError(f"can't group by {part!r}", f"one of {', '.join(DIMENSIONS)}")
    if len(found) > _MOST_DIMENSIONS or len(set(found)) < len(found):
        raise UsageError(f"can't group by {by}", "name one dimension, or two different ones")
    return found


def _known(asked: "Lessons", read: Everything, by: Sequence[str]) -> Known:
    questions = {"tag": asked.tags, "file": asked.files, "language": asked.languages}
    shared: dict[str, dict[str, list[str]]] = {}
    for dimension in by:
        if dimension in SHARED:
            values = shared.setdefault(dimension, {})
            for record, value in questions[dimension]():
                values.setdefault(record, []).append(value)
    people = frozenset(asked.people()) if "fixer" in by else frozenset()
    return Known({one.id: one for one in read.errors} if by else {}, shared, people)


def chosen(
    asked: "Lessons", read: Everything, filters: Filters
) -> tuple[list[Sighting], list[Attempt]]:
    """Pick the errors and attempts that filters ask for.

    What an error is about (``type:``, ``path:``, ``tag:``) also holds for the attempts on it;
    when, by whom and with which outcome an attempt was written is its own.
    """
    if filters == Filters():
        return read.errors, read.attempts
    errors = asked.meeting("error", filters)
    mine = [one for one in filters.excluded if one[0] not in _ABOUT]
    never = [one for one in filters.excluded if one[0] in _ABOUT]
    own = asked.meeting("fix", filters._replace(tags=(), paths=(), types=(), excluded=tuple(mine)))
    about = Filters(tags=filters.tags, paths=filters.paths, types=filters.types)
    speaking = asked.meeting("fix", about) | asked.meeting("error", about)
    allowed = Filters(excluded=tuple(never))
    clean = asked.meeting("fix", allowed) | asked.meeting("error", allowed)
    known = read.course.failure

    def wanted(one: Attempt) -> bool:
        ids = [one.id, *(target for target in one.targets.split() if target in known)]
        return (one.id in own and any(map(speaking.__contains__, ids))
                and all(map(clean.__contains__, ids)))  # fmt: skip

    return [one for one in read.errors if one.id in errors], list(filter(wanted, read.attempts))
