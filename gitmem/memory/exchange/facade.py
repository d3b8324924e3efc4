"""``Memory.transfer``: import and export."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.answers.found import Seeded
    from gitmem.answers.transfers import Backup, ImportResult, Restored
    from gitmem.catalog.rows import Row
    from gitmem.exchange.archive import Exported, ImportPlan
    from gitmem.learning.retention import Retained
    from gitmem.memory.exchange.import_writer import ImportWriter
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.problems import Problem
    from gitmem.store.readonly import Pack


class Transfer:
    """Imports, exports, packs of knowledge, retention and backups of one memory.

    Args:
        reader: reads records, those of archives and packs too.
        writer: writes records.
        differences: lists where catalog and index differ from the files.

    """

    def __init__(
        self, reader: "LayeredReader", writer: "Writer", *, differences: Callable[[], list[str]]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._workspace = reader.workspace
        self._differences = differences

    # The whole memory as one document

    def export(self) -> "Exported":
        """Pack the whole memory into one JSON archive; the same memory gives the same bytes."""
        from gitmem.memory.exchange.archive import export

        return export(self._workspace)

    def import_(
        self, data: bytes, *, dry_run: bool = False, allow_missing: bool = False
    ) -> "ImportPlan":
        """Take in an archive, all or nothing; records that are here already are left alone.

        Args:
            data: the archive, as ``export`` gives it.
            dry_run: only check it.
            allow_missing: also take records whose attachments are nowhere.

        """
        from gitmem.memory.exchange.archive import import_

        return import_(self._workspace, data, dry_run=dry_run, allow_missing=allow_missing)

    # Packs of knowledge

    def packs(self) -> "list[Pack]":
        """List the packs of knowledge: those that come with gitmem, then the team's."""
        from gitmem.memory.reading.packs import packs

        return packs(self._workspace)

    def seed(self, name: str, *, write: bool = False, only: Sequence[str] = ()) -> "Seeded":
        """List the records of a pack and, on request, write them into the memory.

        Args:
            name: the pack.
            write: write them; what already exists is left alone.
            only: ids or prefixes of what is wanted; an error brings its fixes along.

        Raises:
            NotFoundError: there is no such pack or record, or it was not fetched yet.

        """
        from gitmem.memory.exchange import packs

        if write:
            return packs.write(self._workspace, name, only)
        return packs.contents(self._workspace, name)

    def switch_pack(self, name: str, *, on: bool, scope: str = "user") -> None:
        """Switch a pack on or off, for ``user`` or ``team``; ``all`` are all packs.

        Raises:
            ConflictError: another setting has the last word.

        """
        from gitmem.memory.exchange.packs import switch

        switch(self._workspace, name, on=on, scope=scope)

    def add_pack(self, name: str, origin: str, *, path: str = "", revision: str = "") -> "Pack":
        """Name a folder, or one commit of another repository, as a pack; see ``packs.add``."""
        from gitmem.memory.exchange.packs import add

        return add(self._workspace, name, origin, path=path, revision=revision)

    def fetch_packs(self, name: str = "") -> "list[Pack]":
        """Fetch the team's packs of other repositories that are not here; empty: all of them."""
        from gitmem.memory.exchange.packs import fetch

        return fetch(self._workspace, name)

    def pack_problems(self, name: str) -> "list[Problem]":
        """List what is wrong with the files of a pack."""
        from gitmem.memory.exchange.packs import problems

        return problems(self._workspace, name)

    # Retention

    def prune(
        self, *, older_than: int = 0, only: Sequence[str] = (), apply: bool = False
    ) -> "Retained":
        """List the records that are due by the policy and, on request, delete their files.

        Args:
            older_than: days, in the place of the settings' ages; 0: those of the settings.
            only: ids of what is to go, whatever its age; what belongs to it goes along.
            apply: delete. What git does not have as it is stays.

        Raises:
            EnvironmentProblem: this is no git repository, so nothing could be brought back.

        """
        from gitmem.memory.exchange import retention

        policy = retention.policy_of(self._workspace, older_than)
        retained = retention.due(self._reader, policy, only)
        return retention.prune(self._workspace, retained) if apply else retained

    def archive(
        self, *, older_than: int = 0, only: Sequence[str] = (), apply: bool = False
    ) -> "Retained":
        """List the records that are old, and archive them on request; what is open stays."""
        from gitmem.memory.exchange import retention

        policy = retention.policy_of(self._workspace, older_than)
        if older_than:
            policy = policy._replace(success_days=older_than)
        retained = retention.due(self._reader, policy, only, readable=True)
        return retention.archive(self._reader, retained) if apply else retained

    def archived(self, filters: str = "") -> "list[Row]":
        """List archived records by filters, newest first."""
        archived = self._reader.layers.archived
        return archived.list(filters) if archived else []

    def unarchive(self, references: Sequence[str]) -> list[str]:
        """Bring archived records back as files; give their ids."""
        from gitmem.memory.exchange.retention import unarchive

        return unarchive(self._reader, references)

    # Backups

    def backup(self) -> "Backup":
        """Pack the whole memory into one compressed file that can be verified by itself."""
        from gitmem.memory.exchange.backups import backup

        return backup(self._workspace)

    def restore(self, data: bytes, *, dry_run: bool = False) -> "Restored":
        """Bring back what a backup holds, and prove that every record of it is found.

        Raises:
            InvalidError: the backup is damaged.
            ConflictError: a record is here with other content; nothing was written.

        """
        from gitmem.memory.exchange.backups import restore

        return restore(self._reader, data, self._differences, dry_run=dry_run)

    # What others wrote

    def import_git(
        self,
        *,
        most: int = 0,
        since: str = "",
        limit: int = 0,
        first_parent: bool = False,
        dry_run: bool = False,
    ) -> "ImportResult":
        """Write what the history teaches: fixes with their errors, and what was taken back.

        What was imported already, here or by somebody else, is left alone.

        Args:
            most: how many commits to look at, the newest of them; 0: ``import_git.MOST``.
            since: only what was committed since then, as dates are typed.
            limit: stop after so many commits that gave records; 0: never.
            first_parent: a merge stands for all that it merged.
            dry_run: only tell.

        """
        from gitmem.memory.exchange.import_git import MOST, GitImport

        importing = GitImport(
            self._writer,
            most=most or MOST,
            since=since,
            limit=limit,
            first_parent=first_parent,
            dry_run=dry_run,
        )
        return importing.run()

    def import_writer(self, *, dry_run: bool = False) -> "ImportWriter":
        """Give what writes records that are made of something else, each once.

        Args:
            dry_run: only tell.

        """
        from gitmem.memory.exchange.import_writer import ImportWriter

        return ImportWriter(self._writer, dry_run=dry_run)
