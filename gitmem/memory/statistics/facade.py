"""``memory.statistics``: what the records of a memory come to together."""

from typing import TYPE_CHECKING, TypeVar

from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.catalog.lessons import Lessons
    from gitmem.catalog.rows import Row
    from gitmem.catalog.sql_query import QueryResult
    from gitmem.exchange.archive import Exported
    from gitmem.learning.figures import FigureGroup
    from gitmem.learning.overall import Overall
    from gitmem.learning.performance import Performance
    from gitmem.learning.recurring import RecurringFailure, Subject
    from gitmem.learning.stats import Stats
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend
    from gitmem.memory.reading.reader import Reader
    from gitmem.records.problems import Problem

_Answer = TypeVar("_Answer")


class Statistics:
    """What errors, attempts and sessions come to.

    Args:
        reader: of the memory.
        problems: gives what is wrong with the memory's files, for the whole report.

    """

    def __init__(self, reader: "Reader", problems: "Callable[[], list[Problem]]") -> None:
        self._reader = reader
        self._problems = problems

    def _ask(self, question: "Callable[[Lessons], _Answer]") -> _Answer:
        from gitmem.memory.statistics.lessons import current_lessons

        return self._reader.workspace.ask(lambda now: question(current_lessons(now)))

    # Single questions

    def count(self, filters: str = "") -> int:
        """Count the records that ``list`` gives for these filters."""
        return self._reader.count(filters)

    def query(
        self, sql: str, values: tuple[str | float | None, ...] = (), limit: int = -1
    ) -> "QueryResult":
        """Answer a SELECT over the views of the catalog; nothing can be changed by it.

        Args:
            sql: one statement; see docs/query.md for the views and their columns.
            values: of its ``?`` parameters.
            limit: how many rows at most; -1: all.

        Raises:
            UsageError: it is no SELECT, reads something else, or takes more than 30 seconds.

        """
        return self._reader.query(sql, values, limit)

    def tables(self) -> "QueryResult":
        """List the views that ``query`` may read, with their columns, in rows of text."""
        return self._reader.workspace.ask(lambda now: now.catalog.views())

    def recent(self, days: int = 7) -> "list[Row]":
        """List the fix attempts of the last days, newest first.

        Raises:
            UsageError: less than one day.

        """
        if days < 1:
            raise UsageError(f"{days} is not a number of days", "give 1 or more, such as 7")
        return self._reader.list(f"kind:fix since:{days}d")

    def csv(self, kind: str) -> "Exported":
        """Pack all records of a kind into one table, as CSV; see ``exchange.tables``.

        Args:
            kind: error, fix, decision, session, pattern or note.

        """
        from gitmem.memory.statistics.csv_table import table

        return table(self._reader, kind)

    # What the records teach together

    def stats(
        self, *, by: str = "", filters: str = "", since: str | None = None, until: str | None = None
    ) -> "Stats":
        """Count errors and fix attempts, and tell how they went.

        Args:
            by: also by groups: type, category, subject, tag, file, language, via, fixer, model,
                day, week, month, weekday or hour; or two of them with a comma.
            filters: such as ``tag:auth path:src``; what an error is about also holds for the
                attempts on it.
            since: as people type it: ``30d``, ``2026-01``.
            until: the same.

        Raises:
            UsageError: there is no such dimension, or there are more than two.

        """
        from gitmem.memory.statistics.stats import stats

        bounds = [f"{key}:{value}" for key, value in (("since", since), ("until", until)) if value]
        wanted = self._reader.filters(" ".join([filters, *bounds]))
        workspace = self._reader.workspace
        at, folder = workspace.clock(), workspace.site.folder
        figures = self._ask(lambda lessons: stats(lessons, by, wanted, at, folder))
        if by or not workspace.has_guarded or wanted != self._reader.filters(""):
            return figures
        from gitmem.memory.statistics.guards import tally

        return figures._replace(guards=tally(workspace))

    def hot_files(self, most: int) -> "list[tuple[str, int, int]]":
        """List the files in which the most errors were seen: path, errors, attempts on them."""
        return self._ask(lambda lessons: lessons.hot_files(most))

    def successful(self, limit: int = -1, filters: str = "") -> "list[Strategy]":
        """List the ways that worked for each type of error, the surest first.

        Args:
            limit: how many at most; -1: all.
            filters: as of ``stats``.

        """
        from gitmem.memory.statistics.strategies import successful

        wanted = self._reader.filters(filters)
        return self._ask(lambda lessons: successful(lessons, limit, wanted))

    def recurring(self, limit: int = 20, filters: str = "") -> "list[RecurringFailure]":
        """List failures that were recorded more than once, the most frequent first.

        Args:
            limit: how many at most; -1: all. Rhythms are looked for in these alone.
            filters: as of ``stats``.

        """
        from gitmem.memory.statistics.recurring import recurring

        wanted = self._reader.filters(filters)
        site = self._reader.workspace.site
        return self._ask(lambda lessons: recurring(lessons, site, limit, wanted))

    def subject(self, name: str) -> "Subject":
        """Tell what is known about a module, service, dependency or model.

        Args:
            name: in any case; ``qwen`` also means ``qwen:7b``.

        Raises:
            NotFoundError: no error is about it.

        """
        from gitmem.memory.statistics.subjects import subject

        return self._ask(lambda lessons: subject(lessons, name))

    def trends(self, *, by: str = "category") -> "list[Trend]":
        """Tell what improves and what declines, of attempts and of sessions.

        Args:
            by: category, type or subject; sessions have no subject.

        Raises:
            UsageError: ``by`` is something else.

        """
        from gitmem.memory.statistics.trends import trends

        return self._ask(lambda lessons: trends(lessons, by))

    def performance(self, filters: str = "") -> "Performance":
        """Sum up sessions: success, time, what to look at, what made them succeed.

        Args:
            filters: such as ``tag:project-shop``; none: all sessions.

        """
        from gitmem.memory.statistics.trends import sessions_together

        wanted = self._reader.filters(filters) if filters else None
        return self._ask(lambda lessons: sessions_together(lessons, wanted))

    def fixers(self) -> "list[FigureGroup]":
        """Compare assistants and tools by their attempts; all persons are one group."""
        from gitmem.memory.statistics.trends import fixers

        return self._ask(fixers)

    def overall(self) -> "Overall":
        """Answer everything that ``gitmem stats report`` shows, at one moment."""
        from gitmem.memory.statistics.overall import overall

        return overall(self._reader, self._problems())
