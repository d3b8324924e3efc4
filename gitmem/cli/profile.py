"""``gitmem profile``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, option


@click.command("profile", cls=Command)
@option("--most", type=click.IntRange(1), default=3_000, show_default=True,
        help="Read so many source files at most.")  # fmt: skip
@option("--seconds", type=click.FloatRange(0, min_open=True), default=60, show_default=True,
        help="Stop reading then, and say so.")  # fmt: skip
@json_option
@click.pass_obj
def command(app: App, most: int, seconds: float, *, as_json: bool) -> None:
    """How the code is written: languages, names, layout, tests, formatting, libraries.

    Everything is counted in the files that git tracks, and the counts are shown. Of fewer than
    10 cases nothing is concluded.

    \b
    Example:
      gitmem profile
      gitmem profile --json
    """
    with app.memory() as memory:
        found = memory.profile(most=most, seconds=seconds)
        from gitmem.render import profile as render  # noqa: PLC0415  start-up

        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up

            out(document("profile", **render.as_data(found)))
            return
        out(render.plain(found, app.painter(memory.site.config.ui_color)))
        for text in found.notes:
            note(text)
