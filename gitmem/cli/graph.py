"""``gitmem graph``."""

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import Command, option


@click.command("graph", cls=Command)
@click.argument("which", type=click.Choice(["imports", "memory"]), default="imports")
@click.argument("start", metavar="[PATH|ID]", default="")
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
    """Draw what imports what, or what records say about each other and about files.

    Of a file, the graph of imports also tells what a change of it can reach, and the cycles
    that it is in. The graph of the memory goes from errors to fixes, decisions and files.

    \b
    Example:
      gitmem graph
      gitmem graph imports src/auth.py --depth 1
      gitmem graph imports --folders --format mermaid
      gitmem graph memory err-7k3 --format dot
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
