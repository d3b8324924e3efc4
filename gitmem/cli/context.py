"""``gitmem context``."""

from typing import TYPE_CHECKING

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command
from gitmem.cli.forms import option
from gitmem.cli.model_approval import approval, by_the_model, yes_option
from gitmem.learning.context import DEFAULT_BUDGET, LEAST_BUDGET

if TYPE_CHECKING:
    from gitmem.learning.context import Context
    from gitmem.llm.modelled import Modelled


@click.command("context", cls=Command)
@option(
    "--focus",
    metavar="TEXT|PATH",
    default="",
    help='What it should be about; "-" reads standard input.',
)
@option(
    "--budget",
    type=click.IntRange(LEAST_BUDGET),
    default=DEFAULT_BUDGET,
    metavar="TOKENS",
    help=f"How many tokens it may take ({DEFAULT_BUDGET} unless given).",
)
@option(
    "--conventions",
    is_flag=True,
    help="Also describe how the code is written (gitmem code profile).",
)
@option(
    "--model",
    "by_model",
    is_flag=True,
    help="Have long records shortened by your language model, so that more fit.",
)
@yes_option
@json_option
@click.pass_obj
def command(
    app: App,
    focus: str,
    budget: int,
    *,
    conventions: bool,
    by_model: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Print what to know before the next attempt, within a token budget.

    As Markdown: what fails, what was tried, what worked and what to avoid, the code, decisions in
    force, and the project. Without a focus it is about the newest run (gitmem run). Records are
    whole or left out, best first; what is left out is counted. Everything is quoted, as data.

    With --model, what does not fit is sent to the model that you set (llm.model), which
    shortens it. That is marked; ids, titles and outcomes stay, and no id is left out.

    \b
    Example:
      gitmem context
      gitmem context --focus src/auth.py:42 --budget 2000 --conventions
      gitmem context --focus "TypeError: can't compare offset-naive datetimes"
    """
    if focus == "-":
        focus = standard_input("an error text").decode(errors="replace")
    with app.memory() as memory:
        answer_context = memory.advice.context(focus, budget=budget, conventions=conventions)
        from gitmem.render import context as render

        done = render.fitted(answer_context)
        if by_model and not done.left_out:
            note("everything fits into the budget: the model was not asked")
        elif by_model:
            shortened = by_the_model(
                memory, lambda: memory.models.compress(answer_context, approval(memory, yes=yes))
            )
            if shortened:
                _shorter(shortened, as_json=as_json)
                return
        if as_json:
            from gitmem.render.as_json import document

            out(document("context", **render.as_data(answer_context, done)))
            return
        out(done.markdown.rstrip("\n"))
        for remark in answer_context.notes:
            note(remark)


def _shorter(shortened: "tuple[Context, Modelled]", *, as_json: bool) -> None:
    """Print a context that a model shortened, and what is to be known about that."""
    from gitmem.render import compressed

    done = compressed.fitted(*shortened)
    if as_json:
        from gitmem.render.as_json import document

        out(document("context", **compressed.as_data(*shortened, done)))
        return
    out(done.markdown.rstrip("\n"))
    for remark in (*shortened[0].notes, *shortened[1].notes, *done.notes):
        note(remark)
