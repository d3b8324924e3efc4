"""``gitmem merge-driver``."""

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("merge-driver", cls=Command)
@argument("base", metavar="BASE")
@argument("ours", metavar="OURS")
@argument("theirs", metavar="THEIRS")
@argument("path", metavar="PATH", default="")
@option("--marker", type=click.IntRange(7, 200), default=7, help="How long markers are.")
@click.pass_obj
def command(_app: App, base: str, ours: str, theirs: str, path: str, *, marker: int) -> int:
    """Merge a record field by field; git calls it when both sides edited one.

    The result is written into OURS. Exits with 1 where both sides set a field to different
    values: both are in the file, between conflict markers. gitmem init and gitmem hooks
    install register it in a clone.

    \b
    Example:
      gitmem merge-driver base.yaml ours.yaml theirs.yaml .memory/x.yaml
    """
    from gitmem.memory import merge_files

    done = merge_files(base, ours, theirs, marker=marker)
    name = path or ours
    if done.clashes:
        note(f"{name}: both sides changed {', '.join(done.clashes)}; keep one, see: gitmem check")
    elif done.forgotten:
        note(f"{name}: {done.forgotten} was deleted on one side and edited on the other: deleted")
    elif done.conflict:
        note(f"{name}: merged by lines, with conflicts; see: gitmem check")
    return int(done.conflict)
