"""``gitmem undo``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import argument


@click.command("undo", cls=Command)
@argument("run", metavar="[RUN]", required=False)
@yes_option
@click.pass_obj
def command(app: App, run: str | None, *, yes: bool) -> int:
    """Take back what the last watched run recorded. You are asked first.

    With a RUN (its id, see gitmem runs) that run is dismissed: nothing is learnt from it. Git
    keeps what was committed.

    \b
    Example:
      gitmem undo
      gitmem undo 3f9a12bc
    """
    with app.memory() as memory:
        if run is not None:
            dismissed = memory.failures.dismiss(run)
            note(f"dismissed run {dismissed.id}: {' '.join(dismissed.command)}")
            return 0
        written = memory.failures.last_records()
        for row in written.rows:
            out(f"{row.id}  {row.title}")
        if not agreed("Delete these records?", "nothing was deleted", yes=yes):
            note("nothing was deleted")
            return 0
        memory.failures.undo(written)
        note(f"deleted {len(written.rows)} records of run {written.run}")
    return 0
