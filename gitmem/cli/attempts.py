"""``gitmem runs attempts``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError


@click.command("attempts", cls=Command)
@argument("reference", metavar="[ERROR]", required=False)
@option("--record", is_flag=True, help="Record now, as failed fixes, what was tried and undone.")
@json_option
@click.pass_obj
def command(app: App, reference: str | None, *, record: bool, as_json: bool) -> None:
    """List what was tried on the current failures; with an id, on that error.

    Failures are those of the newest run of each command. Each edit between two red runs is an
    attempt. It is listed with its time, what was changed, and whether that is still in the code.
    The recorded fixes follow. Run the command with gitmem run.

    \b
    Example:
      gitmem runs attempts
      gitmem runs attempts err-7k3
      gitmem runs attempts --record
    """
    if reference and record:
        raise UsageError("--record takes no id", "it writes attempts on live failures")
    with app.memory() as memory:
        painter = app.painter_of(memory)
        from gitmem.render import as_json as data
        from gitmem.render import attempts as render

        if reference:
            fixes = memory.failures.attempts_of(reference)
            out(
                data.document("attempts", attempts=data.rows(fixes))
                if as_json
                else render.numbered(fixes, painter)
            )
            if not fixes:
                note("no attempts yet")
            return
        if record:
            written = memory.failures.write_attempts()
            out(data.document("attempts", written=written) if as_json else written)
            if not written:
                note("nothing to record: no attempt was undone, or all are recorded")
            return
        failures = memory.failures.attempts()
        out(
            data.document("attempts", failures=[data.live(failure) for failure in failures])
            if as_json
            else render.live(failures, painter)
        )
        if failures:
            note("to dismiss a run, such as one of a mistyped command: gitmem undo RUN")
        if not failures:
            note("no watched command is failing; watch one with: gitmem run -- COMMAND")
