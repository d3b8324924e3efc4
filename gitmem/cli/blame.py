"""``gitmem blame``."""

import click

from gitmem.cli.app import App, json_option
from gitmem.cli.base import Command
from gitmem.cli.blame_answer import answer


@click.command("blame", cls=Command)
@click.argument("place", metavar="PATH[:LINE]")
@json_option
@click.pass_obj
def command(app: App, place: str, *, as_json: bool) -> None:
    """A file from its top down: the records that touched each of its lines.

    As gitmem why, line by line; lines that no record touched are left out.

    \b
    Example:
      gitmem blame src/auth/login.py
      gitmem blame src/auth/login.py:42 --json
    """
    from gitmem.render.history import blame

    answer(app, "blame", place, blame, as_json=as_json)
