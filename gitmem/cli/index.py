"""``gitmem index``."""

from typing import Final

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import option
from gitmem.plurals import counted
from gitmem.system import nice

_NICE: Final = 10


@click.group("index", cls=CommandFamily, members=("enrich", "semantic"), alone=False)
def command() -> None:
    """Rebuild and verify the search index, which is derived from the records.

    \b
    Example:
      gitmem index status
    """


@command.command("status")
@click.pass_obj
def status(app: App) -> None:
    """Show where derived state is kept, and whether it is up to date.

    \b
    Example:
      gitmem index status
    """
    with app.memory() as memory:
        catalog = memory.workspace.derived.catalog(memory.workspace.progress)
        waiting, gone = catalog.index_backlog()
        out(f"folder      {memory.workspace.derived.directory or 'none: in memory only'}")
        out(f"records     {len(catalog.record_paths())}")
        out(
            f"to index    {len(waiting) + len(gone)}"
            + (" (at the next search)" if waiting or gone else "")
        )


@command.command("update")
@option("--beside", is_flag=True, help="Run at low priority.")
@click.pass_obj
def update(app: App, *, beside: bool) -> None:
    """Index changed files now, so that the next search does not have to.

    \b
    Example:
      gitmem index update
    """
    if beside:
        nice(_NICE)
    with app.memory() as memory:
        memory.checks.catch_up()
        records = counted(len(memory.workspace.derived.opened.record_paths()), "record")
        note(f"{records} in the index")


@command.command("rebuild")
@click.pass_obj
def rebuild(app: App) -> None:
    """Delete derived state and rebuild it from the files.

    \b
    Example:
      gitmem index rebuild
    """
    with app.memory() as memory:
        memory.checks.rebuild()
        records = counted(len(memory.workspace.derived.opened.record_paths()), "record")
        note(f"{records} read and indexed")


@command.command("verify")
@click.pass_obj
def verify(app: App) -> int:
    """Compare derived state with a fresh reading of the files; exits with 1 on a difference.

    \b
    Example:
      gitmem index verify
    """
    with app.memory() as memory:
        differences = memory.checks.verify()
        out(differences)
        note(
            f"{len(differences)} differences; repair them with: gitmem index rebuild"
            if differences
            else "up to date with the files"
        )
    return 1 if differences else 0
