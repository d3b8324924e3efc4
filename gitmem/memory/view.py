"""What can be asked of a memory without changing any of its files."""

import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from gitmem import query as query_language
from gitmem.answers import SearchResult, Shown
from gitmem.catalog.catalog import SORTS
from gitmem.catalog.rows import Row
from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.memory.asking import circumstances
from gitmem.memory.site import Site, embedding, find_site
from gitmem.query import Filters
from gitmem.records.ids import kind_of
from gitmem.search import search
from gitmem.store.files import ProblemError, Store
from gitmem.sync import Derived, Progress, quiet

if TYPE_CHECKING:
    from gitmem.memory.failures.knowing import Mark
    from gitmem.memory.views.browsing import About, Overview
    from gitmem.memory.views.completing import Offer
    from gitmem.memory.views.mentioning import Mention
    from gitmem.records.kinds import Record
    from gitmem.records.problems import Problem
    from gitmem.records.shape import Names


class MemoryStatus(NamedTuple):
    """What a memory holds and how it is."""

    site: Site
    counts: list[tuple[str, str, int]]
    problems: dict[str, int]
    notices: list[str]


_CANDIDATES = 5
_MOST_CANDIDATES = 20

# The class has a method named list, so types of lists are named out here.
Rows = list[Row]
Lines = list[str]
if TYPE_CHECKING:
    Marks = list[Mark]
    Problems = list[Problem]
    Offers = list[Offer]
    Mentions = list[Mention]


class View:
    """Reading one repository's memory. Use as a context manager, or call ``close``.

    Every method catches up with the files first, and changes none of them.
    """

    def __init__(self, site: Site, environ: Mapping[str, str], start: str = ".") -> None:
        self.site = site
        self.start = start
        self.environ = environ
        self.store = Store(site.folder, site.config.limits_record_kib * 1024)
        config = site.config
        self.derived = Derived(
            self.store,
            site.derived,
            config.index_wait_seconds,
            config.fingerprint_rules,
            site.places,
            embedding(site.config, environ),
        )
        self.derived.meaning.clean = self.without_secrets
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
        return cls(find_site(start, settings or {}, environ), environ, start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files."""
        self.derived.close()
        self.derived.comparison.listen(None)

    # Reading

    def search(self, text: str, limit: int | None = None) -> SearchResult:
        """Find records by words, phrases and filters, best first (see docs/search.md).

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.

        """
        parsed = query_language.parse(text, self.now())
        wanted = self.site.config.search_limit if limit is None else limit
        around = circumstances(self, text if parsed.pasted else "")
        ask = self.derived.mended
        return ask(lambda: search(self.derived, parsed, wanted, around, self.progress))

    def list(
        self, filters: str = "", *, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> Rows:
        """List records by filters such as ``kind:error status:open tag:auth``.

        Args:
            filters: none is all.
            sort: created (newest first), oldest, title, kind, status or author.
            limit: how many at most; -1: all.
            offset: how many are passed over first.

        """
        if sort not in SORTS:
            raise UsageError(f"can't sort by {sort}", f"one of {', '.join(SORTS)}")
        wanted = self._filters(filters)
        return self.derived.mended(
            lambda: self.derived.catalog(self.progress).rows(wanted, sort, limit, offset)
        )

    def count(self, filters: str = "") -> int:
        """Count the records that ``list`` gives for these filters."""
        wanted = self._filters(filters)
        return self.derived.mended(lambda: self.derived.catalog(self.progress).count(wanted))

    def log(self, filters: str = "", *, limit: int = -1, oldest_first: bool = False) -> Rows:
        """Give the timeline: records by time, newest first."""
        order = "oldest" if oldest_first else "created"
        return self.list(filters, sort=order, limit=limit)

    def _filters(self, text: str) -> Filters:
        if not text.strip():
            return Filters()
        parsed = query_language.parse(text, self.now())
        if any((parsed.words, parsed.phrases, parsed.fuzzy, parsed.excluded, parsed.pasted)):
            raise UsageError(f"{text!r} is more than filters", "to find words, use: gitmem search")
        return parsed.filters

    def find(self, reference: str, kind: str | None = None) -> Row:
        """Find the one record that an id or a unique prefix of one names.

        Raises:
            NotFoundError: there is none, or it is of another kind.
            UsageError: several start like this; the hint lists them.

        """
        from gitmem.records.intake import prefix  # noqa: PLC0415  start-up

        typed = prefix(reference)
        rows = self.derived.mended(lambda: self.derived.catalog(self.progress).by_prefix(typed))
        if kind and len(rows) > 1:
            rows = self.derived.opened.by_prefix(typed, kind=kind) or rows
        if not rows:
            hint = "list what there is with: gitmem list"
            if any(typed in broken.path for broken in self.check(secrets=False)):
                hint = "a file of that name can't be read; see: gitmem check"
            elif kind and (other := kind_of(reference)) and other != kind:
                hint = f"{reference} is of another kind, {other}; this needs: {kind}"
            raise NotFoundError(f"no record {reference}", hint)
        if len(rows) > 1:
            from textwrap import shorten  # noqa: PLC0415  start-up

            first = [f"{row.id} {shorten(row.title, 40, placeholder=' …')}" for row in rows]
            shown = "; ".join([*first[:_CANDIDATES], *(["…"] if first[_CANDIDATES:] else [])])
            many = "20 or more" if len(rows) >= _MOST_CANDIDATES else str(len(rows))
            raise UsageError(f"{reference} is ambiguous: {many} records", shown)
        if kind and rows[0].kind != kind:
            raise NotFoundError(
                f"{rows[0].id} is of another kind: {rows[0].kind}", f"name one of kind {kind}"
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
        return self.derived.mended(lambda: self._shown(row, record, text))

    def _shown(self, row: Row, record: "Record", text: bytes) -> Shown:
        catalog = self.derived.opened
        targets = catalog.links_from(row.file)
        rows = {r.id: r for _, target in targets for r in catalog.by_prefix(target)}
        links = [(relation, rows.get(target), target) for relation, target in targets]
        return Shown(row, record, text, links, catalog.linking_to(row.id))

    def check(self, *, secrets: bool = True) -> "Problems":
        """List everything that is wrong with the memory's files.

        Args:
            secrets: also read every file for secrets, which takes a while in a large memory.

        """
        from gitmem.memory import wiring  # noqa: PLC0415  start-up
        from gitmem.memory.checks import checking  # noqa: PLC0415  start-up

        def ask() -> "Problems":
            catalog = self.derived.catalog(self.progress)
            found = checking.problems(self.site, catalog, self.derived.file_problems)
            if secrets:
                paths = catalog.record_paths().values()
                allow = wiring.allowed_in(self.site)
                found += checking.secrets(self.store, paths, self.others_environ, allow)
            return sorted(found)

        return self.derived.mended(ask)

    @property
    def others_environ(self) -> Mapping[str, str]:
        """The environment without our own variables, but for keys: a session's id is no secret."""
        return {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GITMEM_") or name.endswith("_KEY")
        }

    def status(self) -> MemoryStatus:
        """Count what is there, and tell what slows gitmem down or is in its way."""
        from gitmem.records.codec import FAST  # noqa: PLC0415  start-up

        counts = self.derived.mended(lambda: self.derived.catalog(self.progress).counts())
        severities: dict[str, int] = {}
        for problem in self.check(secrets=False):
            severities[problem.severity] = severities.get(problem.severity, 0) + 1
        notices = list(self.derived.notices)
        if not FAST:
            notices.append("PyYAML has no libyaml here: reading records is about 15 times slower")
        if self.site.places is None:
            notices.append("not a git repository: no history, no branches")
        elif self.site.derived is None:
            notices.append("no writable folder for the index: every command reads all files")
        return MemoryStatus(self.site, counts, severities, notices)

    # For views that are looked at while one works

    def overview(self) -> "Overview":
        """Count records by kind and status, tags and problems, without reading any file."""
        from gitmem.memory.views.browsing import overview  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: overview(self))

    def about(self, path: str) -> "About":
        """Give the decisions, errors and fixes that concern a file, newest first.

        Args:
            path: as typed in the folder ``start``, or absolute.

        """
        from gitmem.memory.views.browsing import about  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: about(self, self.path(path)))

    # The index

    def rebuild(self) -> None:
        """Throw catalog and index away and make them anew from the files."""
        self.derived.rebuild(self.progress)

    def verify(self) -> Lines:
        """Compare catalog and index with a fresh reading of the files; list differences."""
        from gitmem.memory.checks.verifying import differences  # noqa: PLC0415  start-up

        return differences(self.derived)

    # For editors

    def at_once(self) -> Self:
        """Answer from now on from what lies there, without catching up; see ``sync.at_once``.

        Where there is nothing to answer from, questions raise EnvironmentProblem.
        """
        from gitmem.sync.at_once import AtOnce  # noqa: PLC0415  start-up

        self.close()
        given = self.derived
        self.derived = AtOnce(self.store, given.directory, 0, given.masks, self.site.places)
        return self

    def attend(self) -> Self:
        """Compare from now on what the system says was touched: for who asks again and again.

        Answers stay as right as before. Where the system can't tell, all files are compared.
        """
        from gitmem.memory.attending import attend  # noqa: PLC0415  start-up

        attend(self)
        return self

    def catch_up(self, *, indexed: bool = True) -> None:
        """Bring derived state in step with the files, as every question does first.

        Args:
            indexed: the text index, too, which takes longer than the catalog alone.

        """
        derived = self.derived
        if indexed:
            derived.mended(lambda: derived.index(self.progress))
        else:
            derived.mended(lambda: derived.catalog(self.progress))

    def marks(self, path: str) -> "Marks":
        """Tell what records say about a file: decisions that govern it, past errors in it.

        Args:
            path: relative to the folder that the memory belongs to, or absolute.

        """
        from gitmem.memory.failures.knowing import marks  # noqa: PLC0415  start-up

        return marks(self, path)

    def check_text(self, path: str, text: str, *, links: bool = True) -> "Problems":
        """List what is wrong with a record file's text, as an editor has it.

        Args:
            path: where the file is, relative to the memory's folder.
            text: its text.
            links: also look where its links lead.

        """
        from gitmem.memory.checks.file_check import check_text  # noqa: PLC0415  start-up

        return check_text(self, path, text, links=links)

    def without_secrets(self, text: str) -> str:
        """Give a text with its secrets replaced; it has as many lines as before."""
        from gitmem.memory.checks.file_check import without_secrets  # noqa: PLC0415  start-up

        return without_secrets(self, text)

    def mentions(self, reference: str) -> "Mentions":
        """Give the lines that name a record, in record files and everywhere in the work tree."""
        from gitmem.memory.views.mentioning import mentions  # noqa: PLC0415  start-up

        return mentions(self, reference)

    def complete(self, names: "Names", start: str = "") -> "Offers":
        """Give what is there of a sort and starts so, the likeliest first, at most a hundred.

        Args:
            names: what is named: record, error, fix, session, tag or path.
            start: what was typed already.

        """
        from gitmem.memory.views.completing import complete  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: complete(self, names, start))

    # Where and when

    def path(self, typed: str) -> str:
        """Make a path that was typed in the folder ``start`` relative to the repository."""
        from gitmem.memory.paths import repository_path  # noqa: PLC0415  start-up

        return repository_path(self.site.root, self.start, typed)

    @staticmethod
    def now() -> datetime:
        """The present, in UTC."""
        return datetime.fromtimestamp(time.time(), UTC)
