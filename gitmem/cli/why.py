"""``gitmem why``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("why", cls=Command)
@argument("place", metavar="PATH[:LINE]")
@option("--by-line", is_flag=True, help="Line by line from the top, as git blame does.")
@json_option
@click.pass_obj
def command(app: App, place: str, *, by_line: bool, as_json: bool) -> None:
    """Show which records explain a line or a file, and how that is known.

    A record explains a line if it names it, came with the commit that added it, or holds the
    patch that did. Lines are followed through renames, moves and squashed branches. What is not
    certain is left out; with --by-line, so are lines without a record.

    \b
    Example:
      gitmem why src/auth/login.py:42
      gitmem why src/auth/login.py --by-line
    """
    with app.memory() as memory:
        history = memory.history.blame(place)
        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.history_json import history as as_data

            out(document("blame" if by_line else "why", **as_data(history)))
            return
        from gitmem.render import history as render

        lines = render.blame if by_line else render.why
        out(lines(history, app.painter_of(memory)))
        for text in history.notes:
            note(text)
        if not history.touches and not history.governing:
            note(f"no record explains {place}")
