"""``gitmem edit``."""

import click

from gitmem.cli.app import App, id_argument, note
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import option
from gitmem.errors import UsageError


@click.command("edit", cls=CommandFamily, members=("supersede", "link", "merge"))
@id_argument(metavar="ID|DRAFT")
@option("--from", "source", metavar="FILE", help="Take the edited text from FILE; - is stdin.")
@click.pass_obj
def command(app: App, reference: str, source: str | None) -> None:
    """Edit a record or a draft in your editor, as YAML.

    The text is checked before it replaces the file. Id, kind and time of a record stay as they
    are. To replace a decision by a new one, use gitmem edit supersede.

    \b
    Example:
      gitmem edit err-7k3
      gitmem edit 3f
    """
    from gitmem.cli.drafts import edit_draft, read_source

    with app.memory() as memory:
        if draft := memory.failures.drafts.named(reference):
            edit_draft(memory, draft, source)
            return
        row = memory.find(reference)
        if source is not None:
            memory.editor.edit(row.id, read_source(source))
        else:
            from gitmem.cli.editor import edited_text

            start = memory.workspace.store.read(row.path).decode()
            edited_text(
                memory,
                row.id,
                start,
                lambda text: memory.editor.edit(row.id, text),
                f"gitmem edit {row.id} --from",
                UsageError("the record is unchanged", f"to delete it: gitmem forget {row.id}"),
            )
        note(f"stored {memory.workspace.site.config.folder}/{row.path}")
