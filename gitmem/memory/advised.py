"""A memory that is asked for advice: what to try, what to know, what a model makes of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from gitmem.memory.keeping import Keeping

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.looking import LiveFailure
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.learning.advised import Advice
    from gitmem.learning.analysis import Findings
    from gitmem.learning.context import Context
    from gitmem.learning.extracted import Extracted
    from gitmem.learning.patterns import CodePattern
    from gitmem.learning.profile import Profile
    from gitmem.learning.trying import RetryVerdict as GoOn
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.models.modelling import Approve, ModelClient
    from gitmem.records.kinds import Record

    # The class has a method named list, so types of lists are named out here.
    Cases = list[Failing]
    Hints = list[Match]
    Lives = list[LiveFailure]
    Records = list[Record]
    Rows = list[Row]
    Runs = list[Run]
    from gitmem.memory.memory import Memory


class Advised(Keeping):
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

    def analyse(self, filters: str = "", *, limit: int = 5) -> "Findings":
        """Tell root causes, quick steps and prevention of failures, as people recorded them.

        Args:
            filters: as of ``stats``.
            limit: how many failures at most, the most frequent first.

        """
        from gitmem.memory.models.analysing import analyse  # noqa: PLC0415  start-up

        return self.workspace.ask(lambda _: analyse(self._whole, filters, limit))

    def model_analysis(
        self,
        findings: "Findings",
        approve: "Approve | None" = None,
        speaker: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask the language model of the settings for patterns in what ``analyse`` found.

        Args:
            findings: is sent, without secrets.
            approve: is shown what the call takes and says whether it may be made; None: nobody
                can be asked. See ``memory.modelling.ask`` for what it raises.
            speaker: a model that is lent, instead of the one of the settings.

        Raises:
            NotFoundError: there is nothing to look at.

        """
        from gitmem.memory.models.analysing import by_model  # noqa: PLC0415  start-up

        return by_model(self._whole, findings, approve, speaker)

    def model_advice(
        self,
        advice: "Advice",
        question: str = "",
        *,
        task: Mapping[str, Any] | None = None,
        approve: "Approve | None" = None,
        speaker: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask the language model of the settings for suggestions, by what ``advise`` found.

        Args:
            advice: is sent, without secrets.
            question: what was asked; is sent too.
            task: what it states, if a task was asked about; likewise.
            approve: as of ``model_analysis``.
            speaker: likewise.

        """
        from gitmem.memory.models.analysing import advised_by_model  # noqa: PLC0415  start-up

        return advised_by_model(self._whole, advice, question, task, approve, speaker)

    def model_preferences(
        self,
        profile: "Profile",
        approve: "Approve | None" = None,
        speaker: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask the language model of the settings what people here prefer, by what was counted.

        Each preference rests on facts that were sent, in their own words; others are left out.

        Args:
            profile: is sent, with the decisions in force and the patterns, without secrets.
            approve: as of ``model_analysis``.
            speaker: likewise.

        Raises:
            NotFoundError: there is nothing to look at.

        """
        from gitmem.memory.models.preferring import preferences  # noqa: PLC0415  start-up

        return preferences(self._whole, profile, approve, speaker)

    def model_context(
        self,
        found: "Context",
        approve: "Approve | None" = None,
        speaker: "ModelClient | None" = None,
    ) -> "tuple[Context, Modelled]":
        """Have the records of a context shortened by the language model of the settings.

        Args:
            found: as ``context`` gives it; its longer records are sent, without secrets.
            approve: as of ``model_analysis``.
            speaker: likewise.

        Returns:
            The same context with shorter texts: no entry and no id is missing or new. And what
            the model said. ``render.compressed`` writes both down.

        Raises:
            NotFoundError: nothing in it is long.

        """
        from gitmem.memory.models.compressing import compressed  # noqa: PLC0415  start-up

        return compressed(self._whole, found, approve, speaker)

    def look(self, path: str, what: str = "error", approve: "Approve | None" = None) -> "Modelled":
        """Ask the model that sees (``llm.vision_model``) what a picture shows; it is sent there.

        Args:
            path: a PNG, JPEG, WebP or GIF file; sent without its metadata.
            what: ``error``, ``diagram`` or ``code``.
            approve: as of ``model_analysis``.

        Raises:
            InvalidError: it is no picture, or too large or damaged.
            UsageError: it shows what looks like a secret, or there is no such question.

        """
        from gitmem.memory.models.looking import look  # noqa: PLC0415  start-up

        return look(self._whole, path, what, approve)

    # Patterns of code

    def extract_from(
        self,
        source: str = "",
        *,
        fixes: bool = False,
        language: str = "",
        only: Sequence[str] = (),
        record: bool = False,
    ) -> "Extracted":
        """Find patterns in what was accepted that no record holds yet.

        Args:
            source: a range of commits as ``review`` takes it, the id of a fix that worked, or a
                file as typed in the folder ``start``; empty: since this branch left the main one.
            fixes: all fixes that worked, instead.
            language: only this one; empty: all.
            only: only patterns with these names, in which ``*`` stands for anything.
            record: also write them as pattern records.

        """
        from gitmem.memory.exchange.extracting import extract  # noqa: PLC0415  start-up

        return extract(
            self._whole, source, fixes=fixes, language=language, only=only, record=record
        )

    def keep_patterns(
        self, found: "Iterable[CodePattern]", told: Mapping[str, Any] | None = None
    ) -> "Records":
        """Write patterns that ``extract`` found as records, those that no record holds yet.

        Args:
            found: the patterns.
            told: further fields of each record, such as when_to_use, source or metrics.

        """
        from gitmem.memory.exchange.extracting import keep  # noqa: PLC0415  start-up

        return keep(self._whole, found, told or {})
