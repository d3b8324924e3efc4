"""Questions about one memory's records: search, lists, single records."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from gitmem import query as query_language
from gitmem.answers.found import SearchResult, Shown, rows_of
from gitmem.catalog.catalog import SORTS
from gitmem.catalog.rows import Row
from gitmem.errors import EnvironmentProblem, InvalidError, NotFoundError, UsageError
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.reading.circumstances import circumstances
from gitmem.query import Filters
from gitmem.records.layout import kind_of
from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from gitmem.catalog.sql_query import QueryResult
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.site import Site
    from gitmem.records.kinds import Record
    from gitmem.records.problems import Problem

    Problems = list[Problem]

_CANDIDATES = 5
_MOST_CANDIDATES = 20

# The class has a method named list, so types of lists are named out here.
Rows = list[Row]


class Reader:
    """Answers questions about records. Use as a context manager, or call ``close``.

    Every question catches up with the files first, and changes none of them.

    Args:
        workspace: of the memory.
        annotate: is given what a search found before the caller is, to say which hits are stale.
        judge: gives fix attempts among rows the verdict that evidence allows.
        not_held: names all fixes that did not hold.

    """

    def __init__(
        self,
        workspace: Workspace,
        annotate: Callable[[SearchResult], SearchResult] | None = None,
        judge: "Callable[[Workspace, Sequence[Row]], Rows] | None" = None,
        not_held: "Callable[[Workspace], tuple[str, ...]] | None" = None,
    ) -> None:
        self.workspace = workspace
        self._annotate = annotate
        self._judge = judge
        self._not_held = not_held

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files."""
        self.workspace.close()

    @property
    def site(self) -> "Site":
        """Where the memory is, with its settings."""
        return self.workspace.site

    def search(
        self, text: str, limit: int | None = None, *, prompt: bool = False, weak: bool = True
    ) -> SearchResult:
        """Find records by words, phrases and filters, best first (see docs/search.md).

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.
            prompt: do not wait for git's look at all files; see ``Workspace.ask_promptly``.
            weak: false: who asks for a pasted text leaves out what is *weak*.

        """
        workspace = self.workspace
        parsed = self._parsed(text)
        most = workspace.site.config.search_limit if limit is None else limit
        around = circumstances(workspace, text if parsed.pasted else "")

        def question(now: "Snapshot") -> SearchResult:
            result = now.search(parsed, most, around, weak=weak or not parsed.pasted)
            return self._annotate(result) if self._annotate else result

        return workspace.ask_promptly(question, rows_of) if prompt else workspace.ask(question)

    @property
    def unseen_seconds(self) -> float:
        """So many seconds of edits in place the last prompt answer may lack; 0: it lacks none."""
        workspace = self.workspace
        since = workspace.derived.comparison.as_of_ns
        return max(workspace.clock().timestamp() - since / 1e9, 0.0) if since else 0.0

    def note_shown(self, site: str, hits: "Iterable[Sequence[str]]") -> None:
        """Note what an answer shows, so that a record which is opened next tells something.

        Args:
            site: fingerprint of the failure that was asked for; empty: none was.
            hits: ids of the records of each hit, best first.

        """
        from gitmem.store.shown_answer import note

        workspace = self.workspace
        if folder := workspace.site.derived:
            note(folder, workspace.clock().timestamp(), site, hits)

    def note_opened(self, shown: Shown) -> None:
        """Note that a record was opened, if it stood below others in the answer shown last."""
        from gitmem.store.shown_answer import last

        workspace, now = self.workspace, self.workspace.clock()
        answer = None if shown.layer else last(workspace.site.derived)
        if answer is None or not answer.was_preferred(shown.row.id, now.timestamp()):
            return
        from gitmem.capture.feedback import OPENED, Feedback, RecordUse

        try:
            use = RecordUse(now, shown.row.id, OPENED, answer.site)
            Feedback(workspace.journal).add_use(use)
        except EnvironmentProblem as error:
            # A record is shown where nothing can be written, too.
            workspace.notices.append(f"{shown.row.id} was not noted as opened: {error.message}")

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
        pages = self.pages(filters, sort=sort, limit=limit, offset=offset)
        return [row for page in pages for row in page]

    def pages(
        self, filters: str = "", *, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> Iterator[Rows]:
        """List records as ``list`` does, in pages: the first one is there before all are read.

        Args:
            filters: none is all.
            sort: created (newest first), oldest, title, kind, status or author.
            limit: how many at most; -1: all.
            offset: how many are passed over first.

        """
        if sort not in SORTS:
            raise UsageError(f"can't sort by {sort}", f"one of {', '.join(SORTS)}")
        wanted = self.filters(filters)
        return self.workspace.ask_in_parts(
            lambda now: map(self._judged, now.catalog.pages(wanted, sort, limit, offset))
        )

    def _judged(self, rows: Rows) -> Rows:
        return self._judge(self.workspace, rows) if self._judge else rows

    def count(self, filters: str = "") -> int:
        """Count the records that ``list`` gives for these filters."""
        wanted = self.filters(filters)
        return self.workspace.ask(lambda now: now.catalog.count(wanted))

    def filters(self, text: str) -> Filters:
        """Read filters as people type them; refuse words to search for."""
        if not text.strip():
            return Filters()
        parsed = self._parsed(text)
        if parsed.sought:
            raise UsageError(
                f"{parsed.sought[:80]} is not a filter",
                "filters are KEY:VALUE, such as kind:error (gitmem help filters);"
                " to find words, use: gitmem search",
            )
        return parsed.filters

    def _parsed(self, text: str) -> query_language.Query:
        parsed = query_language.parse(text, self.workspace.clock())
        filters = parsed.filters
        if filters.asks_for_verdicts and self._not_held:
            filters = filters._replace(not_held=self._not_held(self.workspace))
            parsed = parsed._replace(filters=filters)
        if not filters.paths and not filters.excluded:
            return parsed
        meant = self.workspace.path_filter
        excluded = ((key, meant(v) if key == "path" else v) for key, v in filters.excluded)
        filters = filters._replace(paths=tuple(map(meant, filters.paths)), excluded=tuple(excluded))
        return parsed._replace(filters=filters)

    def query(
        self, sql: str, values: tuple[str | float | None, ...] = (), limit: int = -1
    ) -> "QueryResult":
        """Answer a SELECT over the views of the catalog; nothing can be changed by it.

        Args:
            sql: one statement; see docs/query.md for the views and their columns.
            values: of its ``?`` parameters.
            limit: how many rows at most; -1: all.

        Raises:
            UsageError: it is no SELECT, reads something else, or takes more than 30 seconds.

        """
        return self.workspace.ask(lambda now: now.catalog.ask(sql, values, limit))

    def find(self, reference: str, kind: str | None = None) -> Row:
        """Find the one record that an id or a unique prefix of one names.

        Raises:
            NotFoundError: there is none, or it is of another kind.
            UsageError: several start like this; the hint lists them.

        """
        from gitmem.records.intake import prefix

        typed = prefix(reference)

        def question(now: "Snapshot") -> Rows:
            rows = now.catalog.by_prefix(typed)
            if kind and len(rows) > 1:
                rows = now.catalog.by_prefix(typed, kind=kind) or rows
            return rows

        rows = self.workspace.ask(question)
        if not rows:
            hint = self._hint_for(reference, typed, kind)
            raise NotFoundError(f"no record {reference}", hint, reference)
        if len(rows) > 1:
            raise _ambiguous(reference, rows)
        if kind and rows[0].kind != kind:
            raise NotFoundError(
                f"{rows[0].id} is of another kind: {rows[0].kind}", f"name one of kind {kind}"
            )
        return rows[0]

    def _hint_for(self, reference: str, typed: str, kind: str | None) -> str:
        if any(typed in problem.path for problem in self.problems()):
            return "a file of that name can't be read; see: gitmem check"
        if kind and (other := kind_of(reference)) and other != kind:
            return f"{reference} is of another kind, {other}; this needs: {kind}"
        return "see what there is: gitmem list"

    def problems(self) -> "Problems":
        """List what is wrong with the records, and what was in the way of reading any."""
        return self.workspace.ask(lambda now: [*now.catalog.problems(), *now.file_problems])

    def read(self, path: str) -> "Record | None":
        """Read the record of a file, without those around it; None: it is gone or broken."""
        from gitmem.memory.core.shown import read_at

        return read_at(self.workspace, path)

    def show(self, reference: str) -> Shown:
        """Give one record with the records around it."""
        from gitmem.memory.core.shown import shown_record, shown_text
        from gitmem.records.convert import decode

        row = self.find(reference)
        try:
            text = self.workspace.store.read(row.path)
        except (FileNotFoundError, ProblemError):
            raise NotFoundError(f"{row.path} was removed while it was read", "try again") from None
        record, problems = decode(text, row.path)
        if record is None:
            raise InvalidError(f"{row.path}: {problems[0].message}", problems[0].hint)
        record = shown_record(self.workspace, row.path, record)
        text = shown_text(self.workspace, row.path, text)
        shown = self.workspace.ask(lambda now: _with_links(now, row, record, text))
        relations = [relation for relation, _ in shown.backlinks]
        linking = [other for _, other in shown.backlinks]
        own, *around = self._judged([row, *linking, *shown.also_tried])
        return shown._replace(
            row=own,
            backlinks=list(zip(relations, around[: len(relations)], strict=True)),
            also_tried=tuple(around[len(relations) :]),
        )


def _with_links(now: "Snapshot", row: Row, record: "Record", text: bytes) -> Shown:
    catalog = now.catalog
    targets = catalog.links_from(row.file)
    rows = {linked.id: linked for _, target in targets for linked in catalog.by_prefix(target)}
    links = [(relation, rows.get(target), target) for relation, target in targets]
    linking = catalog.linking_to(row.id)
    also: list[Row] = []
    if row.kind == "error":
        linking_ids = {other.id for _, other in linking}
        tried = catalog.attempts_on([row.id]).get(row.id, ())
        also = [fix for fix in tried if fix.id not in linking_ids]
    return Shown(row, record, text, links, linking, also_tried=tuple(also))


def _ambiguous(reference: str, rows: Rows) -> UsageError:
    from textwrap import shorten

    first = [f"{row.id} {shorten(row.title, 40, placeholder=' …')}" for row in rows]
    shown = "; ".join([*first[:_CANDIDATES], *(["…"] if first[_CANDIDATES:] else [])])
    many = "20 or more" if len(rows) >= _MOST_CANDIDATES else str(len(rows))
    return UsageError(f"{reference} is ambiguous: {many} records", shown)
