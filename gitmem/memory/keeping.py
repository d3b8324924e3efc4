"""A memory that is looked after over years: packs beside it, retention, backups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.memory.writable import Writable

if TYPE_CHECKING:
    from gitmem.answers import Seeded
    from gitmem.catalog.rows import Row
    from gitmem.learning.retention import Retained
    from gitmem.memory.exchange.backing_up import Backup, Restored
    from gitmem.memory.exchange.importing import ImportResult
    from gitmem.records.problems import Problem
    from gitmem.store.packs import Pack

    # The class has a method named list, so types of lists are named out here.
    Packs = list[Pack]
    Problems = list[Problem]
    Rows = list[Row]
Texts = list[str]


class Keeping(Writable):
    """One repository's memory, with what is done for it now and then."""

    # Packs of knowledge

    def packs(self) -> "Packs":
        """List the packs of knowledge: those that come with gitmem, then the team's."""
        from gitmem.memory.reading.packs import packs  # noqa: PLC0415  start-up

        return packs(self.workspace)

    def seed(self, name: str, *, write: bool = False, only: Sequence[str] = ()) -> "Seeded":
        """Tell what a pack holds, and write its records into the memory if that is asked for.

        Args:
            name: the pack.
            write: write them; what is there already is left alone.
            only: ids or prefixes of what is wanted; an error brings its fixes along.

        Raises:
            NotFoundError: there is no such pack or record, or it was not fetched yet.

        """
        from gitmem.memory.exchange import seeding  # noqa: PLC0415  start-up

        return seeding.write(self, name, only) if write else seeding.contents(self, name)

    def switch_pack(self, name: str, *, on: bool, scope: str = "user") -> None:
        """Search a pack, or search it no more, for ``user`` or ``team``; ``all`` are all packs."""
        from gitmem.memory.exchange.seeding import switch  # noqa: PLC0415  start-up

        switch(self, name, on=on, scope=scope)

    def add_pack(self, name: str, origin: str, *, path: str = "", revision: str = "") -> "Pack":
        """Name a folder, or one commit of another repository, as a pack; see ``seeding.add``."""
        from gitmem.memory.exchange.seeding import add  # noqa: PLC0415  start-up

        return add(self, name, origin, path=path, revision=revision)

    def fetch_packs(self, name: str = "") -> "Packs":
        """Fetch the team's packs of other repositories that are not here; empty: all of them."""
        from gitmem.memory.exchange.seeding import fetch  # noqa: PLC0415  start-up

        return fetch(self, name)

    def pack_problems(self, name: str) -> "Problems":
        """List what is wrong with the files of a pack."""
        from gitmem.memory.exchange.seeding import find_pack, problems  # noqa: PLC0415  start-up

        return problems(self, find_pack(self, name))

    # Retention

    def prune(
        self, *, older_than: int = 0, only: Sequence[str] = (), apply: bool = False
    ) -> "Retained":
        """Tell which records are due by the policy, and delete their files if that is asked for.

        Args:
            older_than: days, in the place of the settings' ages; 0: those of the settings.
            only: ids of what is to go, whatever its age; what belongs to it goes along.
            apply: delete. What git does not have as it is stays.

        Raises:
            EnvironmentProblem: this is no git repository, so nothing could be brought back.

        """
        from gitmem.memory.exchange import retaining  # noqa: PLC0415  start-up

        found = retaining.due(self, retaining.policy_of(self, older_than), only)
        return retaining.prune(self, found) if apply else found

    def archive(
        self, *, older_than: int = 0, only: Sequence[str] = (), apply: bool = False
    ) -> "Retained":
        """Tell which records are due, as ``prune`` does, and archive them if that is asked for."""
        from gitmem.memory.exchange import retaining  # noqa: PLC0415  start-up

        found = retaining.due(self, retaining.policy_of(self, older_than), only)
        return retaining.archive(self, found) if apply else found

    def archived(self, filters: str = "") -> "Rows":
        """List archived records by filters, newest first."""
        view = self.layers.archived
        return view.list(filters) if view else []

    def unarchive(self, references: Sequence[str]) -> Texts:
        """Bring archived records back as files; give their ids."""
        from gitmem.memory.exchange.retaining import unarchive  # noqa: PLC0415  start-up

        return unarchive(self, references)

    # Backups

    def backup(self) -> "Backup":
        """Pack the whole memory into one compressed file that can be verified by itself."""
        from gitmem.memory.exchange.backing_up import backup  # noqa: PLC0415  start-up

        return backup(self)

    def restore(self, data: bytes, *, dry_run: bool = False) -> "Restored":
        """Bring back what a backup holds, and prove that every record of it is found.

        Raises:
            InvalidError: the backup is damaged.
            ConflictError: a record is here with other content; nothing was written.

        """
        from gitmem.memory.exchange.backing_up import restore  # noqa: PLC0415  start-up

        return restore(self, data, dry_run=dry_run)

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
            most: how many commits to look at, the newest of them; 0: ``mining.MOST``.
            since: only what was committed since then, as dates are typed.
            limit: stop after so many commits that gave records; 0: never.
            first_parent: a merge stands for all that it merged.
            dry_run: only tell.

        """
        from gitmem.memory.exchange.mining import MOST, Mining  # noqa: PLC0415  start-up

        return Mining(
            self,
            most=most or MOST,
            since=since,
            limit=limit,
            first_parent=first_parent,
            dry_run=dry_run,
        ).mine()

    def import_adr(self, folder: str, *, dry_run: bool = False) -> "ImportResult":
        """Write a decision for each architecture decision record in a folder.

        Args:
            folder: as typed in the folder ``start``, or absolute.
            dry_run: only tell.

        """
        from gitmem.memory.exchange.importing_texts import import_adr  # noqa: PLC0415  start-up

        return import_adr(self, folder, dry_run=dry_run)

    def import_changelog(self, file: str = "", *, dry_run: bool = False) -> "ImportResult":
        """Write a note, or a decision, for what a changelog says was fixed, changed or removed.

        Args:
            file: as typed in the folder ``start``, or absolute; empty: the usual names.
            dry_run: only tell.

        """
        from gitmem.memory.exchange.importing_texts import import_changelog  # noqa: PLC0415  start-up

        return import_changelog(self, file, dry_run=dry_run)

    def import_other(self, file: str, *, form: str = "", dry_run: bool = False) -> "ImportResult":
        """Write records of what another tool remembers; see ``memory.importing_others``.

        Args:
            file: as typed in the folder ``start``, or absolute.
            form: fix-history, knowledge, kaizen, executions, beads or mcp-memory; empty: told
                by its content.
            dry_run: only tell.

        """
        from gitmem.memory.exchange.importing_others import import_other  # noqa: PLC0415  start-up

        return import_other(self, file, form=form, dry_run=dry_run)
