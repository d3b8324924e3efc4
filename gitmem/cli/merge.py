"""``gitmem edit merge``."""

import click

from gitmem.cli.app import App, id_argument, note
from gitmem.cli.base import Command


@click.command("merge", cls=Command)
@id_argument("stays", "STAYS")
@id_argument("merged", "MERGED")
@click.pass_obj
def command(app: App, stays: str, merged: str) -> None:
    """Merge two errors that are the same: the fixes of both count for the one that stays.

    Searches show only the first. Both files stay; a link in the first says that they are the same.

    \b
    Example:
      gitmem edit merge err-7k err-9m
    """
    with app.memory() as memory:
        other = memory.show(merged).row
        row = memory.failures.merge(stays, merged)
        note(f"{row.id} now replaces {other.id}: {other.title}")
