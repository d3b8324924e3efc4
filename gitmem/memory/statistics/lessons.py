"""The questions that statistics ask of the catalog, and the records that filters pick for them."""

from typing import TYPE_CHECKING

from gitmem.catalog.tallies import Chosen
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons
    from gitmem.memory.core.derived_state import Snapshot

_ABOUT = ("tag", "path", "type")


def current_lessons(now: "Snapshot") -> "Lessons":
    """Bring the tables of statistics up to date; give the questions that may be asked of them."""
    catalog = now.catalog
    if catalog.stats_outdated():
        from gitmem.learning.failures import follow  # noqa: PLC0415  most often up to date

        try:
            catalog.refresh_stats(follow)
        except OSError:  # the catalog can't be written: read-only, or locked by somebody else
            catalog = catalog.in_memory()
            catalog.refresh_stats(follow)
    return catalog.lessons()


def chosen(lessons: "Lessons", filters: Filters) -> Chosen:
    """Pick the errors and attempts that filters ask for.

    What an error is about (``type:``, ``path:``, ``tag:``) also holds for the attempts on it;
    when, by whom and with which outcome an attempt was written is its own.
    """
    if filters == Filters():
        return Chosen()
    of_attempt = [pair for pair in filters.excluded if pair[0] not in _ABOUT]
    of_error = [pair for pair in filters.excluded if pair[0] in _ABOUT]
    own = filters._replace(tags=(), paths=(), types=(), excluded=tuple(of_attempt))
    about = Filters(tags=filters.tags, paths=filters.paths, types=filters.types)
    matching = lessons.meeting("fix", about) | lessons.meeting("error", about)
    allowed = Filters(excluded=tuple(of_error))
    clean = lessons.meeting("fix", allowed) | lessons.meeting("error", allowed)
    matching_by_error, excluded_by_error = set(), set()
    for attempt, error in lessons.aims():
        if error in matching:
            matching_by_error.add(attempt)
        if error not in clean:
            excluded_by_error.add(attempt)
    picked = lessons.meeting("fix", own) & clean & (matching | matching_by_error)
    return Chosen(lessons.meeting("error", filters), picked - excluded_by_error)
