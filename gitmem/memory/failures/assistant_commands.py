"""Commands of an assistant that have ended: those that say what failed are watched runs."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gitmem.capture.commands import asks, masks_failure, starts_with, tool_named
from gitmem.lazy_pattern import lazily
from gitmem.memory.failures.assistant_calls import start_of
from gitmem.memory.failures.watched_code import WatchedCode
from gitmem.memory.failures.watched_output import WatchedOutput
from gitmem.output.failure import Failure
from gitmem.tools.choice import values

if TYPE_CHECKING:
    from gitmem.capture.observed import Observed
    from gitmem.memory.failures.access import RecordAccess

_MOST_OUTPUT: Final = 4 * 2**20
"""The assistant waits for the answer: of more than this, the beginning and the end are read."""
_MOST_HEAD: Final = 2**20
_NOT_FOUND: Final = 127
_SHELL: Final = lazily(r"[|&;<>()$`*?\[\]{}~#!\n\\]")


def command_of(line: str) -> tuple[str, ...]:
    """Give the argument list of a line of shell: its words, or the shell with the line."""
    if not _SHELL.search(line):
        try:
            words = shlex.split(line)
        except ValueError:
            words = []
        if words and "=" not in words[0]:
            return tuple(words)
    return ("bash", "-c", line)


def ended(
    records: "RecordAccess", call: str, line: str, output: str, exit_code: int | None
) -> "Observed | None":
    """Take a command that has ended for a watched run, if it is one that says what failed.

    Args:
        records: the memory.
        call: as for ``assistant_calls.begun``.
        line: what was run.
        output: everything that it printed.
        exit_code: how it ended, as a shell counts it; None: by what it printed.

    Returns:
        What was observed; None for what is not worth noting, such as a search that found nothing.

    """
    command = command_of(line)
    reading = WatchedOutput(records.workspace, command)
    data = output.encode(errors="replace")
    cut = len(data) > _MOST_OUTPUT
    if cut:
        data = b"\n".join((data[:_MOST_HEAD], data[_MOST_HEAD - _MOST_OUTPUT :]))
    reading.feed(data)
    passed = exit_code == 0 and not masks_failure(command)
    failures, report = reading.close(passed=passed), reading.report()
    code = WatchedCode(records)
    telling = any(map(_tells_of_code, failures))
    noted = code.redacted(command)
    if not (report or telling or _is_comparable(code, noted) or code.earlier(noted)):
        return None
    if exit_code is None:
        if not (report or telling):  # nobody knows whether it passed
            return None
        exit_code = int(telling)
    from gitmem.memory.failures.observing import Observer  # noqa: PLC0415  start-up

    start = start_of(records.workspace, call)
    observer = Observer(records, command, start, assistant=True, code=code)
    missing = _is_missing(command, exit_code, failures)
    if not missing:
        observer.has_ended()
    seconds = (records.workspace.clock() - start.at).total_seconds() if start else 0.0
    return observer.after(
        exit_code,
        max(seconds, 0.0),
        failures,
        whole=reading.whole and not cut,
        stopped=reading.stopped,
        missing=missing,
        ending=reading.ending(failures, exit_code),
        output=report,
    )


def _is_missing(command: tuple[str, ...], exit_code: int, failures: Sequence[Failure]) -> bool:
    """Tell whether the shell did not find what a line is to start: it was mistyped."""
    programs = {failure.message.partition(":")[0].rpartition("/")[2] for failure in failures}
    by_shell = all(failure.tool in values("output.missing_program") for failure in failures)
    return exit_code == _NOT_FOUND and by_shell and programs == {starts_with(command)}


def _is_comparable(code: WatchedCode, command: tuple[str, ...]) -> bool:
    """Tell whether a run of a command may show what became of a noted one's failures."""
    wanted, tool = asks(command, code.folder), tool_named(command)
    return any(
        asks(run.command, run.folder) == wanted or (tool and tool_named(run.command) == tool)
        for run in code.timeline
    )


def _tells_of_code(failure: Failure) -> bool:
    """Tell whether a tool says so; the shell's own words come of looking around."""
    if failure.tool in values("output.of_lines"):
        return False
    return bool(failure.tool or failure.error_type or failure.code)
