"""``gitmem check anchors``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument
from gitmem.plurals import counted


@click.command("anchors", cls=Command)
@argument("reference", metavar="[ID]", required=False)
@json_option
@click.pass_obj
def command(app: App, reference: str | None, *, as_json: bool) -> int:
    """Find where the code named in records is now: for one record, or for all.

    Each place is found again: in the same lines (exact), in others of the file (mapped), in a
    renamed file (renamed), as a function that was edited (symbol), or by the quoted line alone
    (quote). The others are stale. No record is changed. The exit code is 1 if a place is stale.

    \b
    Example:
      gitmem check anchors
      gitmem check anchors dec-7k3
    """
    with app.memory() as memory:
        anchors_found = memory.history.anchors(reference)
        stale = sum(anchor_found.held is None for anchor_found in anchors_found)
        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.history_json import anchor

            out(
                document("verify", anchors=[anchor(anchor_found) for anchor_found in anchors_found])
            )
        else:
            from gitmem.render.history import anchors

            out(anchors(anchors_found, app.painter_of(memory)))
            if anchors_found:
                valid = len(anchors_found) - stale
                note(f"{counted(len(anchors_found), 'anchor')}, {valid} still valid")
            else:
                which = "no record names" if reference is None else f"{reference} does not name"
                note(f"{which} a place in the code; gitmem add … --anchor PATH:LINES does")
    return 1 if stale else 0
