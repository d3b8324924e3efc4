"""``gitmem context``."""

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command, option
from gitmem.learning.context import DEFAULT_BUDGET, LEAST_BUDGET


@click.command("context", cls=Command)
@option("--focus", metavar="TEXT|PATH", default="", help='What it shall be about; "-" reads it.')
@option(
    "--budget",
    type=click.IntRange(LEAST_BUDGET),
    default=DEFAULT_BUDGET,
    metavar="TOKENS",
    help=f"How many tokens it may take ({DEFAULT_BUDGET} unless given).",
)
@option("--conventions", is_flag=True, help="Also tell how the code is written (gitmem profile).")
@json_option
@click.pass_obj
def command(app: App, focus: str, budget: int, *, conventions: bool, as_json: bool) -> None:
    """What is to be known before the next attempt, within a budget of tokens.

    As Markdown: what fails, what was tried, what worked and what to avoid, the code, decisions
    in force, and the project. Without a focus it is about the newest run (gitmem run). Records
    are whole or left out, best first; what is left out is counted. All is quoted, as data.

    \b
    Example:
      gitmem context
      gitmem context --focus src/auth.py:42 --budget 2000 --conventions
      gitmem context --focus "TypeError: can't compare offset-naive datetimes"
    """
    if focus == "-":
        focus = standard_input("an error text").decode(errors="replace")
    with app.memory() as memory:
        found = memory.context(focus, budget=budget, conventions=conventions)
        from gitmem.render import context as render  # noqa: PLC0415  start-up

        done = render.fitted(found)
        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up

            out(document("context", **render.as_data(found, done)))
            return
        out(done.markdown.rstrip("\n"))
        for one in found.notes:
            note(one)
