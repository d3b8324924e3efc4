"""What a memory teaches: statistics, advice, context. The work is done next door."""

from typing import TYPE_CHECKING

from gitmem.memory.versioned import Versioned

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.learning.extracted import SuggestedPattern
    from gitmem.learning.figures import FigureGroup
    from gitmem.learning.patterns import CodePattern
<<<<<<< HEAD
    from gitmem.learning.profile import Profile
    from gitmem.learning.recommending import PastWork
=======
    from gitmem.learning.recommending import PastWork, Recommendation
>>>>>>> db56ae6 (memory.code: profile, graphs and patches on a workspace; setting up assistants needs no memory)
    from gitmem.learning.recurring import RecurringFailure
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

<<<<<<< HEAD
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
=======
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

    def suggest(self, task: str, language: str = "", limit: int = 5) -> "Suggestions":
        """Find recorded patterns for a task, best first.

        Args:
            task: what is to be done, in plain words; nothing in it is an operator.
            language: only patterns in it; empty: all.
            limit: how many at most.

        """
        from gitmem.memory.advice.suggesting import suggest  # noqa: PLC0415  start-up

        return suggest(self, task, language, limit)
>>>>>>> db56ae6 (memory.code: profile, graphs and patches on a workspace; setting up assistants needs no memory)
