"""Writes imported records; each once, however often the import is repeated."""

from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.errors import ConflictError, NotFoundError
from gitmem.git.log import deleted_below
from gitmem.git.objects import commit_of
from gitmem.memory.failures.watched_in_full import shown_by_itself
from gitmem.memory.writing.record_builder import build
from gitmem.records.layout import id_in
from gitmem.records.parts import Author

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record

NewRecord = tuple[str, Mapping[str, Any]]
"""A record's kind and fields, its id among them."""
_NOBODY = Author(name="unknown", via="tool")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITERS: Final = 4
"""Of 1,500 records four at a time took a fifth of the time of one after the other."""
_MOST_UNDER_WAY: Final = 64


class ImportWriter:
    """Writes records whose ids are known before; knows which are here, or were and are gone.

    Every record is durable when it is written, and none depends on a later one: whatever moment
    it is interrupted at, the memory is whole, and the next import goes on from there. Waiting
    for the disk is most of the work, so that several groups of records are written at a time:
    those of one group in their order, and ``settle`` waits for all. Use as a context manager.

    Args:
        writer: of the memory.
        dry_run: only tell.

    """

    def __init__(self, writer: "Writer", *, dry_run: bool) -> None:
        self._writer = writer
        self._workspace = writer.workspace
        self._dry_run = dry_run
        self._here: set[str] = set()
        self._forgotten = _forgotten(self._workspace)
        self._pool = ThreadPoolExecutor(_WRITERS)
        self._under_way: deque[Future[list[Record]]] = deque()
        self.forgotten = 0
        # Once, with progress told; what is written meanwhile is in ``_here``.
        self._workspace.ask(lambda now: now.catalog)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.settle()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def has(self, record_id: str) -> bool:
        """Tell whether a record is here, or was written (in a dry run: would have been)."""
        self.know([record_id])
        return record_id in self._here

    def know(self, ids: Iterable[str]) -> None:
        """Look ids up, many at once if there are many."""
        wanted = [record_id for record_id in ids if record_id not in self._here]
        if wanted:
            derived = self._workspace.derived
            self._here.update(derived.mended(lambda: derived.opened.by_id(wanted)))

    def write(self, group: Iterable[NewRecord]) -> tuple[str, ...]:
        """Write what is not here yet; give the ids.

        The records belong together: where one of them was forgotten, none is written.
        """
        group = list(group)
        self.know(fields["id"] for _, fields in group)
        missing = [(kind, fields) for kind, fields in group if fields["id"] not in self._here]
        ids = [fields["id"] for _, fields in missing]
        if not self._forgotten.isdisjoint(ids):
            self.forgotten += 1
            return ()
        records = [build(kind, fields, _NOBODY, _EPOCH, None) for kind, fields in missing]
        if records and not self._dry_run:
            if len(self._under_way) >= _MOST_UNDER_WAY:
                self._settle_one()
            self._under_way.append(self._pool.submit(_create, self._writer, records))
        self._here.update(ids)
        return tuple(ids)

    def whole(self, kind: str, fields: Mapping[str, Any]) -> NewRecord:
        """Add to an error what its output shows, such as its frames: by these it is recognised."""
        if kind != "error" or not fields.get("excerpt"):
            return kind, fields
        shown = shown_by_itself(self._workspace, fields["excerpt"], fields.get("error_type", ""))
        return kind, {**(shown or {}), **fields}

    def result(
        self, new: list[Imported], present: int, passed: Mapping[str, int], notices: list[str]
    ) -> ImportResult:
        """Say what came of it all; titles, which others wrote, lose their secrets.

        Args:
            new: what was (would be) written.
            present: how many were here already.
            passed: why things were passed over, and how many.
            notices: what else has to be said.

        """
        if self.forgotten:
            gone = f"{self.forgotten} were deleted here before and stay deleted"
            notices = [*notices, gone]
        text = self._workspace.redacted_text
        clean = [imported._replace(title=text(imported.title)) for imported in new]
        return ImportResult(clean, present, dict(passed), notices)

    def settle(self) -> None:
        """Wait until everything is written.

        Raises:
            GitmemError: something can't be written; what came before it stays.

        """
        while self._under_way:
            self._settle_one()

    def _settle_one(self) -> None:
        there = [record.id for record in self._under_way.popleft().result()]
        if not there:
            return
        # Another import that runs at the same time was there first.
        recorded = self._workspace.ask(lambda now: now.catalog.by_id(there))
        for record_id in there:
            if record_id not in recorded:
                raise ConflictError(f"there is a file where {record_id} would be", "look at it")


def _create(writer: "Writer", records: "Iterable[Record]") -> "list[Record]":
    """Write records one after the other; give those whose file already exists."""
    there = []
    for record in records:
        try:
            writer.write(record)
        except ConflictError:
            there.append(record)
    return there


def _forgotten(workspace: "Workspace") -> set[str]:
    """Give the ids of records that a commit deleted; they are not imported again."""
    git_dirs = workspace.site.git_dirs
    if git_dirs is None:
        return set()
    try:
        tip = commit_of(git_dirs, "HEAD")
    except NotFoundError:
        return set()
    paths = deleted_below(git_dirs, tip, workspace.site.folder_in_repository)
    return {record_id for record_id in map(id_in, paths) if record_id}
