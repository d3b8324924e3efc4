"""``gitmem log``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, filter_text
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError


@click.command("log", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="[FILTER…]")
@option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many at most.")
@option("--reverse", is_flag=True, help="Oldest first.")
@option("--follow", is_flag=True, help="Keep running, and print changes as they happen.")
@json_option
@click.pass_obj
def command(
    app: App, filters: tuple[str, ...], limit: int, *, reverse: bool, follow: bool, as_json: bool
) -> None:
    """Show the timeline of records, newest first. Takes the filters of list.

    With --follow it prints a line for each record that is added, changed or removed, and one when
    another commit is checked out, until Ctrl-C or until its output is closed. With --json, each
    line is a JSON object.

    \b
    Example:
      gitmem log since:7d
      gitmem log author:ann kind:decision
      gitmem log --follow --json | jq .title
    """
    if follow:
        from gitmem.cli.following import follow_changes

        if filters:
            raise UsageError("--follow takes no filters", "leave them out")
        follow_changes(app, as_json=as_json)
        return
    with app.memory() as memory:
        rows = memory.list(
            filter_text(filters), sort="oldest" if reverse else "created", limit=limit
        )
        if as_json:
            from gitmem.render import as_json as render

            out(render.document("log", records=render.rows(rows)))
            return
        from gitmem.render.lists import timeline

        out(timeline(rows, app.painter_of(memory)))
        if not rows:
            note("no record matches these filters" if filters else "the memory is empty")
