"""``gitmem archive``."""

from functools import partial

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandFamily
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import argument, option
from gitmem.plurals import counted


@click.command("archive", cls=CommandFamily, members=("prune", "unarchive"))
@argument("references", nargs=-1, metavar="[ID…]")
@option(
    "--older-than",
    type=click.IntRange(1, 100_000),
    metavar="DAYS",
    help="Use this age for everything instead of the ages in the settings.",
)
@option("--dry-run", is_flag=True, help="Only list what is due.")
@yes_option
@option("--all", "whole", is_flag=True, help="List all that is due, not only the oldest.")
@option("--list", "listing", is_flag=True, help="List what is already archived.")
@json_option
@click.pass_obj
def command(
    app: App,
    references: tuple[str, ...],
    older_than: int | None,
    *,
    dry_run: bool,
    yes: bool,
    whole: bool,
    listing: bool,
    as_json: bool,
) -> None:
    """Move old records into compressed archives, which stay searchable.

    The archives are files to be committed. All that is old is due, but for open errors and
    decisions in force; you see it, and are asked, before it is moved.

    \b
    Example:
      gitmem archive --dry-run
      gitmem archive --yes
      gitmem archive --list
    """
    from gitmem.render import retention as render

    with app.memory() as memory:
        painter = app.painter_of(memory)
        if listing:
            from gitmem.render import as_json as data
            from gitmem.render import lists

            rows = memory.transfer.archived(" ".join(references))
            if as_json:
                out(data.document("archive", records=data.rows(rows)))
                return
            out(lists.rows(rows, painter))
            return
        archive = partial(memory.transfer.archive, older_than=older_than or 0, only=references)
        retained = archive(apply=False)
        if not as_json:
            out(render.retained(retained, painter, whole=whole))
        due = retained.plan.due and not dry_run
        if due and agreed("Move these files into archives?", "not archived", yes=yes):
            retained = archive(apply=True)
        if as_json:
            from gitmem.render.as_json import document

            out(document("archive", **render.retained_json(retained)))
            return
        number = counted(len(retained.plan.due), "record")
        folder = memory.workspace.site.config.folder
        if retained.done and retained.plan.due:
            files = counted(len(retained.archives), "file")
            note(f"{number} archived in {files} of {folder}/archive: commit the folder {folder}")
        elif retained.plan.due:
            note(f"{number} due; nothing was archived")
        else:
            note("nothing is due")
