"""``gitmem capture``."""

import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.errors import UsageError

_PIECE = 1 << 20


@click.command("capture")
@click.argument("path", metavar="FILE")
@click.option("--command", "ran", metavar="COMMAND", default="", help="What the log is of.")
@click.option("--record", is_flag=True, help="Write an error record for each that is new.")
@json_option
@click.pass_obj
def command(app: App, path: str, ran: str, *, record: bool, as_json: bool) -> None:
    """Read a saved log; tell what is known about its failures.

    FILE may be of any size, and - is standard input. Secrets are taken out of what is
    written, and a failure that stands in the log more than once is one.

    \b
    Example:
      gitmem capture build.log --command "make all"
      gitmem capture build.log --record
    """
    with app.memory() as memory:
        try:
            file = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115
            with file:
                found = memory.capture(_pieces(file), command=ran, record=record)
        except OSError as error:
            if error.filename not in {path, None}:
                raise
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"can't read {path}: {reason}", "name a saved log") from None
        if as_json:
            from gitmem.render import as_json as data  # noqa: PLC0415  start-up

            failures = [data.recognised(one) for one in found.found]
            out(
                data.document(
                    "capture", failures=failures, written=list(found.written), more=found.more
                )
            )
            return
        from gitmem.render.observed import recognised  # noqa: PLC0415  start-up

        out(recognised(found.found, app.painter(memory.site.config.ui_color)))
        out(f"recorded as {reference}" for reference in found.written)
        if not found.found:
            note("no failure in this log")
        elif record and not found.written:
            note("nothing new: the memory knows all of it")
        if found.more:
            note(f"the log shows {found.more} more lines that look like failures")


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece
