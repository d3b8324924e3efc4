"""``gitmem drafts``."""

import click

from gitmem.cli.app import App, note, out


@click.group("drafts", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """What was learnt here and is in no record yet: list, keep, drop.

    \b
    Example:
      gitmem drafts
      gitmem drafts drop 3f
    """
    if ctx.invoked_subcommand:
        return
    from gitmem.render.observed import drafts  # noqa: PLC0415  start-up

    app: App = ctx.obj
    with app.memory() as memory:
        found = memory.drafts.open()
        out(drafts(found, app.painter(memory.site.config.ui_color)))
        if not found:
            note("no drafts")


@command.command("keep")
@click.argument("reference", metavar="DRAFT")
@click.pass_obj
def keep(app: App, reference: str) -> None:
    """Make records of a draft.

    \b
    Example:
      gitmem drafts keep 3f
    """
    with app.memory() as memory:
        out(memory.keep(reference))


@command.command("drop")
@click.argument("reference", metavar="DRAFT")
@click.pass_obj
def drop(app: App, reference: str) -> None:
    """Drop a draft. Its runs stay in the local journal.

    \b
    Example:
      gitmem drafts drop 3f
    """
    with app.memory() as memory:
        draft = memory.drafts.find(reference)
        memory.drafts.mark(draft, "dropped")
        note(f"dropped {draft.id}: {draft.error['title']}")
