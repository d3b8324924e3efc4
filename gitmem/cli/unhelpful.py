"""``gitmem unhelpful``."""

import click

from gitmem.cli.app import App, complete_id, json_option, out


@click.command("unhelpful")
@click.argument("reference", metavar="RECORD", shell_complete=complete_id)
@click.option("--for", "question", metavar="TEXT", default="", help="What it was shown for.")
@json_option
@click.pass_obj
def command(app: App, reference: str, question: str, *, as_json: bool) -> None:
    """Say that a record did not help, so that it is ranked lower next time.

    Without --for, the failure that is live here counts as what it was shown for. The verdict
    stays in the local journal.

    \b
    Example:
      gitmem unhelpful fix-7k3
    """
    with app.memory() as memory:
        verdict = memory.unhelpful(reference, question)
        if as_json:
            from gitmem.render import as_json as render  # noqa: PLC0415  start-up

            out(render.document("unhelpful", record=verdict.record, site=verdict.site))
            return
        known = "for the failure that is live here" if verdict.site and not question else ""
        out(" ".join(filter(None, (verdict.record, "did not help", known))))
