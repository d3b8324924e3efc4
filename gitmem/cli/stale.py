"""``gitmem check stale``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.plurals import counted


@click.command("stale", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """List records whose code can't be found any more, and why not.

    Search still finds them and says so; they are no longer suggested.

    \b
    Example:
      gitmem check stale
    """
    with app.memory() as memory:
        anchors_found = memory.history.stale()
        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.history_json import anchor

            out(document("stale", anchors=[anchor(anchor_found) for anchor_found in anchors_found]))
            return
        from gitmem.render.history import anchors

        out(anchors(anchors_found, app.painter_of(memory)))
        records = len({anchor_found.wanted.row.id for anchor_found in anchors_found})
        stale = f"{counted(records, 'record')} with stale anchors"
        note(stale if anchors_found else "no record is about code that is gone")
