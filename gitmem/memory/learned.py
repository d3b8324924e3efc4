"""What a memory teaches: statistics, advice, context. The work is done next door."""

from typing import TYPE_CHECKING, Any

from gitmem.errors import UsageError
from gitmem.memory.versioned import Versioned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.catalog.asking import QueryResult
    from gitmem.catalog.rows import Row
    from gitmem.learning.extracted import SuggestedPattern
    from gitmem.learning.figures import FigureGroup
    from gitmem.learning.graphs import Graph
    from gitmem.learning.overall import Overall
    from gitmem.learning.patterns import CodePattern
    from gitmem.learning.performance import Performance
    from gitmem.learning.profile import Profile
    from gitmem.learning.recommending import PastWork, Recommendation
    from gitmem.learning.recurring import RecurringFailure, Subject
    from gitmem.learning.stats import Stats
    from gitmem.learning.strategies import Strategy
    from gitmem.learning.trends import Trend

    # The class has a method named list, so types of lists are named out here.
    Codes = list[CodePattern]
    Groups = list[FigureGroup]
    Repeated = list[RecurringFailure]
    Rows = list[Row]
    Strategies = list[Strategy]
    Suggestions = list[SuggestedPattern]
    Trends = list[Trend]
    Works = list[PastWork]


class Learned(Versioned):
    """A memory that can be asked what its records teach together."""

    def query(
        self, sql: str, values: tuple[str | float | None, ...] = (), limit: int = -1
    ) -> "QueryResult":
        """Answer a SELECT over the views of the catalog; nothing can be changed by it.

        Args:
            sql: one statement; see docs/statistics.md for the views and their columns.
            values: of its ``?`` parameters.
            limit: how many rows at most; -1: all.

        Raises:
            UsageError: it is no SELECT, reads something else, or takes more than 30 seconds.

        """
        return self.derived.mended(
            lambda: self.derived.catalog(self.progress).ask(sql, values, limit)
        )

    def views(self) -> "QueryResult":
        """List the views that ``query`` may read, with their columns, in rows of text."""
        return self.derived.mended(lambda: self.derived.catalog(self.progress).views())

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

        """
        from gitmem.memory.statistics.counting import stats  # noqa: PLC0415  start-up

        bounds = [f"{key}:{value}" for key, value in (("since", since), ("until", until)) if value]
        wanted = self._filters(" ".join([filters, *bounds]))
        return self.derived.mended(lambda: stats(self, by, wanted))

    def recent(self, days: int = 7) -> "Rows":
        """List the fix attempts of the last days, newest first.

        Raises:
            UsageError: less than one day.

        """
        if days < 1:
            raise UsageError(f"{days} days are no time", "name one or more, such as 7")
        return self.list(f"kind:fix since:{days}d")

    def successful(self, limit: int = -1, filters: str = "") -> "Strategies":
        """List the ways that worked for each type of error, the surest first.

        Args:
            limit: how many at most; -1: all.
            filters: as of ``stats``.

        """
        from gitmem.memory.statistics.repeating import successful  # noqa: PLC0415  start-up

        wanted = self._filters(filters)
        return self.derived.mended(lambda: successful(self, limit, wanted))

    def recurring(self, limit: int = 20, filters: str = "") -> "Repeated":
        """List failures that were recorded more than once, the most frequent first.

        Args:
            limit: how many at most; -1: all. Rhythms are looked for in these alone.
            filters: as of ``stats``.

        """
        from gitmem.memory.statistics.repeating import recurring  # noqa: PLC0415  start-up

        wanted = self._filters(filters)
        return self.derived.mended(lambda: recurring(self, limit, wanted))

    def subject(self, name: str) -> "Subject":
        """Tell what is known about a module, service, dependency or model.

        Args:
            name: in any case; ``qwen`` also means ``qwen:7b``.

        Raises:
            NotFoundError: no error is about it.

        """
        from gitmem.memory.statistics.repeating import subject  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: subject(self, name))

    def trends(self, *, by: str = "category") -> "Trends":
        """Tell what improves and what declines, of attempts and of sessions.

        Args:
            by: category, type or subject; sessions have no subject.

        """
        from gitmem.memory.statistics.trending import trending  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: trending(self, by))

    def performance(self) -> "Performance":
        """Sum up all sessions: success, time, what to look at, what made them succeed."""
        from gitmem.memory.statistics.trending import sessions_together  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: sessions_together(self))

    def overall(self) -> "Overall":
        """Answer everything that ``gitmem report`` shows, at one moment."""
        from gitmem.memory.statistics.overall import overall  # noqa: PLC0415  start-up

        return overall(self)

    def fixers(self) -> "Groups":
        """Compare assistants and tools by their attempts; all persons are one group."""
        from gitmem.memory.statistics.trending import fixers  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: fixers(self))

    def similar_work(
        self, task: "Mapping[str, Any]", limit: int = 5, *, success_only: bool = False
    ) -> "Works":
        """Give pieces of work like a task, the most alike first.

        Args:
            task: what it states: description, category, type, effort, dependencies, complexity.
            limit: how many at most.
            success_only: only those that succeeded.

        """
        from gitmem.memory.advice.similar_work import similar_work  # noqa: PLC0415  start-up

        ask = self.derived.mended
        return ask(lambda: similar_work(self, task, limit, success_only=success_only))

    def recommend(self, task: "Mapping[str, Any]") -> "Recommendation":
        """Recommend how to go about a task, by work like it; see ``learning.recommending``."""
        from gitmem.memory.advice.similar_work import recommended  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: recommended(self, task))

    # The code itself

    def profile(self, *, most: int = 3_000, seconds: float = 60.0) -> "Profile":
        """Describe how the repository's code is written: every claim with what was counted.

        Args:
            most: how many source files are read; of more, a sample that is always the same.
            seconds: stop then, with a note that says so.

        Raises:
            EnvironmentProblem: this is no git repository.

        """
        from gitmem.memory.codebase.profiling import profile  # noqa: PLC0415  start-up

        return profile(self, most=most, seconds=seconds)

    def extract(self, text: str, language: str) -> "Codes":
        """Find functions, classes and error handling in a piece of source; nothing is written.

        Args:
            text: the source; what can't be read of it is passed over.
            language: python, javascript, typescript, go, rust or java.

        Raises:
            UsageError: no grammar of that language is known.
            EnvironmentProblem: it needs the extra ``code``, which is not installed.

        """
        from gitmem.memory.exchange.extracting import of_text  # noqa: PLC0415  start-up

        return of_text(text, language)

    def suggest(self, task: str, language: str = "", limit: int = 5) -> "Suggestions":
        """Find recorded patterns for a task, best first.

        Args:
            task: what is to be done, in plain words; nothing in it is an operator.
            language: only patterns in it; empty: all.
            limit: how many at most.

        """
        from gitmem.memory.advice.suggesting import suggest  # noqa: PLC0415  start-up

        return suggest(self, task, language, limit)

    def graph(
        self,
        which: str = "imports",
        start: str = "",
        *,
        depth: int = 2,
        limit: int = 200,
        folders: bool = False,
    ) -> "Graph":
        """Give a graph: what imports what, or what records say about each other and about files.

        Args:
            which: ``imports`` or ``memory``.
            start: only what is around it: a file as typed in the folder ``start`` (of the
                memory's graph also a record's id); empty: all.
            depth: how many steps around it.
            limit: of the memory's graph, how many records and files at most.
            folders: of the graph of imports, fold files into their folders.

        """
        from gitmem.memory.codebase import graphing  # noqa: PLC0415  start-up

        if which == "imports":
            return graphing.imports(self, start, depth, folders=folders)
        if which != "memory":
            raise UsageError(f"there is no graph of {which}", "imports or memory")
        return graphing.records(self, start, depth, limit)
