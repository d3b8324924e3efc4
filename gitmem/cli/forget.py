"""``gitmem forget``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import argument, option
from gitmem.errors import NotFoundError, UsageError


@click.command("forget", cls=Command)
@argument("references", metavar="ID...", nargs=-1)
@option("--where", "query", metavar="QUERY", help="All records that a query finds, as for list.")
@yes_option
@click.pass_obj
def command(app: App, references: tuple[str, ...], query: str | None, *, yes: bool) -> int:
    """Delete records. They are shown, and you are asked, first; git keeps what was committed.

    If a decision no longer holds, supersede it; if an error is fixed, resolve it.

    \b
    Example:
      gitmem forget note-4p
      gitmem forget --where "kind:error tag:noise"
    """
    from gitmem.render.record import record

    if not references and not query:
        raise UsageError("which record?", "name ids, or a query: --where")
    with app.memory() as memory:
        ids = dict.fromkeys(memory.show(reference).row.id for reference in references)
        if query:
            ids |= dict.fromkeys(row.id for row in memory.list(query))
        if not ids:
            raise NotFoundError(f"no record matches {query}")
        painter = app.painter_of(memory)
        dangling: set[str] = set()
        rows = []
        for record_id in ids:
            shown = memory.show(record_id)
            rows.append(shown.row)
            dangling |= {row.id for _, row in shown.backlinks} - ids.keys()
            if len(ids) > 1:
                out(f"{shown.row.id}  {shown.row.title}")
            else:
                out(record(shown, painter, memory.workspace.site.config.folder))
        if dangling:
            note(
                f"{len(dangling)} records link to it; their links will dangle"
                if len(dangling) > 1
                else "1 record links to it; its link will dangle"
            )
        question = "Delete this file?" if len(ids) == 1 else f"Delete these {len(ids)} files?"
        if not agreed(question, "not deleted", yes=yes):
            note("nothing was deleted")
            return 0
        # Sessions before fixes before errors: killed in between, it leaves no link to nowhere.
        for row in sorted(rows, key=lambda row: row.path, reverse=True):
            memory.forget(row.id)
            note(f"deleted {memory.workspace.site.config.folder}/{row.path}")
    return 0
