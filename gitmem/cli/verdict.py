"""What ``gitmem helpful`` and ``gitmem unhelpful`` share: one verdict on one record."""

import click

from gitmem.cli.app import App, complete_id, json_option, out
from gitmem.cli.base import Command, option


def verdict_command(name: str, says: str, rank: str) -> click.Command:
    """Make one of the two commands.

    Args:
        name: of the command, and of the method of ``Memory`` behind it.
        says: what it says of the record.
        rank: where the record is ranked next time.

    """

    @click.argument("reference", metavar="RECORD", shell_complete=complete_id)
    @option("--for", "question", metavar="TEXT", default="", help="What it was shown for.")
    @json_option
    @click.pass_obj
    def run(app: App, reference: str, question: str, *, as_json: bool) -> None:
        with app.memory() as memory:
            note = memory.failures.helpful if name == "helpful" else memory.failures.unhelpful
            verdict = note(reference, question)
            if as_json:
                from gitmem.render import as_json as render

                out(render.document(name, record=verdict.record, site=verdict.site))
                return
            about = "for the failure that is live here" if verdict.site and not question else ""
            out(" ".join(filter(None, (verdict.record, says, about))))

    run.__doc__ = f"""Say that a record {says}, so that it is ranked {rank} next time.

    Without --for, the failure that is live here counts as what it was shown for. The verdict
    stays in the local journal.

    \b
    Example:
      gitmem {name} fix-7k3
    """
    return click.command(name, cls=Command)(run)
