"""``gitmem stats trends``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import option


@click.command("trends", cls=Command)
@option(
    "--by",
    type=click.Choice(["category", "type", "subject"]),
    default="category",
    show_default=True,
    help="What to group by.",
)
@json_option
@csv_option
@click.pass_obj
def command(app: App, by: str, *, as_json: bool, as_csv: bool) -> None:
    """Show what is getting better and what is getting worse: fix attempts and sessions.

    It compares the two halves of the newest twenty outcomes; below ten there is too little
    data. A direction that may be chance is marked as not sure.

    \b
    Example:
      gitmem stats trends
      gitmem stats trends --by subject
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        developments = memory.statistics.trends(by=by)
        if as_csv:
            from gitmem.render.statistics_json import trends_table

            print_csv(trends_table(developments))
            return
        together = memory.statistics.performance()
        if as_json:
            from gitmem.render import statistics_json as render
            from gitmem.render.as_json import document

            trends = [render.trend(trend) for trend in developments]
            out(document("trends", trends=trends, sessions=render.performance(together)))
            return
        if not developments:
            note("no attempts and no sessions yet")
            return
        from gitmem.render import statistics

        painter = app.painter_of(memory)
        out(statistics.trends(developments, by, painter))
        out(statistics.performance(together, painter))
