"""``gitmem review``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, option


@click.command("review", cls=Command)
@click.argument("span", metavar="[RANGE]", default="")
@option("--markdown", is_flag=True, help="Markdown, for a comment on a pull request.")
@json_option
@click.pass_obj
def command(app: App, span: str, *, markdown: bool, as_json: bool) -> None:
    """What a change teaches, and what is known about the files that it changes.

    RANGE is A..B, A...B or A (up to what is checked out); by default all that this branch
    adds to the main one. Only commits count, and nothing is checked out.

    \b
    Example:
      gitmem review
      gitmem review v1.2..HEAD
      gitmem review origin/main... --markdown
    """
    with app.memory() as memory:
        found = memory.review(span)
        if as_json:
            from gitmem.render.as_json import document, review  # noqa: PLC0415  start-up

            out(document("review", **review(found)))
            return
        from gitmem.render import review as render  # noqa: PLC0415  start-up

        if markdown:
            out(render.markdown(found).rstrip("\n"))
            return
        config = memory.site.config
        out(render.plain(found, app.painter(config.ui_color), config.folder))
        note(render.counted(found))
