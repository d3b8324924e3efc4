"""Backup and restore; each is verified by reading back what was written."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gitmem.answers.transfers import Backup, Restored
from gitmem.errors import EnvironmentProblem
from gitmem.exchange import archive
from gitmem.exchange.backup import pack, verify
from gitmem.memory.core.site import PLAIN_MARKER, read_marker
from gitmem.memory.exchange.archive import export
from gitmem.query import Filters
from gitmem.records.layout import ARCHIVE, MARKER
from gitmem.store.archives import Archives

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layered import LayeredReader


def backup(workspace: "Workspace") -> Backup:
    """Pack the memory, and read the backup again before it is given away."""
    exported = export(workspace, exact=True)
    settings = read_marker(workspace.site.folder).decode(errors="replace")
    data, manifest = pack(exported.content, "" if settings.encode() == PLAIN_MARKER else settings)
    verify(data)
    return Backup(data, manifest, exported.left_out)


def restore(
    reader: "LayeredReader",
    data: bytes,
    differences: Callable[[], list[str]],
    *,
    dry_run: bool = False,
) -> Restored:
    """Write what a backup holds and is not here, and look each of its records up.

    Args:
        reader: of the memory.
        data: the backup.
        differences: lists where catalog and index differ from the files.
        dry_run: only check it.

    """
    workspace = reader.workspace
    content = verify(data)
    rows = workspace.ask(lambda now: now.catalog.rows(Filters()))
    existing = {row.id: row.path for row in rows}
    plan = archive.plan(workspace.store, existing, content.data, allow_missing=True)
    archives = [path for path in plan.files if path.startswith(f"{ARCHIVE}/")]
    settings = _restore_settings(workspace, content.settings, write=not dry_run)
    restored = Restored(content.manifest, plan.records, plan.present, len(archives), 0, settings)
    if dry_run:
        return restored
    archive.carry_out(workspace.store, plan)
    reader.layers.close()
    return restored._replace(found=_look_up(reader, plan, differences))


def _restore_settings(workspace: "Workspace", settings: str, *, write: bool) -> str:
    """Restore the team's settings where none are set here."""
    here = read_marker(workspace.site.folder)
    if (settings.encode() or PLAIN_MARKER) == here:
        return "same"
    if here != PLAIN_MARKER:
        return "different"
    if write:
        workspace.store.replace(MARKER, settings.encode())
    return "written"


def _look_up(
    reader: "LayeredReader", plan: archive.ImportPlan, differences: Callable[[], list[str]]
) -> int:
    """Look every record of a backup up; catalog and index must agree with the files."""
    workspace = reader.workspace
    rows = workspace.ask(lambda now: now.catalog.by_id(plan.ids))
    lost = [record_id for record_id in plan.ids if record_id not in rows]
    count = len(rows)
    archived = reader.layers.archived
    if plan.archives and archived:
        paths = archived.workspace.ask(lambda now: now.catalog.states()).keys()
        for name in plan.archives:
            files = Archives(workspace.site.folder, workspace.store.max_bytes, [name]).files(name)
            lost += [path for path in files if path not in paths]
            count += len(files)
    lost += differences()
    if lost:
        message = f"not everything is found after the restore: {lost[0]}"
        raise EnvironmentProblem(message, "the backup is sound; test gitmem with: gitmem doctor")
    return count
