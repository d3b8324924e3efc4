"""``gitmem backup export`` and ``gitmem import archive``: the whole memory as one JSON document."""

from typing import TYPE_CHECKING, Any

from gitmem.exchange import archive
from gitmem.memory.core.shown import shown_data
from gitmem.query import Filters
from gitmem.store.archives import names
from gitmem.store.files import Store

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace


def export(workspace: "Workspace", *, exact: bool = False) -> archive.Exported:
    """Pack the whole memory; see ``Transfer.export``.

    Args:
        workspace: of the memory.
        exact: as the files are, with the secrets that somebody wrote into them: for a backup.

    """
    folder = workspace.site.folder
    largest = workspace.site.config.limits_attachment_kib * 1024
    store = Store(folder, max(workspace.store.max_bytes, largest))

    def question(now: "Snapshot") -> archive.Exported:
        catalog: Catalog = now.catalog
        attachments = [name for _, name in catalog.attachments()]
        paths = catalog.states()
        if exact:
            return archive.export(store, paths, attachments, names(folder))
        return archive.export(store, paths, attachments, names(folder), shown)

    def shown(path: str, data: dict[str, Any]) -> dict[str, Any]:
        return shown_data(workspace, path, data)

    return workspace.ask(question)


def import_(
    workspace: "Workspace", data: bytes, *, dry_run: bool, allow_missing: bool
) -> archive.ImportPlan:
    """Take in what ``export`` packed, all or nothing; see ``Transfer.import_``."""
    rows = workspace.ask(lambda now: now.catalog.rows(Filters()))
    existing = {row.id: row.path for row in rows}
    plan = archive.plan(workspace.store, existing, data, allow_missing=allow_missing)
    if not dry_run:
        archive.carry_out(workspace.store, plan)
    return plan
