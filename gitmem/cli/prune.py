"""``gitmem archive prune``."""

from functools import partial

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import argument, option
from gitmem.plurals import counted


@click.command("prune", cls=Command)
@argument("references", nargs=-1, metavar="[ID…]")
@option(
    "--older-than",
    type=click.IntRange(1, 100_000),
    metavar="DAYS",
    help="Use this age for failures, and one as much longer as the settings say for successes.",
)
@option("--dry-run", is_flag=True, help="Only list what is due.")
@yes_option
@option("--all", "whole", is_flag=True, help="List all that is due, not only the oldest.")
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
    as_json: bool,
) -> None:
    """Delete old records by the policy of the settings; git keeps them.

    You see them, and are asked, before anything is deleted.

    An error and its fixes are deleted together or not at all, failures before successes. What
    others build on, what helped, the last success of a type of error, decisions in force, patterns
    and notes stay, and what is not committed.
    To keep old records searchable, see: gitmem archive.

    \b
    Example:
      gitmem archive prune --dry-run
      gitmem archive prune --older-than 730 --yes
    """
    from gitmem.render import retention as render

    with app.memory() as memory:
        prune = partial(memory.transfer.prune, older_than=older_than or 0, only=references)
        retained = prune(apply=False)
        if not as_json:
            out(render.retained(retained, app.painter_of(memory), whole=whole))
        due = retained.plan.due and not dry_run
        if due and agreed("Delete these files?", "not deleted", yes=yes):
            retained = prune(apply=True)
        if as_json:
            from gitmem.render.as_json import document

            out(document("prune", **render.retained_json(retained)))
            return
        number = counted(len(retained.plan.due), "record")
        if retained.done and retained.plan.due:
            note(f"{number} deleted; all of it is in commit {retained.commit[:10]}")
            note(f"to see one again: gitmem show ID --at {retained.commit[:10]}")
        elif retained.plan.due:
            note(f"{number} due; nothing was deleted")
        else:
            note("nothing is due")
