"""``gitmem stats successful``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, filter_text
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument, option


@click.command("successful", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="[FILTER…]")
@option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many at most.")
@json_option
@csv_option
@click.pass_obj
def command(app: App, filters: tuple[str, ...], limit: int, *, as_json: bool, as_csv: bool) -> None:
    """List the fixes that worked, by type of error, the most reliable first.

    Reliable is what worked often, not what worked once: the lower end of the 95 % interval counts.

    \b
    Example:
      gitmem stats successful
      gitmem stats successful type:TimeoutError
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        ranked = memory.statistics.successful(limit, filter_text(filters))
        if as_json or as_csv:
            from gitmem.render import statistics_json as render

            if as_csv:
                print_csv(render.strategies_table(ranked))
                return
            from gitmem.render.as_json import document

            out(
                document(
                    "successful", strategies=[render.strategy(strategy) for strategy in ranked]
                )
            )
            return
        if not ranked:
            note("no fix is known to have worked yet")
            return
        from gitmem.render.statistics import strategies

        out(strategies(ranked, app.painter_of(memory)))
