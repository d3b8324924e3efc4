"""``gitmem archive unarchive``."""

import click

from gitmem.cli.app import App, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument


@click.command("unarchive", cls=Command)
@argument("references", nargs=-1, required=True, metavar="ID…")
@click.pass_obj
def command(app: App, references: tuple[str, ...]) -> None:
    """Restore archived records as files.

    \b
    Example:
      gitmem archive unarchive err-7k3
    """
    with app.memory() as memory:
        out(memory.transfer.unarchive(references))
