"""``gitmem why``."""

import click

from gitmem.cli.app import App, json_option
from gitmem.cli.base import Command
from gitmem.cli.blame_answer import answer


@click.command("why", cls=Command)
@click.argument("place", metavar="PATH[:LINE]")
@json_option
@click.pass_obj
def command(app: App, place: str, *, as_json: bool) -> None:
    """Which records touched a line, and how that is known.

    A record touched a line if it speaks of it, came with the commit that brought it, or holds
    the patch that added it; the line is followed through renames, moves and squashed branches.
    What is not sure is left out.

    \b
    Example:
      gitmem why src/auth/login.py:42
      gitmem why src/auth/login.py
    """
    from gitmem.render.history import why

    answer(app, "why", place, why, as_json=as_json)
