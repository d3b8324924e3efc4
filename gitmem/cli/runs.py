"""``gitmem runs``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError


@click.command(
    "runs",
    cls=CommandFamily,
    members=("attempts", "all-passed", "regressions", "best-attempt", "capture", "bisect"),
)
@argument("reference", metavar="[RUN]", required=False)
@option("--latest", is_flag=True, help="Show the newest run of tests, with what failed.")
@option(
    "--limit", type=click.IntRange(0), default=20, help="How many at most; 0: all. By default 20."
)
@option("--failed", is_flag=True, help="Only those that failed.")
@json_option
@click.pass_obj
def command(
    app: App, reference: str | None, limit: int, *, latest: bool, failed: bool, as_json: bool
) -> None:
    """List the watched runs of this work tree, newest first; with an id, show one.

    For one run, every failed case is shown, with its input, expected and actual value where
    they are known (see the pytest plugin), and the slowest tests.

    \b
    Example:
      gitmem runs --failed --limit 5
      gitmem runs --latest
    """
    if reference and latest:
        raise UsageError("--latest takes no id", "leave one of them out")
    with app.memory() as memory:
        painter = app.painter_of(memory)
        from gitmem.render import as_json as data
        from gitmem.render import runs as render

        if reference or latest:
            run = memory.failures.latest_run(reference)
            out(data.document("runs", run=data.run(run)) if as_json else render.run(run, painter))
            if not run.failing:
                note("nothing failed in this run")
            return
        runs = memory.failures.runs(limit, failed=failed)
        if as_json:
            out(data.document("runs", runs=[data.run(run) for run in runs]))
            return
        out(render.runs(runs, painter))
        if not runs:
            note("no runs yet; watch a command with: gitmem run -- COMMAND")
