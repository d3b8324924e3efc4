"""``Memory.models``: what language models make of the records, of pictures, and what they cost."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decimal import Decimal

    from gitmem.learning.advised import Advice
    from gitmem.learning.analysis import Findings
    from gitmem.learning.context import Context
    from gitmem.learning.profile import Profile
    from gitmem.learning.recurring import RecurringFailure
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.llm.interactions import Interaction
    from gitmem.llm.ledger import Spending
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.models.screenshots import PictureContent
    from gitmem.records.kinds import Record


class Models:
    """Asks language models where the user wants that, and reads pictures.

    What asks a model takes ``approve``, which is shown what the call takes and says whether it
    may be made (None: nobody can be asked), and ``client``, a model that is lent, which is asked
    in place of the one of the settings. It raises ApprovalError where nobody could approve the
    call, DeclinedError where somebody said no, UsageError where no model is set or the month's
    budget is spent, and EnvironmentProblem where no answer came, or one of another form. What is
    sent has no secrets.

    Args:
        records: of the memory.
        recurring: gives so many failures that were recorded more than once, by filters.

    """

    def __init__(
        self,
        records: "RecordAccess",
        *,
        recurring: "Callable[[int, str], Sequence[RecurringFailure]]",
    ) -> None:
        self._records = records
        self._workspace = records.workspace
        self._recurring = recurring

    # What records say, and what a model adds to that

    def analyse(self, filters: str = "", *, limit: int = 5) -> "Findings":
        """Tell root causes, quick steps and prevention of failures, as people recorded them.

        Args:
            filters: as of ``Statistics.stats``.
            limit: how many failures at most, the most frequent first.

        """
        from gitmem.memory.models.analysis import analyse

        recurring = self._recurring(limit, filters)
        return self._workspace.ask(lambda _: analyse(self._records, recurring, filters, limit))

    def enrich(
        self,
        filters: str = "",
        *,
        limit: int = 20,
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> "list[Record]":
        """Let a model write ``asked_as`` into the files of records that have none.

        Args:
            filters: which records.
            limit: how many at most, the newest first.
            approve: see the class.
            client: likewise.

        Returns:
            The records that were changed.

        Raises:
            NotFoundError: there is no such record.

        """
        from gitmem.memory.models.enriching import enrich

        records = self._records
        return enrich(records.writer, records.reader.filters(filters), limit, approve, client)

    def find_patterns(
        self,
        findings: "Findings",
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask a model for patterns in what ``analyse`` found.

        Args:
            findings: is sent.
            approve: see the class.
            client: likewise.

        Raises:
            NotFoundError: there is nothing to look at.

        """
        from gitmem.memory.models.analysis import find_patterns

        return find_patterns(self._workspace, findings, approve, client)

    def suggest(
        self,
        advice: "Advice",
        question: str = "",
        *,
        task: Mapping[str, Any] | None = None,
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask a model for suggestions, on the grounds of an advice.

        Args:
            advice: is sent.
            question: what was asked; is sent too.
            task: what it states, if a task was asked about; likewise.
            approve: see the class.
            client: likewise.

        """
        from gitmem.memory.models.analysis import suggest

        return suggest(self._workspace, advice, question, task, approve, client)

    def find_preferences(
        self,
        profile: "Profile",
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> "Modelled":
        """Ask a model what people here prefer, by what was counted.

        Each preference rests on facts that were sent, in their own words; others are left out.

        Args:
            profile: is sent, with the decisions in force and the patterns.
            approve: see the class.
            client: likewise.

        Raises:
            NotFoundError: there is nothing to look at.

        """
        from gitmem.memory.models.preferences import find_preferences

        return find_preferences(self._workspace, profile, approve, client)

    def compress(
        self,
        context: "Context",
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> "tuple[Context, Modelled]":
        """Have a model shorten the records of a context.

        Args:
            context: its longer records are sent.
            approve: see the class.
            client: likewise.

        Returns:
            The same context with shorter texts: no entry and no id is missing or new. And what
            the model answered. ``render.compressed`` writes both down.

        Raises:
            NotFoundError: nothing in it is long.

        """
        from gitmem.memory.models.compression import compress

        return compress(self._workspace, context, approve, client)

    def summarise(
        self,
        session: str,
        fields: Mapping[str, Any],
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
    ) -> dict[str, Any]:
        """Put a model's summary of a live session below that of the facts.

        Where the model can't be asked or gives no good answer, a notice says so, and the summary
        is that of the facts.

        Args:
            session: id of the session, which stays live.
            fields: what the caller says of it, as ``Sessions.end`` takes it.
            approve: see the class.
            client: likewise.

        Returns:
            The fields, with the summary, a tag that marks it, and what models took.

        """
        from gitmem.memory.models.summaries import summarise

        return summarise(self._records.writer, session, fields, approve, client)

    # Pictures

    def look(self, path: str, what: str = "error", approve: "Approve | None" = None) -> "Modelled":
        """Ask the model that sees (``llm.vision_model``) what a picture shows; it is sent there.

        Args:
            path: a PNG, JPEG, WebP or GIF file; sent without its metadata.
            what: ``error``, ``diagram`` or ``code``.
            approve: see the class.

        Raises:
            InvalidError: it is no picture, or too large or damaged.
            UsageError: it shows what looks like a secret, or there is no such question.

        """
        from gitmem.memory.models.vision import look

        return look(self._workspace, path, what, approve)

    def read_picture(self, path: str) -> "PictureContent":
        """Read the text of a picture, and find the failures in it. Nothing leaves this machine.

        Args:
            path: a PNG, JPEG, WebP or GIF file.

        Raises:
            EnvironmentProblem: the extra is not installed, or the file can't be read.
            InvalidError: it is no picture, or too large, too small or damaged.

        """
        from gitmem.memory.models.screenshots import read_picture

        return read_picture(self._workspace, path)

    def record_screenshot(
        self, path: str, fields: Mapping[str, Any], answer: "Modelled | None" = None
    ) -> "Record":
        """Write an error record of a screenshot, and keep the picture, without its metadata.

        Where the extra is not installed it is kept unread, and a notice says so. A picture that
        shows what looks like a secret is read and not kept.

        Args:
            path: of the picture.
            fields: what is stated beside it; it goes before what is read. ``Unknown`` and
                ``See screenshot`` state nothing.
            answer: what ``look`` gave for it; goes after what is stated and read, and is marked.

        Raises:
            InvalidError: it is no picture that can be read, or nothing says what it shows.

        """
        from gitmem.memory.models.screenshots import record_screenshot

        return record_screenshot(self._records.writer, path, fields, answer)

    # What models are asked, and what that costs

    def spending(self, month: str = "") -> "Spending":
        """Tell what calls to language models cost in this clone.

        Args:
            month: such as ``2026-11``; ``now``: this one; empty: ever.

        Raises:
            UsageError: that is no month.

        """
        from gitmem.memory.models.spending import spending

        return spending(self._workspace, month)

    def list_price(self, model: str, input_tokens: int, output_tokens: int) -> "Decimal | None":
        """Give what tokens of a model cost in dollars: as ``llm.price`` says, else by the list.

        None: the price is not known.
        """
        from gitmem.llm.prices import Tokens
        from gitmem.memory.models.spending import list_price

        return list_price(self._workspace, model, Tokens(input_tokens, output_tokens))

    def interactions(self, session: str) -> "list[Interaction]":
        """Give what callers noted of a session's conversations with models, oldest first."""
        from gitmem.memory.models.interactions import interactions_of

        return interactions_of(self._workspace, session)

    def note_interaction(
        self,
        session: str,
        type: str,  # noqa: A002  what the journal calls it too
        *,
        path: str = "",
        prompt: str = "",
        response: str = "",
        reasoning: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> "Interaction":
        """Note what somebody asked of a model: in this clone's journal, without secrets.

        Args:
            session: id of the session that it belongs to.
            type: what it was for, such as ``code_fixing``.
            path: the file that it was about.
            prompt: what was asked.
            response: what was answered.
            reasoning: how the model says it got there.
            metadata: plain data about the call: ``model``, ``input_tokens``, ``output_tokens``,
                ``cost_usd`` and more.

        Raises:
            UsageError: the session's id is empty.
            EnvironmentProblem: the journal can't be written.

        """
        from gitmem.memory.models.interactions import note_interaction

        return note_interaction(
            self._workspace,
            session,
            type,
            path=path,
            prompt=prompt,
            response=response,
            reasoning=reasoning,
            metadata=metadata,
        )
