"""``gitmem init``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import option


@click.command("init", cls=Command)
@option("--here", is_flag=True, help="Set it up in this folder, not at the repository's root.")
@option("--dry-run", is_flag=True, help="Only show what would be created.")
@option(
    "--no-gitattributes", is_flag=True, help="Don't write .memory/.gitattributes (line endings)."
)
@click.pass_obj
def command(app: App, *, here: bool, dry_run: bool, no_gitattributes: bool) -> None:
    """Set up gitmem in this repository.

    It adds a folder .memory, to be committed with the code. Run it again in a clone, and git
    merges records there field by field; existing files stay as they are.

    \b
    Example:
      gitmem init
    """
    from gitmem.memory import Memory

    result = Memory.init(app.start, here=here, dry_run=dry_run, attributes=not no_gitattributes)
    if not result.created:
        done = (
            "this clone now merges its records by fields"
            if result.merges
            else "nothing was changed"
        )
        out(f"{result.site.folder} is already set up; {done}")
    else:
        out(f"{'would make' if dry_run else 'made'} {result.site.folder}")
        out(f"  {name}" for name in result.created)
        if not dry_run:
            out("commit it with your code; next: gitmem run -- COMMAND, or gitmem add --help")
    for text in result.notices:
        note(text)
