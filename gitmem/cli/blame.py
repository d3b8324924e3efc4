"""``gitmem blame``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command


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
    with app.memory() as memory:
        found = memory.blame(place)
        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up
            from gitmem.render.history_json import history  # noqa: PLC0415  start-up

            out(document("blame", **history(found)))
            return
        from gitmem.render import history as render  # noqa: PLC0415  start-up

        out(render.blame(found, app.painter(memory.site.config.ui_color)))
        for text in found.notes:
            note(text)
        if not found.touches and not found.governing:
            note(f"no record touched {place}")
