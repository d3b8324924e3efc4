"""``gitmem stats query``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument, option


@click.command("query", cls=Command)
@argument("sql", required=False, metavar='"SELECT …"')
@option("--limit", type=click.IntRange(1), default=1000, show_default=True, help="Rows at most.")
@json_option
@csv_option
@click.pass_obj
def command(app: App, sql: str | None, limit: int, *, as_json: bool, as_csv: bool) -> None:
    """Query the records in SQL: one SELECT over documented views; nothing can be changed.

    Without a question it lists the views and their columns; docs/query.md explains them.

    \b
    Example:
      gitmem stats query
      gitmem stats query "SELECT fixer, avg(success) FROM attempts GROUP BY fixer"
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        answer = (
            memory.statistics.query(sql, limit=limit)
            if sql is not None
            else memory.statistics.tables()
        )
        if as_csv:
            print_csv((answer.columns, answer.rows))
        elif as_json:
            from gitmem.render.as_json import document
            from gitmem.render.statistics_json import cells

            rows = [cells(row) for row in answer.rows]
            out(document("query", columns=answer.columns, rows=rows, more=answer.more))
        else:
            from gitmem.render import figures

            painter = app.painter_of(memory)
            if sql is None and painter.width:
                out(figures.views(answer.rows, painter))
                return
            out(figures.answer(answer.columns, answer.rows, painter))
            if not figures.has_room(answer.columns, answer.rows, painter):
                note("not all of it fits this terminal; --csv and --json show everything")
            if answer.more:
                note(f"there are more than {limit} rows; see --limit")
            elif not answer.rows:
                note("no row")
