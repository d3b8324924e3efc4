"""``gitmem stats``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandFamily, filter_text
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument, option


@click.command(
    "stats",
    cls=CommandFamily,
    members=(
        "recent",
        "successful",
        "recurring",
        "subject",
        "trends",
        "fixers",
        "analyse",
        "query",
        "cost",
        "report",
    ),
    context_settings={"ignore_unknown_options": True},
)
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="[FILTER…]")
@option(
    "--by", default="", metavar="WHAT", help="Group by type, subject, file, tag, month, fixer …"
)
@option("--since", metavar="WHEN", help="Only since then: 30d, 2026-01, 2026-01-31.")
@option("--until", metavar="WHEN", help="Only until then.")
@option("--limit", type=click.IntRange(1), help="How many groups at most.")
@json_option
@csv_option
@click.pass_obj
def command(
    app: App,
    filters: tuple[str, ...],
    by: str,
    since: str | None,
    until: str | None,
    limit: int | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Count errors and fixes: what worked, how long, what came back.

    Takes the filters of list. WHAT is type, category, subject, tag, file, language, via, fixer,
    model, day, week, month, weekday or hour, or two of them with a comma.

    \b
    Example:
      gitmem stats
      gitmem stats --by subject
      gitmem stats --by category,month since:90d
      gitmem stats path:src/auth tag:security
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        figures = memory.statistics.stats(
            by=by, filters=filter_text(filters), since=since, until=until
        )
        left = len(figures.groups) - limit if limit else 0
        figures = figures._replace(groups=figures.groups[:limit])
        if as_json or as_csv:
            from gitmem.render import statistics_json as render

            if as_csv:
                from gitmem.learning.figures import FigureGroup

                groups = figures.groups if figures.by else (FigureGroup((), figures.total),)
                print_csv(render.figures_table(groups, figures.by))
                return
            from gitmem.render.as_json import document

            out(document("stats", **render.stats(figures)))
            return
        from gitmem.render.figures import stats

        out(stats(figures, app.painter_of(memory)))
        if left > 0:
            note(f"{left} more groups")
