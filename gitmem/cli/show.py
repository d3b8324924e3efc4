"""``gitmem show``."""

import sys

import click

from gitmem.cli.app import App, at_option, id_argument, json_option, out
from gitmem.cli.base import Command, option


@click.command("show", cls=Command)
@id_argument()
@option("--yaml", "as_yaml", is_flag=True, help="The file as it is.")
@at_option
@json_option
@click.pass_obj
def command(
    app: App, reference: str, *, as_yaml: bool, revision: str | None, as_json: bool
) -> None:
    """Show one record and what others say about it. Any unique prefix of an id will do.

    \b
    Example:
      gitmem show err-7k3
    """
    with app.reading(revision) as (memory, _):
        shown = memory.show(reference)
        if as_yaml:
            sys.stdout.flush()
            sys.stdout.buffer.write(shown.text)
        elif as_json:
            from gitmem.render import as_json as render  # noqa: PLC0415  start-up

            out(render.document("show", **render.shown(shown)))
        else:
            from gitmem.render.record import record  # noqa: PLC0415  start-up

            out(record(shown, app.painter(memory.site.config.ui_color), memory.site.config.folder))
