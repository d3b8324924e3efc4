"""``gitmem why``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command


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
    with app.memory() as memory:
        found = memory.blame(place)
        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up
            from gitmem.render.history_json import history  # noqa: PLC0415  start-up

            out(document("why", **history(found)))
            return
        from gitmem.render import history as render  # noqa: PLC0415  start-up

        out(render.why(found, app.painter(memory.site.config.ui_color)))
        for text in found.notes:
            note(text)
        if not found.touches and not found.governing:
            note(f"no record touched {place}")
