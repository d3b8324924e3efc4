"""``gitmem diff``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument


@click.command("diff", cls=Command)
@argument("before", metavar="[REV1]", default="")
@argument("after", metavar="[REV2]", required=False)
@json_option
@click.pass_obj
def command(app: App, before: str, after: str | None, *, as_json: bool) -> None:
    """Show what was learnt between two revisions: records added, removed and changed.

    Without REV2: up to the files as they are now. Without REV1: from where this branch left its
    upstream, or the default branch if it has none. Nothing is checked out.

    \b
    Example:
      gitmem diff
      gitmem diff v1.2 v1.3
      gitmem diff HEAD~20
    """
    with app.memory() as memory:
        changes = memory.history.diff(before, after)
        if as_json:
            from gitmem.render.as_json import differences, document

            out(document("diff", **differences(changes)))
            return
        from gitmem.render.review import plain_differences

        out(plain_differences(changes, app.painter_of(memory)))
        if not any((changes.added, changes.removed, changes.edited, changes.turned)):
            note("nothing was learnt between these two revisions")
