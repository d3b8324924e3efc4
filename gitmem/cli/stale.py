"""``gitmem stale``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.plurals import counted


@click.command("stale", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Records that speak of code which nobody can find any more, and why not.

    Search finds them as before and says so; they are suggested no more.

    \b
    Example:
      gitmem stale
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
        note(stale if anchors_found else "no record speaks of code that is gone")
