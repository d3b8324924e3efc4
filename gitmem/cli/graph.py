"""``gitmem code graph``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("graph", cls=Command)
@argument("which", type=click.Choice(["imports", "memory"]), default="imports")
@argument("start", metavar="[PATH|ID]", default="")
@option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid", "dot", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
@option(
    "--depth",
    type=click.IntRange(0, 100),
    default=2,
    show_default=True,
    help="How many steps around PATH or ID.",
)
@option(
    "--limit",
    type=click.IntRange(1, 5_000),
    default=200,
    show_default=True,
    help="How many records and files at most (memory).",
)
@option("--folders", is_flag=True, help="Fold files into their folders (imports).")
@click.pass_obj
def command(
    app: App, which: str, start: str, form: str, depth: int, limit: int, *, folders: bool
) -> None:
    """Draw what imports what, or how records refer to each other and to files.

    For a file, the graph of imports also shows what a change to it can reach, and its import
    cycles. The graph of the memory goes from errors to fixes, decisions and files.

    \b
    Example:
      gitmem code graph
      gitmem code graph imports src/auth.py --depth 1
      gitmem code graph imports --folders --format mermaid
      gitmem code graph memory err-7k3 --format dot
    """
    with app.memory() as memory:
        graph = memory.code.graph(which, start, depth=depth, limit=limit, folders=folders)
        from gitmem.render import graph as render

        if form == "json":
            from gitmem.render.as_json import document

            out(document("graph", **render.as_data(graph)))
            return
        out(render.written(graph, form, app.painter_of(memory)))
        for text in render.warnings(graph, form):
            note(text)
