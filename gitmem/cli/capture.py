"""``gitmem runs capture``."""

import io
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError
from gitmem.plurals import counted

if TYPE_CHECKING:
    from gitmem.memory import Memory

_PIECE = 1 << 20


@click.command("capture", cls=Command)
@argument("path", metavar="FILE")
@option("--command", "ran", metavar="COMMAND", default="", help="The command that wrote the log.")
@option("--record", is_flag=True, help="Record each new error.")
@option("--guesses", is_flag=True, help="With --record: also what only looks like a failure.")
@option(
    "--format",
    "form",
    type=click.Choice(["log", "junit", "sarif", "pytest-json", "otel"]),
    show_choices=False,
    metavar="FORMAT",
    help="log, junit, sarif, pytest-json or otel; recognised by content otherwise.",
)
@option(
    "--ci/--no-ci",
    default=None,
    help="Whether it ran in CI; by default, as the variable CI says.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    path: str,
    ran: str,
    *,
    record: bool,
    guesses: bool,
    form: str | None,
    ci: bool | None,
    as_json: bool,
) -> None:
    """Read a saved log or a report; show what is known about its failures.

    A report is JUnit XML, SARIF, the JSON of pytest-json-report or of OpenTelemetry; its format
    is recognised by content. Its run is noted once, for gitmem runs and gitmem runs
    regressions; runs of one --command are compared.

    FILE may be of any size, or a screenshot, and - is standard input. Secrets are removed from
    what is written, and a failure that occurs twice in the log counts once. Lines of no known
    tool that have neither a type nor a code are guesses: they are shown, and recorded only
    with --guesses.

    \b
    Example:
      gitmem runs capture build.log --command "make all"
      gitmem runs capture build.log --record
      gitmem runs capture report.xml --command "pytest" --ci
      gitmem runs capture screenshot.png
    """
    with app.memory() as memory:
        try:
            file = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115
            with file:
                captured = memory.failures.capture(
                    _picture_text(memory, path)
                    if path != "-" and _is_picture(file)
                    else _pieces(file),
                    command=ran,
                    record=record,
                    guesses=guesses,
                    form=form or "",
                    source=os.path.basename(path),
                    ci=ci,
                )
        except OSError as error:
            if error.filename not in {path, None}:
                raise
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"can't read {path}: {reason}", "name a saved log") from None
        if as_json:
            from gitmem.render import as_json as data

            failures = [data.recognised(failure) for failure in captured.found]
            noted = data.run(captured.run) if captured.run else None
            more = {"more": captured.more, "run": noted, "again": captured.again}
            out(data.document("capture", failures=failures, written=list(captured.written), **more))
            return
        from gitmem.render.run_report import recognised

        out(recognised(captured.found, app.painter_of(memory)))
        out(f"recorded as {reference}" for reference in captured.written)
        if captured.run:
            from gitmem.render.runs import runs

            out(runs([captured.run], app.painter_of(memory)))
            if captured.again:
                note("this report was read before and is not counted again")
        if not captured.found:
            note("no failure in this report" if captured.run else "no failure in this log")
        elif record and not (captured.written or captured.guesses):
            note("nothing new: all of it is recorded already")
        if captured.guesses:
            note(f"{captured.guesses} only look like failures and were not recorded; see --guesses")
        if captured.more:
            note(f"the log shows {counted(captured.more, 'more line')} that look like failures")


def _is_picture(file: BinaryIO) -> bool:
    from gitmem.pictures.forms import form

    # Looked at only: a pipe can be read once.
    return isinstance(file, io.BufferedReader) and bool(form(file.peek(16)[:16]))


def _picture_text(memory: "Memory", path: str) -> Iterator[bytes]:
    yield memory.models.read_picture(path).text.encode()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece
