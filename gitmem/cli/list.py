"""``gitmem list``."""

import click

from gitmem.cli.app import App, at_option, json_option, note, out, path_option
from gitmem.cli.base import Command, filter_text
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError

_SORTS = ("author", "created", "kind", "oldest", "status", "title")


@click.command("list", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="FILTER…")
@option("--sort", type=click.Choice(_SORTS), default="created", help="Order (newest first).")
@option("--limit", type=click.IntRange(1), help="How many at most.")
@path_option
@at_option
@option("--all-branches", "everywhere", is_flag=True, help="Search all branches, and name them.")
@json_option
@click.pass_obj
def command(
    app: App,
    filters: tuple[str, ...],
    sort: str,
    limit: int | None,
    *,
    paths: tuple[str, ...],
    revision: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """List records by filters (explained by: gitmem help filters).

    They are kind: tag: path: status: type: author: session: language: issue: since: until:. Quote
    a value with spaces: "path:my notes/a.md", or --path "my notes/a.md".

    \b
    Example:
      gitmem list kind:error status:open
      gitmem list kind:decision path:src/auth --sort title
      gitmem list kind:fix --all-branches
    """
    if everywhere and revision is not None:
        raise UsageError("--at and --all-branches can't be combined", "use one of them")
    with app.reading(revision, everywhere=everywhere) as (reader, branches):
        pages = reader.pages(
            filter_text([*filters, *(f"path:{path}" for path in paths)]),
            sort=sort,
            limit=limit or -1,
        )
        rows = (row for page in pages for row in page)
        if as_json:
            from gitmem.render import as_json as render

            out(render.document("list", records=render.rows(rows, branches)))
            return
        from gitmem.render import lists

        empty = True
        for line in lists.rows(rows, app.painter(reader.site.config.ui_color), branches):
            out(line)
            empty = False
        if empty:
            unread = not filters and reader.problems()
            nothing = (
                "no record can be read; see: gitmem check" if unread else "the memory is empty"
            )
            note("no record matches these filters" if filters or paths else nothing)
