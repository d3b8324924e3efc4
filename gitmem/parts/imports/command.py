"""``gitmem import adr``, ``changelog`` and ``other``."""

import click

from gitmem.cli.app import App
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.cli.import_ import report
from gitmem.parts.imports.import_adr import import_adr
from gitmem.parts.imports.import_changelog import import_changelog
from gitmem.parts.imports.import_other import import_other
from gitmem.parts.imports.others.forms import FORMS


def _forms(_: click.Context, __: click.Parameter, start: str) -> list[str]:
    return [form for form in FORMS if form.startswith(start)]


@click.command("adr", cls=Command)
@argument("folder", metavar="DIR")
@option("--dry-run", is_flag=True, help="Only list what would be imported.")
@click.pass_obj
def adr(app: App, folder: str, *, dry_run: bool) -> None:
    """Read architecture decision records: MADR, adr-tools (Nygard), log4brains.

    Files that are not ADRs are named and skipped.

    \b
    Example:
      gitmem import adr docs/adr
    """
    with app.memory() as memory:
        report(import_adr(memory, folder, dry_run=dry_run), "file", dry_run=dry_run)


@click.command("changelog", cls=Command)
@argument("file", metavar="[FILE]", default="")
@option("--dry-run", is_flag=True, help="Only list what would be imported.")
@click.pass_obj
def changelog(app: App, file: str, *, dry_run: bool) -> None:
    """Read a changelog: what was fixed, changed, deprecated or removed, by version.

    \b
    Example:
      gitmem import changelog
      gitmem import changelog docs/HISTORY.rst
    """
    with app.memory() as memory:
        imported = import_changelog(memory, file, dry_run=dry_run)
        report(imported, "entry", "entries", dry_run=dry_run)


@click.command("other", cls=Command)
@argument("file")
@option(
    "--format",
    "form",
    default="",
    metavar="FORMAT",
    shell_complete=_forms,
    help="fix-history, chroma, coding, knowledge, kaizen, executions, beads or mcp-memory.",
)
@option("--dry-run", is_flag=True, help="Only list what would be imported.")
@click.pass_obj
def other(app: App, file: str, form: str, *, dry_run: bool) -> None:
    """Import another tool's memory: beads, the MCP memory server, fix histories, and more.

    The format is recognised by the file's content. The file is not changed.

    \b
    Example:
      gitmem import other .beads/issues.jsonl --dry-run
      gitmem import other memory.jsonl
    """
    with app.memory() as memory:
        imported = import_other(memory, file, form=form, dry_run=dry_run)
        report(imported, "entry", "entries", dry_run=dry_run)
