"""``gitmem helpful``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("helpful", cls=Command)
@argument("reference", metavar="RECORD")
@option("--not", "unhelpful", is_flag=True, help="It did not help: rank it lower.")
@option("--for", "question", metavar="TEXT", default="", help="The text it was shown for.")
@json_option
@click.pass_obj
def command(app: App, reference: str, *, unhelpful: bool, question: str, as_json: bool) -> None:
    """Say whether a record helped, so that it ranks higher or lower next time.

    Without --for, it counts for the current failure of this work tree. Your answer stays on this
    machine, in the local journal.

    \b
    Example:
      gitmem helpful fix-7k3
      gitmem helpful --not fix-7k3
    """
    with app.memory() as memory:
        judge = memory.failures.unhelpful if unhelpful else memory.failures.helpful
        judgement = judge(reference, question)
        if as_json:
            from gitmem.render import as_json as render

            name = "unhelpful" if unhelpful else "helpful"
            out(render.document(name, record=judgement.record, site=judgement.site))
            return
        says = "did not help" if unhelpful else "helped"
        about = "for the failure that is live here" if judgement.site and not question else ""
        out(" ".join(filter(None, (judgement.record, says, about))))
