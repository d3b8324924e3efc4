"""``gitmem ci``."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from gitmem.capture.job import CiJob
    from gitmem.hub.messages import Elsewhere

_PIECE: Final = 1 << 20
_HUB_SECONDS: Final = 2.0
"""Nobody sits and waits for a job."""
_POLICIES: Final = ("error", "warning", "known", "never")


@click.command("ci", cls=Command)
@argument("files", nargs=-1, metavar="[FILE…]")
@option("--review", "span", metavar="RANGE", help="Also review these commits (see gitmem review).")
@option(
    "--summary",
    metavar="FILE",
    help="Append Markdown to FILE; by default to GITHUB_STEP_SUMMARY, if it is set.",
)
@option(
    "--fail-on",
    "policies",
    type=click.Choice(_POLICIES),
    multiple=True,
    default=("error",),
    help="Exit with 1: on errors (or warnings) in the memory, on failures once fixed, or never. "
    "A report that can't be read is an error.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    files: tuple[str, ...],
    *,
    span: str | None,
    summary: str | None,
    policies: tuple[str, ...],
    as_json: bool,
) -> int:
    """At the end of a CI job: show what is known about its failures, and check the memory.

    FILE is a log, JUnit XML, SARIF or another report that gitmem runs capture reads. It writes
    only the summary and local caches, and needs no token and no network, so it is safe for pull
    requests from forks.

    \b
    Example:
      gitmem ci report.xml build.log
      gitmem ci report.xml --review origin/main... --fail-on known
    """
    app.flags["capture.mode"] = "off"
    target = summary or os.environ.get("GITHUB_STEP_SUMMARY", "")
    with app.memory() as memory, ExitStack() as opened:
        from gitmem.capture.job import Log

        logs = [Log(os.path.basename(p), _pieces(opened.enter_context(_open(p)))) for p in files]
        job = memory.history.ci(logs, span)
        config = memory.workspace.site.config
        foreign = memory.failures.elsewhere(job.failures, _HUB_SECONDS)
        if target:
            from gitmem.render.job import markdown

            _append(target, markdown(job, foreign))
        if as_json:
            from gitmem.render import as_json as data

            out(data.document("ci", **data.job(job), **_foreign(foreign)))
        else:
            from gitmem.render.job import counted, plain

            out(plain(job, app.painter(config.ui_color), config.folder, foreign))
            note(counted(job))
    return int(_complains(job, policies))


def _foreign(answers: "list[Elsewhere]") -> dict[str, object]:
    if not answers:
        return {}
    from gitmem.render.elsewhere import as_data

    return {"elsewhere": as_data(answers)}


def _open(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"can't read {path}: {reason}", "name a log or a report") from None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _append(path: str, text: str) -> None:
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "name a file that can be written with --summary"
        raise EnvironmentProblem(f"can't write {path}: {reason}", hint) from None


def _complains(job: "CiJob", policies: tuple[str, ...]) -> bool:
    if "never" in policies:
        return False
    severities = {problem.severity for problem in job.problems}
    return (
        ("error" in policies and ("error" in severities or bool(job.unread)))
        or ("warning" in policies and bool(severities & {"error", "warning"}))
        or ("known" in policies and bool(job.once_fixed))
    )
