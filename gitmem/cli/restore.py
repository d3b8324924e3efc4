"""``gitmem restore``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command, option
from gitmem.plurals import counted


@click.command("restore", cls=Command)
@click.argument("file")
@option("--dry-run", is_flag=True, help="Verify the backup, and tell what would be written.")
@click.pass_obj
def command(app: App, file: str, *, dry_run: bool) -> None:
    """Bring back what a backup holds and is not here; then look every record of it up.

    A record that is here with other content stops it, and nothing is written.

    \b
    Example:
      gitmem init
      gitmem restore memory-2026-11.json.gz
    """
    from gitmem.cli.backup import read

    data = read(file)
    with app.memory() as memory:
        restored = memory.transfer.restore(data, dry_run=dry_run)
        what = "would be written" if dry_run else "written"
        there = f", {restored.present} here already" if restored.present else ""
        old = f", {counted(restored.archives, 'archive')}" if restored.archives else ""
        out(f"{counted(restored.written, 'record')}{old} {what}{there}")
        if restored.settings == "different":
            note("the team's settings differ from those in the backup; yours stay")
        if not dry_run:
            out(f"every record of the backup is found: {restored.found}")
