"""``gitmem merge-driver``."""

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command, option


@click.command("merge-driver", cls=Command)
@click.argument("base", metavar="BASE")
@click.argument("ours", metavar="OURS")
@click.argument("theirs", metavar="THEIRS")
@click.argument("path", metavar="PATH", default="")
@option("--marker", type=click.IntRange(7, 200), default=7, help="How long markers are.")
@click.pass_obj
def command(_app: App, base: str, ours: str, theirs: str, path: str, *, marker: int) -> int:
    """What git calls where a record was edited on both sides: merge it field by field.

    The result is written into OURS. Exits with 1 where both sides set a field to different
    values: both stand in the file, between conflict markers. Registered in a clone by gitmem
    init and gitmem hooks install.

    \b
    Example:
      gitmem merge-driver base.yaml ours.yaml theirs.yaml .memory/x.yaml
    """
    from gitmem.memory import merge_files

    done = merge_files(base, ours, theirs, marker=marker)
    name = path or ours
    if done.clashes:
        note(f"{name}: both sides changed {', '.join(done.clashes)}; keep one, see: gitmem check")
    elif done.conflict:
        note(f"{name}: merged by lines, with conflicts; see: gitmem check")
    return int(done.conflict)
