"""``gitmem prune``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command, option
from gitmem.plurals import counted


@click.command("prune", cls=Command)
@click.argument("references", nargs=-1, metavar="[ID…]")
@option("--older-than", type=click.IntRange(1, 100_000), metavar="DAYS",
        help="This age for all, in the place of the settings' ages.")  # fmt: skip
@option("--apply", is_flag=True, help="Delete the files. Without it, only tell.")
@option("--all", "whole", is_flag=True, help="List all that is due, not only the oldest.")
@json_option
@click.pass_obj
def command(
    app: App, references: tuple[str, ...], older_than: int | None, *, apply: bool, whole: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Delete old records by the policy of the settings; git keeps them.

    Whole stories go or stay: an error with its fixes. What others build on, what helped, what
    came back, decisions in force, patterns and notes stay. What is not committed stays, too.
    To keep old records within reach, see: gitmem archive.

    \b
    Example:
      gitmem prune
      gitmem prune --older-than 730 --apply
    """
    from gitmem.render import retention as render  # noqa: PLC0415  start-up

    with app.memory() as memory:
        found = memory.prune(older_than=older_than or 0, only=references, apply=apply)
        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up

            out(document("prune", **render.retained_json(found)))
            return
        out(render.retained(found, app.painter(memory.site.config.ui_color), whole=whole))
        number = counted(len(found.plan.due), "record")
        if found.done and found.plan.due:
            note(f"{number} deleted; all of it is in commit {found.commit[:10]}")
            note(f"to read one again: gitmem show ID --at {found.commit[:10]}")
        elif found.plan.due:
            note(f"{number} due; nothing was deleted: --apply does it")
        else:
            note("nothing is due")
