"""``gitmem show``."""

import sys
from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.app import App, at_option, id_argument, json_option, out
from gitmem.cli.base import Command, option

if TYPE_CHECKING:
    from gitmem.answers import Regression, Shown
    from gitmem.memory.view import View


@click.command("show", cls=Command)
@id_argument()
@option("--yaml", "as_yaml", is_flag=True, help="The file as it is.")
@option("--provenance", is_flag=True, help="Also the commit that added it, and who made that.")
@at_option
@json_option
@click.pass_obj
def command(
    app: App, reference: str, *, as_yaml: bool, provenance: bool, revision: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Show one record and what others say about it. Any unique prefix of an id will do.

    \b
    Example:
      gitmem show err-7k3
      gitmem show dec-4t --provenance
    """
    source = None
    if provenance:
        with app.memory() as whole:
            source = whole.provenance(reference, revision)
    with app.reading(revision) as (memory, _):
        shown = memory.show(reference)
        back = None if as_yaml else _regression(memory, shown)
        if as_yaml:
            sys.stdout.flush()
            sys.stdout.buffer.write(shown.text)
        elif as_json:
            from gitmem.render import as_json as render

            more: dict[str, Any] = {}
            if source:
                from gitmem.render.history_json import provenance as told

                more["provenance"] = told(source)
            if back:
                from gitmem.render.history_json import regression

                more["regression"] = regression(back)
            out(render.document("show", **render.shown(shown), **more))
        else:
            from gitmem.render.record import record

            out(record(shown, app.painter(memory.site.config.ui_color), memory.site.config.folder))
            if source:
                from gitmem.render import history

                out(history.provenance(source, app.painter(memory.site.config.ui_color)))
            if back:
                from gitmem.render import history

                out(history.regressions([back], app.painter(memory.site.config.ui_color)))


def _regression(memory: "View", shown: "Shown") -> "Regression | None":
    """Tell what became of the fix of an error that came back; not of a revision."""
    from gitmem.memory import Memory

    if shown.row.status != "regressed" or not isinstance(memory, Memory):
        return None
    return memory.regression(shown.row.id) if memory.site.git_dirs else None
