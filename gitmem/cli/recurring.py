"""``gitmem stats recurring``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, filter_text
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument, option


@click.command("recurring", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="[FILTER…]")
@option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many at most.")
@json_option
@csv_option
@click.pass_obj
def command(app: App, filters: tuple[str, ...], limit: int, *, as_json: bool, as_csv: bool) -> None:
    """List the failures that were recorded again and again, with the best fix.

    A time (hour, weekday, after dependencies changed, after a tag) is shown only where it is
    more than chance.

    \b
    Example:
      gitmem stats recurring
      gitmem stats recurring path:src/payment --limit 5
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        failures = memory.statistics.recurring(limit, filter_text(filters))
        if as_json or as_csv:
            from gitmem.render import statistics_json as render

            if as_csv:
                print_csv(render.recurring_table(failures))
                return
            from gitmem.render.as_json import document

            out(document("patterns", failures=[render.recurring(failure) for failure in failures]))
            return
        if not failures:
            note("no failure was recorded twice")
            return
        from gitmem.render.statistics import recurring

        out(recurring(failures, app.painter_of(memory)))
