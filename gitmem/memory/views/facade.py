"""``Memory.editor``: what editors and lists ask and write while somebody works."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.capture.runs import Run
    from gitmem.capture.telling import MatchDetails
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.views.about_file import About
    from gitmem.memory.views.attention import Attention
    from gitmem.memory.views.completion import Offer
    from gitmem.memory.views.marks import FormerNames, Mark
    from gitmem.memory.views.mentions import Mention
    from gitmem.memory.views.overview import Overview
    from gitmem.memory.views.pages import RecordPage
    from gitmem.memory.views.templates import Template
    from gitmem.records.kinds import Record
    from gitmem.records.problems import Problem
    from gitmem.records.shape import Names


class EditorQuestions:
    """The part of a memory that editors and lists work with; ``memory.editor``.

    Args:
        records: of the memory.

    """

    def __init__(self, records: "RecordAccess") -> None:
        self._records = records
        self._workspace = records.workspace
        self._former_names: FormerNames | None = None

    def edit(self, reference: str, text: bytes) -> "Record":
        """Replace a record's file by an edited text, checked and without secrets.

        Raises:
            InvalidError: a field is wrong, or the id, kind or time differs; nothing was written.

        """
        from gitmem.memory.writing.record_edit import edit_record

        return edit_record(self._records.writer, self._records.reader.find(reference), text)

    def overview(self) -> "Overview":
        """Count records by kind and status, tags and problems, without reading any file."""
        from gitmem.memory.views.overview import overview

        return overview(self._workspace)

    def attention(self) -> "Attention":
        """Give what deserves a look: open errors, the newest fixes and decisions, drafts."""
        from gitmem.memory.views.attention import attention

        return attention(self._workspace, self._records.workspace.drafts)

    def about(self, path: str) -> "About":
        """Give the decisions, errors and fixes that concern a file, newest first.

        Args:
            path: as typed in the folder ``start``, or absolute.

        """
        from gitmem.memory.views.about_file import about

        return about(self._workspace, self._workspace.path(path))

    def decisions_about(self, path: str) -> "list[Row]":
        """Give the decisions alone that ``about`` gives, which takes less time."""
        from gitmem.memory.views.about_file import decisions_about

        return decisions_about(self._workspace, self._workspace.path(path))

    def marks(self, path: str) -> "list[Mark]":
        """List what records say about a file: decisions that govern it, past errors in it.

        Args:
            path: relative to the folder that the memory belongs to, or absolute.

        """
        from gitmem.memory.views.marks import FormerNames, marks

        self._former_names = self._former_names or FormerNames(self._workspace)
        return marks(self._workspace, path, self._former_names)

    def belonging(self, paths: Sequence[str]) -> "list[Row]":
        """Give the records that belong to a change and are not staged yet; see ``belonging``.

        Args:
            paths: files of the change, as typed in the folder ``start``, or absolute.

        """
        from gitmem.memory.views.unstaged_records import belonging

        live = self._records.writer.sessions.current()
        inside = {self._workspace.path(path) for path in paths}
        return belonging(self._workspace, inside, live.id if live else None)

    def mentions(self, reference: str) -> "list[Mention]":
        """Give the lines that name a record, in record files and everywhere in the work tree."""
        from gitmem.memory.views.mentions import mentions

        return mentions(self._records.reader, reference)

    def complete(self, names: "Names", start: str = "") -> "list[Offer]":
        """Give what is there of a sort and starts so, the likeliest first, at most a hundred.

        Args:
            names: what is named: record, error, fix, session, tag or path.
            start: what was typed already.

        """
        from gitmem.memory.views.completion import complete

        return complete(self._workspace, names, start)

    def check_text(self, path: str, text: str, *, links: bool = True) -> "list[Problem]":
        """List what is wrong with a record file's text, as an editor has it.

        Args:
            path: where the file is, relative to the memory's folder.
            text: its text.
            links: also look where its links lead.

        """
        from gitmem.memory.reading.file_check import check_text

        return check_text(self._workspace, path, text, links=links)

    def template(self, kind: str, fields: Mapping[str, Any]) -> "Template":
        """Make the text of a new record that a person is to fill in; nothing is written.

        Args:
            kind: the record's kind.
            fields: plain data by field name, with a title.

        Raises:
            InvalidError: a field is wrong.

        """
        from gitmem.memory.views.templates import template

        return template(self._records.writer, kind, fields)

    def with_patch(self, rows: "Sequence[Row]") -> set[str]:
        """Give the ids of those fixes that hold a patch of some file; no record is read.

        Args:
            rows: records of this memory, of any kind.

        """
        fixes = {row.file: row.id for row in rows if row.kind == "fix"}
        paths = self._workspace.ask(lambda now: now.catalog.paths_of(fixes)) if fixes else {}
        return {fixes[file] for file, roles in paths.items() if any(r == "patch" for r, _ in roles)}

    def work_tree_patch(self) -> str:
        """Give what was edited since the last commit, records left out; empty: nothing, or no git.

        Files that a program made are named only.
        """
        work_tree = self._records.work_tree
        if work_tree is None:
            return ""
        commit = work_tree.head().partition("+")[0]
        patch = work_tree.patch(commit, work_tree.snapshot())
        records = relative_path(self._workspace.site.folder, work_tree.root)
        code = {name for name in patch.names if not name.startswith(f"{records}/")}
        return patch.only(code).text

    def add_asked_as(self, reference: str, lines: Sequence[str]) -> "Record":
        """Add to a record how somebody would ask for it; see ``writing.asked_as``."""
        from gitmem.memory.writing.asked_as import add_asked_as

        row = self._records.reader.find(reference)
        return add_asked_as(self._records.writer, row, lines)

    def record_page(self, reference: str, attempts: "AttemptReader") -> "RecordPage":
        """Give one record with what was tried on it, and the commit that added it.

        Args:
            reference: an id or a unique prefix of one.
            attempts: reads what was tried; see ``memory.failures.attempt_reader``.

        """
        from gitmem.memory.views.pages import record_page

        return record_page(self._records, attempts, reference)

    def run_page(self, run: "Run", attempts: "AttemptReader", most: int) -> "list[MatchDetails]":
        """Give what is known about the failures of an observed run, in their order.

        Args:
            run: as ``memory.failures.runs`` gives it.
            attempts: reads what was tried; see ``memory.failures.attempt_reader``.
            most: failures, the first ones.

        """
        from gitmem.memory.views.pages import run_page

        return run_page(self._records, attempts, run, most)
