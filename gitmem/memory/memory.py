"""The vocabulary of gitmem: what the commands, the editor and Python programs can ask."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from gitmem import query as query_language
from gitmem.answers import Found, Shown
from gitmem.catalog.rows import Row
from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.memory.site import Site, find_site
from gitmem.query import Filters
from gitmem.records.ids import kind_of
from gitmem.search import search
from gitmem.store.files import ProblemError, Store
from gitmem.sync import Derived, Progress, quiet

if TYPE_CHECKING:
    from gitmem.exchange.archive import Exported, Plan
    from gitmem.memory.initialise import Initialised
    from gitmem.records.kinds import Record, Session
    from gitmem.records.parts import Author
    from gitmem.records.problems import Problem
    from gitmem.sessions import Sessions


class Status(NamedTuple):
    """What a memory holds and how it is."""

    site: Site
    counts: list[tuple[str, str, int]]
    problems: dict[str, int]
    notices: list[str]


_CANDIDATES = 5

# The class has a method named list, so types of lists are named out here.
Rows = list[Row]
Lines = list[str]
if TYPE_CHECKING:
    Records = list[Record]
    Problems = list[Problem]


class Memory:
    """One repository's memory. Use as a context manager, or call ``close``.

    Every method catches up with the files first. Reading never changes a tracked file.
    Methods raise GitmemError with a message, a hint and an exit code; problems of single
    files are values (see ``check``) and never stop the others from being read.
    """

    def __init__(self, site: Site, environ: Mapping[str, str]) -> None:
        self.site = site
        self.environ = environ
        self.store = Store(site.folder, site.config.limits_record_kib * 1024)
        self.derived = Derived(self.store, site.derived, site.config.index_wait_seconds)
        self.progress: Progress = quiet

    @classmethod
    def open(
        cls,
        start: str = ".",
        *,
        settings: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Self:
        """Open the memory that the folder ``start`` belongs to.

        Args:
            start: any folder of the work tree.
            settings: settings that win over all others, by key (``{"search.limit": 5}``).
            environ: environment variables, by default the process's own.

        Raises:
            NotFoundError: there is no memory.
            ConflictError: the folder is another tool's, or of a newer format.

        """
        environ = os.environ if environ is None else environ
        return cls(find_site(start, settings or {}, environ), environ)

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
        from gitmem.config import from_environment, layered  # noqa: PLC0415  start-up
        from gitmem.memory.initialise import initialise  # noqa: PLC0415  start-up

        environ = os.environ if environ is None else environ
        name = layered([from_environment(environ)]).config.folder
        return initialise(start, environ, name, here=here, dry_run=dry_run, attributes=attributes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files."""
        self.derived.close()

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
        from gitmem.memory.writing import build, reject_unknown  # noqa: PLC0415  start-up
        from gitmem.store import attachments  # noqa: PLC0415  start-up

        contents = {path: attachments.read_capped(path, self._attachment_limit) for path in attach}
        names = {attachments.attachment_name(data, path): data for path, data in contents.items()}
        if names:
            fields = {**fields, "attachments": [*fields.get("attachments", ()), *names]}
        live = self.sessions.current()
        record = build(kind, fields, self.author, self.now(), live.id if live else None)
        reject_unknown(record, "this record")
        for name, data in names.items():
            attachments.attach(self.store, data, name)
        self.write(record)
        return record

    def add_all(self, kind: str, entries: Sequence[Mapping[str, Any]]) -> "Records":
        """Write several records, all or none; the first bad one is named."""
        from gitmem.memory.writing import build, reject_unknown  # noqa: PLC0415  start-up

        live = self.sessions.current()
        author, now = self.author, self.now()
        records = []
        for number, fields in enumerate(entries, 1):
            try:
                record = build(kind, fields, author, now, live.id if live else None)
                reject_unknown(record, "this record")
            except InvalidError as error:
                name = f"entry {number} of {len(entries)}: " if len(entries) > 1 else ""
                raise InvalidError(name + error.message, error.hint, error.field) from None
            records.append(record)
        self.write_all(records)
        return records

    def write(self, record: "Record") -> str:
        """Write a whole record as a new file; give its path within the memory's folder."""
        from gitmem.records.convert import encode  # noqa: PLC0415  start-up
        from gitmem.records.layout import path_for  # noqa: PLC0415  start-up

        data = encode(record)
        if len(data) > self.store.max_bytes:
            limit = f"{self.store.max_bytes // 1024} KiB"
            hint = "shorten excerpt or patch, or attach the material as a file"
            raise InvalidError(f"this record is larger than {limit}", hint)
        path = path_for(record.kind, record.id, record.title, record.created)
        self.store.create(path, data)
        return path

    def write_all(self, records: "Iterable[Record]") -> Lines:
        """Write several records; if one can't be written, those before it are taken back."""
        written: Lines = []
        try:
            for record in records:
                written.append(self.write(record))
        except BaseException:
            for path in written:
                self.store.delete(path)
            raise
        return written

    def resolve(self, reference: str, fields: Mapping[str, Any]) -> "Record":
        """Write down an attempt to fix the error ``reference`` (outcome ``worked`` unless said)."""
        row = self.find(reference, "error")
        made = {"outcome": "worked", **fields}
        links = dict(made.get("links", {}))
        links["fixes"] = list(dict.fromkeys([row.id, *links.get("fixes", ())]))
        made.setdefault("title", None)
        if not (made["title"] or made.get("approach")):
            raise UsageError("what was done?", 'say it in a sentence: gitmem resolve ID "…"')
        return self.add("fix", made | {"links": links})

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

    def end_session(self, session: str | None = None, **told: Any) -> "Session":  # noqa: ANN401
        """End a live session and write its record, with what was made and changed meanwhile.

        Args:
            session: id or prefix; None: the current one.
            told: what is said about it, as ``Sessions.end`` takes it: success, summary,
                approach, success_factors, tools_used, tags, llm, config, metrics.

        """
        from gitmem.memory.wiring import produced  # noqa: PLC0415  start-up

        return self.sessions.end(session, **told, produced=lambda made: produced(self, made))

    # Reading

    def search(self, text: str, limit: int | None = None) -> Found:
        """Find records by words, phrases and filters, best first (see docs/search.md).

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.

        """
        parsed = query_language.parse(text, self.now())
        wanted = self.site.config.search_limit if limit is None else limit
        return search(self.derived, parsed, wanted, self.progress)

    def list(self, filters: str = "", *, sort: str = "created", limit: int = -1) -> Rows:
        """List records by filters such as ``kind:error status:open tag:auth``."""
        return self.derived.catalog(self.progress).rows(self._filters(filters), sort, limit)

    def log(self, filters: str = "", *, limit: int = -1, oldest_first: bool = False) -> Rows:
        """Give the timeline: records by time, newest first."""
        order = "oldest" if oldest_first else "created"
        return self.list(filters, sort=order, limit=limit)

    def _filters(self, text: str) -> Filters:
        if not text.strip():
            return Filters()
        parsed = query_language.parse(text, self.now())
        if parsed.words or parsed.phrases or parsed.fuzzy or parsed.pasted:
            raise UsageError(f"{text!r} is more than filters", "to find words, use: gitmem search")
        return parsed.filters

    def find(self, reference: str, kind: str | None = None) -> Row:
        """Find the one record that an id or a unique prefix of one names.

        Raises:
            NotFoundError: there is none, or it is of another kind.
            UsageError: several start like this; the hint lists them.

        """
        from gitmem.records.intake import prefix  # noqa: PLC0415  start-up

        rows = self.derived.catalog(self.progress).by_prefix(prefix(reference))
        if kind and len(rows) > 1:
            rows = [row for row in rows if row.kind == kind] or rows
        if not rows:
            hint = "list what there is with: gitmem list"
            if kind and (other := kind_of(reference)) and other != kind:
                hint = f"{reference} would be a {other}; this needs a {kind}"
            raise NotFoundError(f"no record {reference}", hint)
        if len(rows) > 1:
            shown = "; ".join(f"{row.id} {row.title}" for row in rows[:_CANDIDATES]) + (
                "; …" if len(rows) > _CANDIDATES else ""
            )
            raise UsageError(f"{reference} is ambiguous: {len(rows)} records", shown)
        if kind and rows[0].kind != kind:
            raise NotFoundError(
                f"{rows[0].id} is a {rows[0].kind}, not a {kind}", "name another id"
            )
        return rows[0]

    def show(self, reference: str) -> Shown:
        """Give one record with the records around it."""
        from gitmem.records.convert import decode  # noqa: PLC0415  start-up

        row = self.find(reference)
        try:
            text = self.store.read(row.path)
        except (FileNotFoundError, ProblemError):
            raise NotFoundError(f"{row.path} went away while it was read", "try again") from None
        record, problems = decode(text, row.path)
        if record is None:
            raise InvalidError(f"{row.path}: {problems[0].message}", problems[0].hint)
        catalog = self.derived.opened
        targets = catalog.links_from(row.file)
        rows = {r.id: r for _, target in targets for r in catalog.by_prefix(target)}
        links = [(relation, rows.get(target), target) for relation, target in targets]
        return Shown(row, record, text, links, catalog.linking_to(row.id))

    def check(self) -> "Problems":
        """List everything that is wrong with the memory's files."""
        from gitmem.memory.checking import problems  # noqa: PLC0415  start-up

        catalog = self.derived.catalog(self.progress)
        return problems(self.site, catalog, self.derived.file_problems)

    def status(self) -> Status:
        """Count what is there, and tell what slows gitmem down or is in its way."""
        from gitmem.records.codec import FAST  # noqa: PLC0415  start-up

        catalog = self.derived.catalog(self.progress)
        severities: dict[str, int] = {}
        for problem in self.check():
            severities[problem.severity] = severities.get(problem.severity, 0) + 1
        notices = list(self.derived.notices)
        if not FAST:
            notices.append("PyYAML has no libyaml here: reading records is about 15 times slower")
        if self.site.places is None:
            notices.append("not a git repository: no history, no branches")
        elif self.site.derived is None:
            notices.append("no writable folder for the index: every command reads all files")
        return Status(self.site, catalog.counts(), severities, notices)

    # The index

    def rebuild(self) -> None:
        """Throw catalog and index away and make them anew from the files."""
        self.derived.rebuild(self.progress)

    def verify(self) -> Lines:
        """Compare catalog and index with a fresh reading of the files; list differences."""
        from gitmem.memory.verifying import differences  # noqa: PLC0415  start-up

        return differences(self.derived)

    # In and out

    def export(self) -> "Exported":
        """Pack the whole memory into one JSON archive; the same memory gives the same bytes."""
        from gitmem.exchange.archive import export  # noqa: PLC0415  start-up

        catalog = self.derived.catalog(self.progress)
        attachments = [name for _, name in catalog.attachments()]
        store = Store(self.site.folder, max(self.store.max_bytes, self._attachment_limit))
        return export(store, catalog.states(), attachments)

    def import_(self, data: bytes, *, dry_run: bool = False) -> "Plan":
        """Take in an archive, all or nothing; records that are here already are left alone."""
        from gitmem.exchange.archive import carry_out, plan  # noqa: PLC0415  start-up

        catalog = self.derived.catalog(self.progress)
        made = plan(self.store, {row.id: row.path for row in catalog.rows(Filters())}, data)
        if not dry_run:
            carry_out(self.store, made)
        return made

    # Settings

    def setting(self, key: str) -> tuple[object, str]:
        """Give a setting's value and where it comes from."""
        from gitmem.memory.settings import setting  # noqa: PLC0415  start-up

        return setting(self.site, key)

    def set_setting(self, key: str, value: str | None, scope: str) -> None:
        """Set a setting for ``user`` or ``team``; None takes it away."""
        from gitmem.memory.settings import set_setting  # noqa: PLC0415  start-up

        set_setting(self.site, self.environ, key, value, scope)

    # Who and when

    @property
    def _attachment_limit(self) -> int:
        return self.site.config.limits_attachment_kib * 1024

    @cached_property
    def author(self) -> "Author":
        """Who writes: from the settings, else from git."""
        from gitmem.git.identity import identity, parse_actor  # noqa: PLC0415  start-up
        from gitmem.records.parts import Author  # noqa: PLC0415  start-up

        config = self.site.config
        name, email = config.author_name, config.author_email
        if not (name and email):
            found = identity(self.site.places.root if self.site.places else None)
            name, email = name or found[0], email or found[1]
        via, tool = parse_actor(config.actor)
        return Author(name=name, email=email, via=via, tool=tool)

    @cached_property
    def sessions(self) -> "Sessions":
        """The sessions of this memory: start, log, end and the rest."""
        from gitmem.memory.wiring import sessions  # noqa: PLC0415  start-up

        return sessions(self)

    @staticmethod
    def now() -> datetime:
        """The present, in UTC."""
        return datetime.fromtimestamp(time.time(), UTC)
