"""Statistics: what errors and attempts come to, of all that is there or of each group."""

from datetime import timedelta
from typing import TYPE_CHECKING

from gitmem.catalog.tallies import Chosen
from gitmem.errors import UsageError
from gitmem.learning.figures import grouped, together
from gitmem.learning.labels import DIMENSIONS, ordered, shown
from gitmem.learning.rates import Rate
from gitmem.learning.stats import RECENT, Stats, first_day, weeks
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.view import View

_MOST_DIMENSIONS = 2
_ABOUT = ("tag", "path", "type")


def lessons(memory: "View") -> "Lessons":
    """Catch up with the files; give the questions that statistics ask."""
    catalog = memory.derived.catalog(memory.progress)
    if catalog.stats_outdated():
        from gitmem.learning.failures import follow  # noqa: PLC0415  start-up

        try:
            catalog.refresh_stats(follow)
        except OSError:  # nobody may write, or somebody else does all the time
            catalog = catalog.in_memory()
            catalog.refresh_stats(follow)
    return catalog.lessons()


def stats(memory: "View", by: str, filters: Filters) -> Stats:
    """Count a memory; see ``Memory.stats``."""
    dimensions = _dimensions(by)
    asked = lessons(memory)
    picked = chosen(asked, filters)
    sessions = asked.sessions()
    if filters != Filters():
        ids = asked.meeting_ids("session", filters)
        sessions = [one for one in sessions if one[0] in ids]
    done = [one[2] for one in sessions if one[2] is not None]
    today = memory.now()
    recent = asked.since(picked, (today - timedelta(days=RECENT)).isoformat())
    seen, tried = asked.days(picked, first_day(today.date()).isoformat())
    people = asked.people() if "fixer" in dimensions else set()
    groups = grouped(
        asked.tally(dimensions, picked), lambda label: shown(label, dimensions, people)
    ) if dimensions else []  # fmt: skip
    subjects, types, categories = asked.named(picked)
    return Stats(
        total=together(asked.tally((), picked)),
        by=dimensions,
        groups=ordered(groups, dimensions),
        sessions=Rate(sum(done), len(done)),
        subjects=subjects,
        types=types,
        categories=categories,
        recent_errors=recent[0],
        recent_attempts=recent[1],
        weeks=weeks(
            dict(seen), {day: (count, int(worked)) for day, count, worked in tried}, today.date()
        ),
        records=dict(sorted(asked.kinds().items())),
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


def chosen(asked: "Lessons", filters: Filters) -> Chosen:
    """Pick the errors and attempts that filters ask for.

    What an error is about (``type:``, ``path:``, ``tag:``) also holds for the attempts on it;
    when, by whom and with which outcome an attempt was written is its own.
    """
    if filters == Filters():
        return Chosen()
    mine = [one for one in filters.excluded if one[0] not in _ABOUT]
    never = [one for one in filters.excluded if one[0] in _ABOUT]
    own = asked.meeting("fix", filters._replace(tags=(), paths=(), types=(), excluded=tuple(mine)))
    about = Filters(tags=filters.tags, paths=filters.paths, types=filters.types)
    speaking = asked.meeting("fix", about) | asked.meeting("error", about)
    allowed = Filters(excluded=tuple(never))
    clean = asked.meeting("fix", allowed) | asked.meeting("error", allowed)
    speaks, unclean = set(), set()  # by an error that they fix
    for file, error in asked.aims():
        if error in speaking:
            speaks.add(file)
        if error not in clean:
            unclean.add(file)
    attempts = (own & clean & (speaking | speaks)) - unclean
    return Chosen(asked.meeting("error", filters), attempts)
