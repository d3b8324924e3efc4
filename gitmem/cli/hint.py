"""``gitmem hint``."""

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command


@click.command("hint", cls=Command)
@click.argument("words", nargs=-1, metavar="[ERROR TEXT]")
@json_option
@click.pass_obj
def command(app: App, words: tuple[str, ...], *, as_json: bool) -> None:
    """Tell what is known about an error text: an argument, or standard input.

    \b
    Example:
      make 2>&1 | gitmem hint
      gitmem hint "TypeError: can't compare offset-naive and offset-aware datetimes"
    """
    text = " ".join(words) or standard_input("an error text").decode(errors="replace")
    with app.memory() as memory:
        found = memory.hint(text)
        if as_json:
            from gitmem.render import as_json as render  # noqa: PLC0415  start-up

            out(render.document("hint", failures=[render.recognised(one) for one in found]))
            return
        from gitmem.render.observed import recognised  # noqa: PLC0415  start-up

        out(recognised(found, app.painter(memory.site.config.ui_color)))
        if not found:
            note("no failure in this text")
        elif not any(one.label for one in found):
            similar = any(one.similar for one in found)
            note("not seen before" + ("; these look like it" if similar else ""))
