"""``gitmem subject``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both


@click.command("subject", cls=Command)
@click.argument("name")
@json_option
@csv_option
@click.pass_obj
def command(app: App, name: str, *, as_json: bool, as_csv: bool) -> None:
    """What is known about a module, service, dependency or model.

    Common errors, ways that worked, the newest attempts, and notes that bear it as a tag.

    \b
    Example:
      gitmem subject payment
      gitmem subject qwen2.5:7b --json
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        found = memory.subject(name)
        if as_json or as_csv:
            from gitmem.render import learnt_json as render  # noqa: PLC0415  start-up

            if as_csv:
                print_csv(render.figures_table(found.types, ("type",)))
                return
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up

            out(document("subject", **render.subject(found)))
            return
        from gitmem.render.learnt import subject  # noqa: PLC0415  start-up

        out(subject(found, app.painter(memory.site.config.ui_color)))
