"""``gitmem log``."""

import click

from gitmem.cli.app import App, filter_text, json_option, note, out
from gitmem.cli.base import Command, option


@click.command("log", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="[FILTER…]")
@option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many at most.")
@option("--reverse", is_flag=True, help="Oldest first.")
@json_option
@click.pass_obj
def command(
    app: App, filters: tuple[str, ...], limit: int, *, reverse: bool, as_json: bool
) -> None:
    """The timeline of what was learnt, newest first. Takes the filters of list.

    \b
    Example:
      gitmem log since:7d
      gitmem log author:ann kind:decision
    """
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
            note("nothing in this time")
