"""``gitmem show``."""

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from gitmem.cli.app import App, at_option, id_argument, json_option, out, read_only
from gitmem.cli.base import Command
from gitmem.cli.drafts import show_waiting
from gitmem.cli.forms import option
from gitmem.render.text import as_text

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from gitmem.memory import Memory

_JOBS: Final = ("CI", "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL")
"""Variables by which it shows that a job's log is read."""


@click.command("show", cls=Command)
@id_argument(metavar="ID|DRAFT")
@option("--yaml", "as_yaml", is_flag=True, help="The file as it is on disk.")
@option("--provenance", is_flag=True, help="Also show the commit that added it, and its author.")
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
    """Show one record or draft, and the records that link to it. Any unique prefix works.

    \b
    Example:
      gitmem show err-7k3
      gitmem show dec-4t --provenance
    """
    source = back = None
    with app.memory() as memory:
        if show_waiting(memory, reference, as_json=as_json):
            return
        if provenance:
            source = memory.history.provenance(reference, revision)
        shown = _shown(memory, reference, revision)
        regressed = revision is None and shown.row.status == "regressed"
        if regressed and memory.workspace.site.git_dirs and not as_yaml:
            back = memory.history.regression(shown.row.id)
        config = memory.workspace.site.config
    if as_yaml:
        sys.stdout.flush()
        is_read = sys.stdout.isatty() or any(map(os.environ.get, _JOBS))
        text = as_text(shown.text.decode(errors="replace")).encode() if is_read else shown.text
        sys.stdout.buffer.write(text)
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
                out(history.regression(back, painter))


def _shown(memory: "Memory", reference: str, revision: str | None) -> "Shown":
    if revision is None:
        shown = memory.show(reference)
        memory.records.reader.note_opened(shown)
        return shown
    with read_only(memory.history.at(revision)) as past:
        return past.show(reference)
