"""``gitmem stats cost``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import option


@click.command("cost", cls=Command)
@option(
    "--month",
    is_flag=False,
    flag_value="now",
    default="",
    metavar="[YYYY-MM]",
    help="Only this month, or the one you name.",
)
@json_option
@csv_option
@click.pass_obj
def command(app: App, month: str, *, as_json: bool, as_csv: bool) -> None:
    """Show what calls to language models cost: dollars, tokens, each call.

    The ledger is that of this clone, in the local journal. A call whose process died is counted
    with its estimate; so are tokens that a server did not count.

    \b
    Example:
      gitmem stats cost --month
      gitmem stats cost --csv
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        spending = memory.models.spending(month)
        from gitmem.render import spending as render

        if as_csv:
            print_csv(render.table(spending))
        elif as_json:
            from gitmem.render.as_json import document

            out(document("cost", **render.as_data(spending)))
        else:
            out(render.plain(spending, app.painter_of(memory)))
        if spending.warning:
            note(spending.warning)
