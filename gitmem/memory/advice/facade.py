"""``memory.advice``: what to try and to know before the next attempt, and work that is observed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.answers.solutions import Solution
    from gitmem.capture.learnt import RepeatedEdit
    from gitmem.capture.observed import Match, Observed
    from gitmem.catalog.rows import Row
    from gitmem.learning.advised import Advice
    from gitmem.learning.context import Context
    from gitmem.learning.pattern_results import SuggestedPattern
    from gitmem.learning.profile import Profile
    from gitmem.learning.recommendation import PastWork, Recommendation
    from gitmem.learning.retry_verdict import RetryVerdict
    from gitmem.memory.advice.tasks import Apply, Confirm, ObservedTask
    from gitmem.memory.failures.access import RecordAccess

_MOST_SAMPLED = 60
"""Files that are read for conventions."""


class Advisor:
    """Advises on what to do next, and observes work that is done.

    Args:
        records: of the memory.
        profile: describes how the code is written, by a sample of so many files.

    """

    def __init__(self, records: "RecordAccess", profile: "Callable[[int], Profile]") -> None:
        self._records = records
        self._profile = profile

    def advise(
        self, text: str = "", *, path: str = "", task: Mapping[str, Any] | None = None
    ) -> "Advice":
        """Advise on an error or words, on a file, on a task, or on what fails now.

        Args:
            text: an error, or a question in words.
            path: a file or ``PATH:LINE``, as typed in the folder ``start``.
            task: what it states: description, category, type, effort, dependencies, complexity.

        Raises:
            UsageError: more than one of them is given.

        """
        if sum((bool(text), bool(path), task is not None)) > 1:
            raise UsageError("a text, a file and a task at once", "ask about one of them")
        # One question, so that every part of the advice sees the same records.
        return self._records.workspace.ask(lambda _: self._advise(text, path, task))

    def _advise(self, text: str, path: str, task: Mapping[str, Any] | None) -> "Advice":
        if task is not None:
            from gitmem.memory.advice.task_advice import advise_on_task

            return advise_on_task(self._records, task)
        if path:
            from gitmem.memory.advice.file_advice import advise_on_file

            return advise_on_file(self._records, path)
        from gitmem.memory.advice.failure_advice import advise_on_text, advise_on_what_fails

        return advise_on_text(self._records, text) if text else advise_on_what_fails(self._records)

    def keep_trying(self, reference: str = "") -> "RetryVerdict":
        """Tell whether to keep trying, or to stop and ask a human; see ``learning.trying``.

        Args:
            reference: an error's id or a unique prefix of one; empty: the command last run.

        """
        from gitmem.memory.advice.retry_verdicts import keep_trying

        return keep_trying(self._records, reference)

    def near(self, kind: str, title: str) -> "list[Row]":
        """Give the records that are titled nearly as a new one would be; see ``near_records``."""
        from gitmem.memory.advice.near_records import near_records

        return near_records(self._records.workspace, kind, title)

    def related(self, kind: str, title: str) -> "list[Row]":
        """Give the records that are about the same matter as a new one would be."""
        from gitmem.memory.advice.near_records import related_records

        return related_records(self._records.workspace, kind, title)

    def context(
        self,
        focus: str = "",
        *,
        budget: int = 4000,
        conventions: bool = False,
        project_first: bool = False,
    ) -> "Context":
        """Give what is to be known before the next attempt; ``render.context`` writes it down.

        Args:
            focus: an error, words, a file or ``PATH:LINE``; empty: what fails now.
            budget: how many tokens it may take, at least 200.
            conventions: also tell how the code is written, by a sample of its files.
            project_first: without a focus begin with the project, also where something fails.

        """
        from gitmem.memory.advice.context import context

        def tried(errors: "list[Row]") -> "dict[str, Row]":
            from gitmem.memory.failures.recorded_attempts import of_errors

            return of_errors(self._records, errors)

        sampled = (lambda: self._profile(_MOST_SAMPLED)) if conventions else None
        return context(
            self._records,
            focus,
            budget=budget,
            profile=sampled,
            tried=tried,
            project_first=project_first,
        )

    # Tasks

    def similar_work(
        self,
        task: Mapping[str, Any],
        limit: int | None = 5,
        *,
        success_only: bool = False,
        threshold: float | None = None,
    ) -> "list[PastWork]":
        """Give pieces of work like a task, the most alike first.

        Args:
            task: what it states: description, category, type, effort, dependencies, complexity.
            limit: how many at most; None: all.
            success_only: only those that succeeded.
            threshold: what is no more alike than this is left out; None: ``tasks.ALIKE``.

        """
        from gitmem.learning.tasks import ALIKE
        from gitmem.memory.advice.similar_work import similar_work

        least = ALIKE if threshold is None else threshold
        workspace = self._records.workspace
        return similar_work(workspace, task, limit, success_only=success_only, threshold=least)

    def recommend(
        self,
        task: Mapping[str, Any],
        *,
        threshold: float | None = None,
        newest: AbstractSet[str] | None = None,
    ) -> "Recommendation":
        """Recommend how to go about a task, by work like it; see ``learning.recommendation``.

        Args:
            task: as for ``similar_work``.
            threshold: likewise.
            newest: ids of the only sessions that count; None: all do.

        """
        from gitmem.learning.tasks import ALIKE
        from gitmem.memory.advice.similar_work import recommended

        least = ALIKE if threshold is None else threshold
        return recommended(self._records.workspace, task, threshold=least, newest=newest)

    def suggest(self, task: str, language: str = "", limit: int = 5) -> "list[SuggestedPattern]":
        """Find recorded patterns for a task, best first; then what archives and packs have.

        Args:
            task: what is to be done, in plain words; nothing in it is an operator.
            language: only patterns in it; empty: all.
            limit: how many at most.

        """
        from gitmem.memory.advice.patterns import suggest

        return suggest(self._records.reader, task, language, limit)

    def task(
        self,
        description: str,
        *,
        category: str = "",
        type: str = "general",  # noqa: A002  what the record calls it too
        dependencies: Sequence[str] = (),
        effort: float | None = None,
        id: str = "",  # noqa: A002  likewise
        approach: str = "",
        tags: Sequence[str] = (),
        confirm: "Confirm | None" = None,
        apply: "Apply | None" = None,
    ) -> "ObservedTask":
        """Observe a piece of work: a context manager, a decorator, or ``.run(work)``.

        Approach, factors, tools, time and outcome become a session record. On a failure the
        error is looked up and recorded; what worked, or may work, is offered.

        Args:
            description: what is to be done.
            category: such as ``backend``; what is alike is learnt from together.
            type: such as ``feature`` or ``bugfix``.
            dependencies: what it needs.
            effort: how much work it is thought to be, in any unit that you keep to.
            id: a planner's own name for it.
            approach: how it is done; empty: as it worked best before, see ``recommend``.
            tags: words to find it by.
            confirm: is asked whether the steps of a solution may be applied; None: none are.
            apply: carries out one step; steps are other people's words.

        Raises:
            UsageError: there is no description, or only one of confirm and apply.

        """
        from gitmem.memory.advice.tasks import ObservedTask, plan

        about = {"id": id, "category": category, "type": type, "effort": effort}
        more = {"dependencies": tuple(dependencies), "approach": approach, "tags": tags}
        return ObservedTask(self._records, plan(description, about | more), confirm, apply)

    def run_task(
        self,
        command: Sequence[str],
        description: str,
        about: Mapping[str, Any],
        *,
        tell: "Callable[[list[RepeatedEdit]], None]",
        finish: "Callable[[Callable[[], Observed]], Observed | None]",
        confirm: "Confirm",
    ) -> int:
        """Run a command as a task; give its exit code. See ``task_commands.run_task``.

        Args:
            command: what to run.
            description: of the task.
            about: ``approach``, ``tags`` and the fields of the part ``Task``.
            tell: is told which edits at hand were tried before.
            finish: is handed what notes the run, calls it, and shows what it gave.
            confirm: is asked whether the steps of a solution may be run by a shell.

        """
        from gitmem.memory.advice.task_commands import run_task
        from gitmem.memory.advice.tasks import plan

        return run_task(self._records, command, plan(description, about), tell, finish, confirm)

    # Solutions

    def solutions(self, matches: "Iterable[Match]") -> "list[Solution]":
        """Give what worked against failures, the surest and newest first, each fix once.

        Args:
            matches: the failures, as ``hint`` or a run gave them.

        """
        from gitmem.memory.advice.solutions import solutions

        return solutions(self._records.reader, matches)

    def solutions_of_type(
        self, error_type: str, message: str = "", among: AbstractSet[str] | None = None
    ) -> "list[Solution]":
        """Give what was not seen to fail against errors of a type; what worked and is new first.

        Args:
            error_type: with its module or without.
            message: those whose error shares more words with it come first.
            among: ids of the fixes that may be given; None: all.

        """
        from gitmem.memory.advice.solutions import solutions_of_type

        return solutions_of_type(self._records.reader, error_type, message, among)
