"""Commands that an assistant runs: its hooks tell that one begins, and how it ended."""

import hashlib
import os
import shlex
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.recognising import Observed
from gitmem.capture.run_coverage import Listener
from gitmem.lazy_pattern import lazily
from gitmem.matching.failure import Failure
from gitmem.matching.parse import Parser
from gitmem.memory.failures.observing import Observer, RunStart

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.memory.failures.access import RecordAccess

_MOST_RUNNING: Final = 20
"""Commands that run at once."""
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


def begun(records: "RecordAccess", call: str, line: str) -> None:
    """Note the code as a command finds it, where what failed before may be fixed in it.

    Args:
        records: the memory.
        call: the assistant's name for this one call.
        line: what its shell is asked to run.

    """
    observer = Observer(records, command_of(line))
    event = {"call": call}
    if observer.any_red:
        start = observer.look()
        event |= {"at": start.at.isoformat(), "tree": start.tree, "head": start.head}
    elif not _start_of(records, call):
        return
    records.workspace.journal.append(_stream(records), event, live=_live)


def ended(
    records: "RecordAccess", call: str, line: str, output: str, exit_code: int | None
) -> Observed | None:
    """Take a command that has ended for a watched run, if it is one that says what failed.

    Args:
        records: the memory.
        call: as for ``begun``.
        line: what was run.
        output: everything that it printed.
        exit_code: how it ended, as a shell counts it; None: by what it printed.

    Returns:
        What was observed; None for what is not worth noting, such as a search that found nothing.

    """
    command = command_of(line)
    parser, listener = Parser(shlex.join(command)), Listener()
    data = output.encode(errors="replace")
    parser.feed(data)
    listener.feed(data)
    failures, report = parser.close(), parser.report()
    start = _start_of(records, call)
    observer = Observer(records, command, start, assistant=True)
    telling = any(map(_tells_of_code, failures))
    if not (report or telling or observer.knows):
        return None
    if exit_code is None:
        if not (report or telling):  # nobody knows whether it passed
            return None
        exit_code = int(telling)
    if start is None:
        observer.has_ended()
    seconds = (records.workspace.clock() - start.at).total_seconds() if start else 0.0
    return observer.after(
        exit_code,
        max(seconds, 0.0),
        failures,
        whole=not parser.more,
        stopped=listener.stopped,
        ending=parser.ending(os.path.basename(command[0]), exit_code),
        output=report,
    )


def untold(records: "RecordAccess") -> "list[Draft]":
    """Give the drafts that this assistant's work has taught since it was asked last."""
    stream, actor = _stream(records), records.workspace.site.config.actor
    drafts = [draft for draft in records.writer.drafts.open() if draft.actor == actor]
    if not drafts:
        return []
    events = records.workspace.journal.read(stream)
    shown = {name for event in events for name in event.get("told", ())}
    fresh = [draft for draft in drafts if draft.id not in shown]
    if fresh:
        event = {"told": [draft.id for draft in fresh]}
        records.workspace.journal.append(stream, event, live=_live)
    return fresh


def _live(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the newest commands that began, and the newest drafts that were told."""
    begun = [event for event in events if "call" in event]
    return [
        *[event for event in events if "told" in event][-_MOST_RUNNING:],
        *begun[-_MOST_RUNNING:],
    ]


def _tells_of_code(failure: Failure) -> bool:
    """Tell whether a tool says so; the shell's own words come of looking around."""
    return failure.tool != "shell" and bool(failure.tool or failure.error_type or failure.code)


def _start_of(records: "RecordAccess", call: str) -> RunStart | None:
    """Give how a call began; None where that was not noted, or only of an earlier one."""
    events = records.workspace.journal.read(_stream(records))
    event = next((event for event in reversed(events) if event.get("call") == call), None)
    if not event or "tree" not in event:
        return None
    return RunStart(datetime.fromisoformat(event["at"]), str(event["tree"]), str(event["head"]))


def _stream(records: "RecordAccess") -> str:
    site = records.workspace.site
    place = site.git_dirs.git_dir if site.git_dirs else site.root
    return f"assistant-{hashlib.blake2b(os.fsencode(place), digest_size=8).hexdigest()}"
