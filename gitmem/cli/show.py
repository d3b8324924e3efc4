"""``gitmem show``."""

import sys
from typing import Any

import click

from gitmem.cli.app import App, at_option, id_argument, json_option, out, read_only
from gitmem.cli.base import Command, option


@click.command("show", cls=Command)
@id_argument()
@option("--yaml", "as_yaml", is_flag=True, help="The file as it is.")
@option("--provenance", is_flag=True, help="Also the commit that added it, and who made that.")
@at_option
@json_option
@click.pass_obj
def command(
    app: App,
    reference: str,
    *,
    as_yaml: bool,
    provenance: bool,
    revision: str | None,
    as_json: bool,
) -> None:
    """Show one record and what others say about it. Any unique prefix of an id will do.

    \b
    Example:
      gitmem show err-7k3
      gitmem show dec-4t --provenance
    """
    source = back = None
    with app.memory() as memory:
        if provenance:
            source = memory.history.provenance(reference, revision)
        if revision is None:
            shown = memory.show(reference)
            memory.records.reader.note_opened(shown)
        else:
            with read_only(memory.history.at(revision)) as past:
                shown = past.show(reference)
        regressed = revision is None and shown.row.status == "regressed"
        if regressed and memory.workspace.site.git_dirs and not as_yaml:
            back = memory.history.regression(shown.row.id)
        config = memory.workspace.site.config
    if as_yaml:
        sys.stdout.flush()
        sys.stdout.buffer.write(shown.text)
    elif as_json:
        from gitmem.render import as_json as render

        more: dict[str, Any] = {}
        if source:
            from gitmem.render.history_json import provenance as origin

            more["provenance"] = origin(source)
        if back:
            from gitmem.render.history_json import regression

            more["regression"] = regression(back)
        out(render.document("show", **render.record(shown), **more))
    else:
        from gitmem.render.record import record

        painter = app.painter(config.ui_color)
        out(record(shown, painter, config.folder))
        if source or back:
            from gitmem.render import history

            if source:
                out(history.provenance(source, painter))
            if back:
                out(history.regressions([back], painter))
