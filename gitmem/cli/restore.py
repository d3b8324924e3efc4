"""``gitmem backup restore``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.plurals import counted


@click.command("restore", cls=Command)
@argument("file")
@option("--dry-run", is_flag=True, help="Verify the backup, and list what would be written.")
@click.pass_obj
def command(app: App, file: str, *, dry_run: bool) -> None:
    """Restore what is missing here from a backup; then check that each record is found.

    If a record exists here with other content, nothing is written.

    \b
    Example:
      gitmem init
      gitmem backup restore memory-2026-11.json.gz
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
            out(f"every record of the backup can be found: {restored.found}")
