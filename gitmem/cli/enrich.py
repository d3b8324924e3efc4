"""``gitmem index enrich``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, filter_text
from gitmem.cli.forms import argument, option
from gitmem.cli.model_approval import approval, yes_option
from gitmem.plurals import counted


@click.command("enrich", cls=Command, context_settings={"ignore_unknown_options": True})
@argument("filters", nargs=-1, type=click.UNPROCESSED, metavar="FILTER…")
@option(
    "--limit",
    type=click.IntRange(1, 50),
    default=20,
    show_default=True,
    help="How many records at most.",
)
@yes_option
@json_option
@click.pass_obj
def command(app: App, filters: tuple[str, ...], *, limit: int, yes: bool, as_json: bool) -> None:
    """Let your language model add the questions that a record answers, where there are none.

    The newest records without asked_as are sent to the model that you set (llm.model), without
    secrets and after you approved it. What it writes goes into their files: look at it with git
    diff before you commit. A file with your comments is left alone.

    \b
    Example:
      gitmem index enrich
      gitmem index enrich kind:decision --limit 5
    """
    with app.memory() as memory:
        enriched = memory.models.enrich(
            filter_text(filters), limit=limit, approve=approval(memory, yes=yes)
        )
        if as_json:
            from gitmem.render.as_json import document

            records = [{"id": record.id, "asked_as": list(record.asked_as)} for record in enriched]
            out(document("enrich", records=records))
            return
        from gitmem.render.text import one_line

        for record in enriched:
            out(f"{record.id}  {one_line(record.title)}")
            out(f"  {one_line(line)}" for line in record.asked_as)
        note(f"{counted(len(enriched), 'record')} changed: see git diff")
