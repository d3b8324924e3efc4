"""``gitmem runs``."""

import click

from gitmem.cli.app import App, json_option, note, out


@click.command("runs")
@click.option(
    "--limit", type=click.IntRange(0), default=20, help="How many at most; 0: all. By default 20."
)
@click.option("--failed", is_flag=True, help="Only those that failed.")
@json_option
@click.pass_obj
def command(app: App, limit: int, *, failed: bool, as_json: bool) -> None:
    """The observed runs of this work tree, the newest last.

    \b
    Example:
      gitmem runs
      gitmem runs --failed --limit 5
    """
    with app.memory() as memory:
        found = memory.runs(limit, failed=failed)
        if as_json:
            from gitmem.render import as_json as data  # noqa: PLC0415  start-up

            out(data.document("runs", runs=[data.run(one) for one in found]))
            return
        from gitmem.render.observed import runs  # noqa: PLC0415  start-up

        out(runs(found, app.painter(memory.site.config.ui_color)))
        if not found:
            note("no runs; observe a command with: gitmem run -- COMMAND")
