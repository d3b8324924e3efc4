"""``gitmem code suggest``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("suggest", cls=Command)
@argument("task", nargs=-1, required=True)
@option("--language", default="", metavar="NAME", help="Only patterns in this language.")
@option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="How many at most."
)
@json_option
@click.pass_obj
def command(app: App, task: tuple[str, ...], language: str, limit: int, *, as_json: bool) -> None:
    """Suggest recorded patterns of code for a task, best first.

    \b
    Example:
      gitmem code suggest retry a request that times out
      gitmem code suggest "read a large file" --language python
    """
    with app.memory() as memory:
        suggestions = memory.advice.suggest(" ".join(task), language, limit)
        from gitmem.render import code_patterns as render

        if as_json:
            from gitmem.render.as_json import document

            out(document("suggest", suggestions=render.suggestions_as_data(suggestions)))
            return
        out(render.suggestions(suggestions, app.painter_of(memory)))
        if not suggestions:
            note("no recorded pattern fits; find some in your code: gitmem code extract")
