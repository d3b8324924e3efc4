"""``gitmem list``."""

import click

from gitmem.cli.app import App, filter_text, json_option, note, out
from gitmem.cli.base import Command, option

_SORTS = ("author", "created", "kind", "oldest", "status", "title")


@click.command("list", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="FILTER…")
@option("--sort", type=click.Choice(_SORTS), default="created", help="Order (newest first).")
@option("--limit", type=click.IntRange(1), help="How many at most.")
@json_option
@click.pass_obj
def command(
    app: App, filters: tuple[str, ...], sort: str, limit: int | None, *, as_json: bool
) -> None:
    """List records by filters: kind: tag: path: status: type: author: session: since: until:.

    \b
    Example:
      gitmem list kind:error status:open
      gitmem list kind:decision path:src/auth --sort title
    """
    with app.memory() as memory:
        found = memory.list(filter_text(filters), sort=sort, limit=limit or -1)
        if as_json:
            from gitmem.render import as_json as render  # noqa: PLC0415  start-up

            out(render.document("list", records=render.rows(found)))
            return
        from gitmem.render.lists import rows  # noqa: PLC0415  start-up

        out(rows(found, app.painter(memory.site.config.ui_color)))
        if not found:
            note("nothing meets these filters" if filters else "the memory is empty")
