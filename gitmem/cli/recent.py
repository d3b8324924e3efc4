"""``gitmem stats recent``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument
from gitmem.plurals import counted


@click.command("recent", cls=Command)
@argument("days", type=click.IntRange(1), default=7)
@json_option
@csv_option
@click.pass_obj
def command(app: App, days: int, *, as_json: bool, as_csv: bool) -> None:
    """List the fix attempts of the last days (7), and what came of them.

    \b
    Example:
      gitmem stats recent
      gitmem stats recent 30
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        rows = memory.statistics.recent(days)
        if as_csv:
            from gitmem.render.statistics_json import rows_table

            print_csv(rows_table(rows))
            return
        if as_json:
            from gitmem.render import as_json as render

            out(render.document("recent", days=days, attempts=render.rows(rows)))
            return
        from gitmem.render.statistics import recent

        now = memory.workspace.clock().date()
        out(recent(rows, days, now, app.painter_of(memory)))
        worked = sum(row.helped for row in rows)
        since = f"in the last {counted(days, 'day')}"
        note(
            f"{counted(len(rows), 'attempt')} {since}, {worked} worked"
            if rows
            else f"no fix was tried {since}"
        )
