"""``gitmem stats fixers``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both


@click.command("fixers", cls=Command)
@json_option
@csv_option
@click.pass_obj
def command(app: App, *, as_json: bool, as_csv: bool) -> None:
    """Compare assistants and tools by their fix attempts; people share one row, unranked.

    \b
    Example:
      gitmem stats fixers
      gitmem stats fixers --csv
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        figures = memory.statistics.fixers()
        if as_json or as_csv:
            from gitmem.render import statistics_json as render

            if as_csv:
                print_csv(render.figures_table(figures, ("fixer",)))
                return
            from gitmem.render.as_json import document

            out(document("fixers", fixers=render.groups(figures)))
            return
        if not figures:
            note("no fix has been tried yet")
            return
        from gitmem.render.figures import fixers

        out(fixers(figures, app.painter_of(memory)))
