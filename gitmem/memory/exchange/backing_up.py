"""Backup and restore, each proved: what was packed is read back, what was restored is found."""

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.exchange import archive
from gitmem.exchange.backup import pack, verify
from gitmem.memory.core.site import PLAIN_MARKER
from gitmem.query import Filters
from gitmem.records.layout import ARCHIVE, MARKER
from gitmem.store.archives import unpacked

if TYPE_CHECKING:
    from gitmem.memory.writable import Writable


class Backup(NamedTuple):
    """A backup.

    Attributes:
        data: its bytes.
        manifest: what it holds; see ``exchange.backup``.
        left_out: files that are not in it, as they can't be read.

    """

    data: bytes
    manifest: dict[str, Any]
    left_out: list[str]


class Restored(NamedTuple):
    """What a restore did, or would do.

    Attributes:
        manifest: what the backup holds.
        written: how many records were written.
        present: how many were here already, just so.
        archives: how many archives of old records were written.
        found: how many of its records, archived ones included, are found now; 0: a dry run.
        settings: ``same``, ``written``, or ``different``: then those that are here stay.

    """

    manifest: dict[str, Any]
    written: int
    present: int
    archives: int
    found: int
    settings: str


def backup(memory: "Writable") -> Backup:
    """Pack the memory, and read the backup again before it is given away."""
    made = memory.export()
    with open(os.path.join(memory.site.folder, MARKER), "rb") as file:
        settings = file.read().decode(errors="replace")
    data, manifest = pack(made.content, "" if settings.encode() == PLAIN_MARKER else settings)
    verify(data)
    return Backup(data, manifest, made.left_out)


def restore(memory: "Writable", data: bytes, *, dry_run: bool = False) -> Restored:
    """Write what a backup holds and is not here, and look each of its records up."""
    whole = verify(data)
    rows = memory.derived.catalog(memory.progress).rows(Filters())
    existing = {row.id: row.path for row in rows}
    plan = archive.plan(memory.store, existing, whole.data, allow_missing=True)
    archives = [path for path in plan.files if path.startswith(f"{ARCHIVE}/")]
    settings = _settings(memory, whole.settings, write=not dry_run)
    done = Restored(whole.manifest, plan.records, plan.present, len(archives), 0, settings)
    if dry_run:
        return done
    archive.carry_out(memory.store, plan)
    memory.layers.close()
    return done._replace(found=_found(memory, plan))


def _settings(memory: "Writable", settings: str, *, write: bool) -> str:
    """Bring the team's settings back where nobody set any here."""
    path = os.path.join(memory.site.folder, MARKER)
    with open(path, "rb") as file:
        here = file.read()
    if (settings.encode() or PLAIN_MARKER) == here:
        return "same"
    if here != PLAIN_MARKER:
        return "different"
    if write:
        memory.store.replace(MARKER, settings.encode())
    return "written"


def _found(memory: "Writable", plan: archive.ImportPlan) -> int:
    """Look every record of a backup up; catalog and index must agree with the files."""
    there = memory.derived.catalog(memory.progress).by_id(plan.ids)
    lost = [name for name in plan.ids if name not in there]
    count = len(there)
    view = memory.layers.archived
    if plan.archives and view:
        archived = view.workspace.ask(lambda now: now.catalog.states()).keys()
        for name in plan.archives:
            with open(os.path.join(memory.site.folder, ARCHIVE, name), "rb") as file:
                files = unpacked(name, file.read())
            lost += [path for path in files if path not in archived]
            count += len(files)
    lost += memory.verify()
    if lost:
        message = f"not everything is found after the restore: {lost[0]}"
        raise EnvironmentProblem(message, "the backup is sound; look at it with: gitmem doctor")
    return count
