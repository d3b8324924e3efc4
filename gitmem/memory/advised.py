"""A memory that is asked for advice: what to try, what to know, what a model makes of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from gitmem.memory.writable import Writable

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.looking import LiveFailure
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.learning.advised import Advice
    from gitmem.learning.context import Context
    from gitmem.learning.trying import RetryVerdict as GoOn
    from gitmem.records.kinds import Record

    # The class has a method named list, so types of lists are named out here.
    Cases = list[Failing]
    Hints = list[Match]
    Lives = list[LiveFailure]
    Records = list[Record]
    Rows = list[Row]
    Runs = list[Run]
    from gitmem.memory.memory import Memory


class Advised(Writable):
    """One repository's memory, with what it advises."""

    @property
    def _whole(self) -> "Memory":
        """Every memory that is opened is a whole one."""
        return cast("Memory", self)

    # What the memory advises

    def advise(
        self, text: str = "", *, path: str = "", task: Mapping[str, Any] | None = None
    ) -> "Advice":
        """Advise on an error or words, on a file, on a task, or on what fails now.

        Args:
            text: an error, or a question in words.
            path: a file or ``PATH:LINE``, as typed in the folder ``start``.
            task: what it states: description, category, type, effort, dependencies, complexity.

        """
        from gitmem.memory.advice.advising import advise  # noqa: PLC0415  start-up

        return self.workspace.ask(lambda _: advise(self._whole, text, path=path, task=task))

    def keep_trying(self, reference: str = "") -> "GoOn":
        """Tell whether to keep trying, or to stop and ask a human; see ``learning.trying``.

        Args:
            reference: an error's id or a unique prefix of one; empty: the command last run.

        """
        from gitmem.memory.advice.persisting import keep_trying  # noqa: PLC0415  start-up

        return self.workspace.ask(lambda _: keep_trying(self._whole, reference))

    def context(
        self, focus: str = "", *, budget: int = 4000, conventions: bool = False
    ) -> "Context":
        """Give what is to be known before the next attempt; ``render.context`` writes it down.

        Args:
            focus: an error, words, a file or ``PATH:LINE``; empty: what fails now.
            budget: how many tokens it may take, at least 200.
            conventions: also tell how the code is written; see ``profile``.

        """
        from gitmem.memory.advice.context import context  # noqa: PLC0415  start-up

        return self.workspace.ask(
            lambda _: context(self._whole, focus, budget=budget, conventions=conventions)
        )
