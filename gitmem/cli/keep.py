"""``gitmem keep``."""

import click

from gitmem.cli.app import App, out
from gitmem.cli.base import Command


@click.command("keep", cls=Command)
@click.argument("reference", metavar="DRAFT")
@click.pass_obj
def command(app: App, reference: str) -> None:
    """Make records of a draft, so that everybody gets it. Short for drafts keep.

    \b
    Example:
      gitmem keep 3f
    """
    with app.memory() as memory:
        out(memory.failures.keep(reference))
