"""``gitmem forget``."""

import click

from gitmem.cli.app import App, id_argument, note, out
from gitmem.cli.base import Command
from gitmem.cli.confirming import agreed, yes_option


@click.command("forget", cls=Command)
@id_argument()
@yes_option
@click.pass_obj
def command(app: App, reference: str, *, yes: bool) -> int:
    """Delete a record's file, after showing it. Git keeps what was committed.

    A decision that no longer holds is better superseded, an error resolved.

    \b
    Example:
      gitmem forget note-4p
    """
    from gitmem.render.record import record

    with app.memory() as memory:
        shown = memory.show(reference)
        out(record(shown, app.painter(memory.site.config.ui_color), memory.site.config.folder))
        if shown.backlinks:
            several = len(shown.backlinks) > 1
            note(
                f"{len(shown.backlinks)} records link to it; their links will dangle"
                if several
                else "1 record links to it; its link will dangle"
            )
        if not agreed("Delete this file?", "not deleted", yes=yes):
            note("nothing was deleted")
            return 0
        row = memory.forget(shown.row.id)
        note(f"deleted {memory.site.config.folder}/{row.path}")
    return 0
