"""``gitmem unarchive``."""

import click

from gitmem.cli.app import App, out
from gitmem.cli.base import Command


@click.command("unarchive", cls=Command)
@click.argument("references", nargs=-1, required=True, metavar="ID…")
@click.pass_obj
def command(app: App, references: tuple[str, ...]) -> None:
    """Bring archived records back as files.

    \b
    Example:
      gitmem unarchive err-7k3
    """
    with app.memory() as memory:
        out(memory.transfer.unarchive(references))
