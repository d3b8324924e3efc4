"""Memory: what the commands, the editor, assistants and Python programs can ask."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, cast

from gitmem.config import from_environment, layered
from gitmem.errors import UsageError
from gitmem.git.git_dirs import find, is_sparse
from gitmem.memory.core.site import find_site, user_settings
from gitmem.memory.core.workspace import Workspace, system_clock

if TYPE_CHECKING:
    from gitmem.answers.found import SearchResult, Shown
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.memory.advice.facade import Advisor
    from gitmem.memory.checks.facade import MemoryChecks
    from gitmem.memory.codebase.facade import Code
    from gitmem.memory.exchange.facade import Transfer
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.facade import Failures
    from gitmem.memory.history.facade import History
    from gitmem.memory.initialise import Initialised
    from gitmem.memory.models.facade import Models
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.memory.statistics.facade import Statistics
    from gitmem.memory.views.facade import EditorQuestions
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record, Session
    from gitmem.sessions import Sessions

    # The class has a method named list, so types of lists are named out here.
    Matches = list[Match]
    Rows = list[Row]

_TAKEN_OVER = frozenset({"governs", "tags", "anchors"})
"""What a decision takes over from the one that it supersedes."""


class Memory:
    """One repository's memory. Use as a context manager, or call ``close``.

    Everyday verbs stand here, the rest in parts such as ``memory.failures``. Every question
    catches up with the files first. Reading never changes a tracked file. Methods raise
    GitmemError with a message, a hint and an exit code; problems of single files are values (see
    ``checks.files``) and never stop the others from being read.

    Args:
        workspace: where the memory is, its files and derived state.
        proposing: what is written becomes a draft that waits for a person.

    """

    def __init__(self, workspace: Workspace, *, proposing: bool = False) -> None:
        self._workspace = workspace
        self._proposing = proposing

    @classmethod
    def init(
        cls,
        start: str = ".",
        *,
        here: bool = False,
        dry_run: bool = False,
        attributes: bool = True,
        environ: Mapping[str, str] | None = None,
    ) -> "Initialised":
        """Make a memory for the repository around ``start``; a second call changes nothing.

        Args:
            start: any folder of the work tree.
            here: make it in ``start`` itself, for a package of a monorepo.
            dry_run: only tell what would be made.
            attributes: also write ``.memory/.gitattributes`` (line ends stay LF).
            environ: environment variables, by default the process's own.

        Raises:
            ConflictError: the folder is there and is not ours.

        """
        from gitmem.memory.initialise import initialise

        environ = os.environ if environ is None else environ
        name = layered([from_environment(environ)]).config.folder
        return initialise(start, environ, name, here=here, dry_run=dry_run, attributes=attributes)

    @classmethod
    def open(
        cls,
        start: str = ".",
        *,
        settings: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        proposing: bool = False,
        clock: Callable[[], datetime] = system_clock,
    ) -> Self:
        """Open the memory that the folder ``start`` belongs to.

        Args:
            start: any folder of the work tree.
            settings: settings that win over all others, by key (``{"search.limit": 5}``).
            environ: environment variables, by default the process's own.
            proposing: what is written becomes a draft that waits for a person.
            clock: gives the time now, in UTC.

        Raises:
            NotFoundError: there is no memory.
            ConflictError: the folder is another tool's, or of a newer format.

        """
        environ = os.environ if environ is None else environ
        repository = find(start)
        if repository and is_sparse(repository):
            from gitmem.git.sparse import refuse_left_out

            folder = user_settings(settings or {}, environ).folder
            refuse_left_out(repository, start, folder)
        site = find_site(start, settings or {}, environ)
        workspace = Workspace(site, environ, start, clock=clock)
        if site.git_dirs and is_sparse(site.git_dirs):
            from gitmem.git.sparse import notice

            workspace.notices.extend(notice(site.git_dirs, start, site.folder_in_repository))
        return cls(workspace, proposing=proposing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files."""
        if "_reader" in vars(self):  # somebody asked
            self._reader.close()
        else:
            self._workspace.close()

    # What it is made of

    @property
    def workspace(self) -> Workspace:
        """Where the memory is, its files, settings, derived state and clock."""
        return self._workspace

    @cached_property
    def _reader(self) -> "LayeredReader":
        from gitmem.memory.reading.layered import LayeredReader

        # Where nothing is found nothing has to be judged, and what judges is not imported.
        def annotated(result: "SearchResult") -> "SearchResult":
            from gitmem.memory.anchors.withheld_records import marked
            from gitmem.memory.failures.verdicts import judged_hits

            return judged_hits(self._workspace, marked(self._workspace, result))

        def judged(workspace: Workspace, rows: "Sequence[Row]") -> "list[Row]":
            from gitmem.memory.failures import verdicts

            return verdicts.judged(workspace, rows)

        def not_held(workspace: Workspace) -> tuple[str, ...]:
            from gitmem.memory.failures import verdicts

            return verdicts.not_held(workspace)

        return LayeredReader(self._workspace, annotated, judged, not_held)

    @cached_property
    def _writer(self) -> "Writer":
        def with_quotes(fields: Mapping[str, Any]) -> Mapping[str, Any]:
            from gitmem.memory.anchors.anchor_text import with_text

            return with_text(self._workspace, fields)

        # Readers get a writer, too: what only writing takes is not imported for them.
        if self._proposing:
            from gitmem.memory.writing.proposing_writer import ProposingWriter

            return ProposingWriter(self._workspace, with_quotes)
        from gitmem.memory.writing.writer import Writer

        return Writer(self._workspace, with_quotes)

    @cached_property
    def records(self) -> "RecordAccess":
        """What answers about records, and what writes them."""
        from gitmem.memory.failures.access import RecordAccess

        return RecordAccess(self._workspace, lambda: self._reader, lambda: self._writer)

    @property
    def sessions(self) -> "Sessions":
        """The live sessions of this work tree: start, log, resume and the rest."""
        return self._writer.sessions

    # Reading

    def search(self, text: str, limit: int | None = None) -> "SearchResult":
        """Find records by words, phrases and filters, best first (see docs/search.md).

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.

        """
        return self._reader.search(text, limit)

    def list(
        self, filters: str = "", *, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> "Rows":
        """List records by filters such as ``kind:error status:open tag:auth``.

        Args:
            filters: none is all.
            sort: created (newest first), oldest, title, kind, status or author.
            limit: how many at most; -1: all.
            offset: how many are passed over first.

        """
        return self._reader.list(filters, sort=sort, limit=limit, offset=offset)

    def find(self, reference: str, kind: str | None = None) -> "Row":
        """Find the one record that an id or a unique prefix of one names.

        Raises:
            NotFoundError: there is none, or it is of another kind.
            UsageError: several start like this; the hint lists them.

        """
        return self._reader.find(reference, kind)

    def show(self, reference: str) -> "Shown":
        """Give one record with the records around it, also one of an archive or a pack."""
        return self._reader.show(reference)

    def hint(self, text: str) -> "Matches":
        """Tell what is known about the failures in an error text, in order of appearance."""
        from gitmem.memory.core.fingerprints import seen_in
        from gitmem.memory.failures.matching import match

        return match(self._reader, seen_in(self._workspace, text))

    # Writing

    def add(self, kind: str, fields: Mapping[str, Any], *, attach: Sequence[str] = ()) -> "Record":
        """Write a new record.

        Args:
            kind: error, fix, decision, session, pattern or note.
            fields: plain data by field name; id, time, author, session and title are filled in.
            attach: paths of files to keep with it (errors only).

        Raises:
            InvalidError: a field is wrong; nothing was written.

        """
        if kind == "decision" and fields.get("links"):
            self._writer.refuse_wrong(kind, fields)
            fields = {**_taken_over(self, fields["links"]), **fields}
        return self._writer.add(kind, fields, attach=attach)

    def resolve(self, reference: str, fields: Mapping[str, Any]) -> "Record":
        """Write down an attempt to fix the error ``reference`` (outcome ``worked`` unless said)."""
        error = self._writer.waiting_error(reference) or self.find(reference, "error").id
        attempt = {"outcome": "worked", **fields}
        links = dict(attempt.get("links", {}))
        links["fixes"] = list(dict.fromkeys([error, *links.get("fixes", ())]))
        attempt.setdefault("title", None)
        if not (attempt["title"] or attempt.get("approach")):
            raise UsageError("what was done?", 'say it in a few words: gitmem resolve ID "…"')
        return self.add("fix", attempt | {"links": links})

    def supersede(self, reference: str, fields: Mapping[str, Any]) -> "Record":
        """Write a decision that takes the place of ``reference``.

        What it governs, its tags and its anchors are those of the old one unless given.
        """
        old = self.find(reference, "decision").id
        links = dict(fields.get("links", {}))
        links["supersedes"] = list(dict.fromkeys([old, *links.get("supersedes", ())]))
        return self.add("decision", {**fields, "links": links})

    def forget(self, reference: str) -> "Row":
        """Delete a record's file. Git keeps what was committed; prefer superseding."""
        row = self.find(reference)
        self._workspace.store.delete(row.path)
        self._workspace.drafts.drop_of(row.id)
        return row

    def end_session(
        self,
        session: str | None = None,
        *,
        summarise: bool = False,
        approve: "Approve | None" = None,
        client: "ModelClient | None" = None,
        **fields: Any,  # noqa: ANN401
    ) -> "Session":
        """End a live session and write its record, with what was made and changed meanwhile.

        Args:
            session: id or prefix; None: the current one.
            summarise: put a summary by the language model of the settings below the facts.
            approve: is shown what that takes and says whether to ask it; None: nobody can.
            client: a model that is lent, instead of the one of the settings.
            fields: what is said about it, as ``Sessions.end`` takes it: success, summary,
                approach, success_factors, tools_used, tags, llm, config, metrics.

        """
        from gitmem.memory.core.redaction import clean_record
        from gitmem.memory.writing.session_records import produced

        live = self.sessions.status(session).live
        if self._workspace.ask(lambda now: now.catalog.by_prefix(live.id)):
            # The process that ended it died before it could say so.
            self.sessions.finish(live.id)
            return cast("Session", self.show(live.id).record)
        if summarise:
            from gitmem.memory.models import summaries

            fields = summaries.summarise(self._writer, live.id, fields, approve, client)
        record = self.sessions.end(session, **fields, produced=partial(produced, self._workspace))
        return cast("Session", clean_record(self._workspace, record)[0])

    # Parts

    @cached_property
    def failures(self) -> "Failures":
        """What is known of failures, what was tried on them, what watched runs taught."""
        from gitmem.memory.failures.facade import Failures

        return Failures(self.records)

    @cached_property
    def history(self) -> "History":
        """What the memory says together with git: revisions, reviews, origins, regressions."""
        from gitmem.memory.history.facade import History

        return History(self.records, self.failures, lambda: self.checks.files())  # noqa: PLW0108  checks are not loaded before

    @cached_property
    def advice(self) -> "Advisor":
        """What to try and to know before the next attempt, and work that is observed."""
        from gitmem.memory.advice.facade import Advisor

        return Advisor(self.records, lambda most: self.code.profile(most=most))

    @cached_property
    def statistics(self) -> "Statistics":
        """What errors, attempts and sessions come to."""
        from gitmem.memory.statistics.facade import Statistics

        return Statistics(self._reader, lambda: self.checks.files(secrets=False))

    @cached_property
    def editor(self) -> "EditorQuestions":
        """What editors and lists ask: of a file, of a text, of all there is."""
        from gitmem.memory.views.facade import EditorQuestions

        return EditorQuestions(self.records)

    @cached_property
    def code(self) -> "Code":
        """The code around the memory: its profile, graphs, patterns, what a patch does to it."""
        from gitmem.memory.codebase.facade import Code

        return Code(self.records)

    @cached_property
    def models(self) -> "Models":
        """What language models make of the records, of pictures, and what they cost."""
        from gitmem.memory.models.facade import Models

        return Models(self.records, recurring=self.statistics.recurring)

    @cached_property
    def transfer(self) -> "Transfer":
        """What comes in from elsewhere and goes out: imports, packs, retention, backups."""
        from gitmem.memory.exchange.facade import Transfer

        return Transfer(self._reader, self._writer, differences=self.checks.verify)

    @cached_property
    def checks(self) -> "MemoryChecks":
        """Whether all is well with files, settings and derived state."""
        from gitmem.memory.checks.facade import MemoryChecks

        return MemoryChecks(self._reader)


def _taken_over(memory: Memory, links: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Give what a decision with such links takes over from those that it supersedes."""
    from gitmem.records.convert import to_data

    taken: dict[str, list[Any]] = {}
    for reference in links.get("supersedes", ()):
        old = to_data(memory.show(memory.find(reference, "decision").id).record)
        for name in _TAKEN_OVER & old.keys():
            new = taken.setdefault(name, [])
            new += [value for value in old[name] if value not in new]
    return taken
