"""A memory that can be written: records, sessions, the archive, settings."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from gitmem.catalog.rows import Row
from gitmem.errors import UsageError
from gitmem.memory.learned import Learned

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record, Session
    from gitmem.records.parts import Author
    from gitmem.sessions import Sessions

    # The class has a method named list, so types of lists are named out here.
    Records = list[Record]
    Rows = list[Row]
Texts = list[str]


class Writable(Learned):
    """One repository's memory, with what adds to it."""

    # Writing

    @cached_property
    def writer(self) -> "Writer":
        """What writes records."""
        from gitmem.memory.anchors.quoting import with_text  # noqa: PLC0415  start-up
        from gitmem.memory.writing.proposing import ProposingWriter  # noqa: PLC0415  start-up
        from gitmem.memory.writing.writer import Writer  # noqa: PLC0415  start-up

        kind = ProposingWriter if self._proposing else Writer
        return kind(self.workspace, lambda fields: with_text(self.workspace, fields))

    def add(self, kind: str, fields: Mapping[str, Any], *, attach: Sequence[str] = ()) -> "Record":
        """Write a new record; see ``Writer.add``."""
        return self.writer.add(kind, fields, attach=attach)

    def add_all(self, kind: str, entries: Sequence[Mapping[str, Any]]) -> "Records":
        """Write several records, all or none; the first bad one is named."""
        return self.writer.add_all(kind, entries)

    def write(self, record: "Record") -> str:
        """Write a whole record as a new file; give its path within the memory's folder."""
        return self.writer.write(record)

    def redacted(self, record: "Record") -> "Record":
        """Give a record without the secrets in it; what has none comes back as it is."""
        from gitmem.memory.core.redaction import redact_record  # noqa: PLC0415  start-up

        return redact_record(self.workspace, record)

    def write_all(self, records: "Iterable[Record]") -> Texts:
        """Write several records; if one can't be written, those before it are taken back."""
        return self.writer.write_all(records)

    def resolve(self, reference: str, fields: Mapping[str, Any]) -> "Record":
        """Write down an attempt to fix the error ``reference`` (outcome ``worked`` unless said)."""
        error = self._error_named(reference)
        made = {"outcome": "worked", **fields}
        links = dict(made.get("links", {}))
        links["fixes"] = list(dict.fromkeys([error, *links.get("fixes", ())]))
        made.setdefault("title", None)
        if not (made["title"] or made.get("approach")):
            raise UsageError("what was done?", 'say it in a sentence: gitmem resolve ID "…"')
        return self.add("fix", made | {"links": links})

    def _error_named(self, reference: str) -> str:
        """Give the id of the error that an id or its beginning names."""
        return self.writer.waiting_error(reference) or self.find(reference, "error").id

    def supersede(self, reference: str, fields: Mapping[str, Any]) -> "Record":
        """Write a decision that takes the place of ``reference``."""
        row = self.find(reference, "decision")
        links = dict(fields.get("links", {}))
        links["supersedes"] = list(dict.fromkeys([row.id, *links.get("supersedes", ())]))
        return self.add("decision", {**fields, "links": links})

    def forget(self, reference: str) -> Row:
        """Delete a record's file. Git keeps what was committed; prefer superseding."""
        row = self.find(reference)
        self.store.delete(row.path)
        return row

    def end_session(
        self,
        session: str | None = None,
        *,
        summarise: bool = False,
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
        **told: Any,  # noqa: ANN401
    ) -> "Session":
        """End a live session and write its record, with what was made and changed meanwhile.

        Args:
            session: id or prefix; None: the current one.
            summarise: put a summary by the language model of the settings below the facts.
            approve: is shown what that takes and says whether to ask it; None: nobody can.
            client: a model that is lent, instead of the one of the settings.
            told: what is said about it, as ``Sessions.end`` takes it: success, summary,
                approach, success_factors, tools_used, tags, llm, config, metrics.

        """
        from gitmem.memory.writing.session_records import produced  # noqa: PLC0415  start-up

        live = self.sessions.status(session).live
        if self.derived.catalog().by_prefix(live.id):
            # The process that ended it died before it could say so.
            self.sessions.finish(live.id)
            return cast("Session", self.show(live.id).record)
        if summarise:
            from gitmem.memory.models import summaries  # noqa: PLC0415  start-up

            told = summaries.summarise(self.writer, live.id, told, approve, client)
        return self.sessions.end(
            session, **told, produced=lambda made: produced(self.workspace, made)
        )

    # Who and when

    @property
    def author(self) -> "Author":
        """Who writes: from the settings, else from git."""
        return self.writer.author

    @property
    def sessions(self) -> "Sessions":
        """The sessions of this memory: start, log, end and the rest."""
        return self.writer.sessions
