"""The runs of each command in the local journal: one stream a command, folder and work tree."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.runs import Run, from_event, to_event
from gitmem.store.journal import MAX_LINE_BYTES, Journal

_PREFIX = "run-"
# Older runs of a command tell nothing any more; reading them would only take time.
_NEWEST = 200
_COMMANDS = 24
_DISMISSED = "dismissed"
_RECOGNISED = ("tool", "language", "error_type", "code", "message", "location", "test")
_LONGEST_MESSAGE = 200


class RunHistory:
    """The observed runs of one work tree.

    Args:
        journal: the local journal, which all work trees share.
        worktree: names the work tree; runs elsewhere are on other code.

    """

    def __init__(self, journal: Journal, worktree: str) -> None:
        self._journal = journal
        self._worktree = worktree

    def add(self, run: Run) -> None:
        """Note a run. One with very many failures is shortened, as the journal's lines are bounded.

        What the journal itself would cut are lists, and a failure that is not listed would
        count as gone.
        """
        event = to_event(run)
        if _size(event) > MAX_LINE_BYTES:
            event = to_event(run._replace(failures=tuple(map(_brief, run.failures))))
            event["whole"] = run.whole and _size(event) <= MAX_LINE_BYTES
        self._journal.append(self.stream(run.command, run.folder), event)

    def of(self, command: Sequence[str], folder: str) -> list[Run]:
        """Give the newest runs of a command in a folder, oldest first."""
        stream = self.stream(command, folder)
        return self._read(stream)[stream]

    def all(self) -> list[list[Run]]:
        """Give the runs of every command of this work tree, the command last run comes last."""
        prefix = _PREFIX + self._hash(self._worktree) + "-"
        by_command = self._read(*self._journal.streams(prefix)).values()
        return sorted((runs for runs in by_command if runs), key=lambda runs: runs[-1].at)

    def timeline(self) -> list[Run]:
        """Give the newest runs of the commands last run in this work tree, oldest first."""
        return _in_order(self._read(*self._last_streams()))

    def timeline_with(self, command: Sequence[str], folder: str) -> tuple[list[Run], list[Run]]:
        """Give the same, and the newest runs of a command as ``of`` does; each is read once."""
        last, own = self._last_streams(), self.stream(command, folder)
        runs = self._read(*dict.fromkeys((*last, own)))
        return _in_order({stream: runs[stream] for stream in last}), runs[own]

    def dismiss(self, run: str) -> None:
        """Leave a run out from now on, wherever runs are compared."""
        self._journal.append(_DISMISSED, {"run": run})

    def stream(self, command: Sequence[str], folder: str) -> str:
        """Name the stream of a command."""
        key = self._hash("\0".join((folder, *command)))
        return f"{_PREFIX}{self._hash(self._worktree)}-{key}"

    def _last_streams(self) -> list[str]:
        """Name the streams of the commands that were run last."""
        prefix = _PREFIX + self._hash(self._worktree) + "-"
        return sorted(self._journal.streams(prefix), key=self._journal.written)[-_COMMANDS:]

    def _read(self, *streams: str) -> dict[str, list[Run]]:
        """Give the newest runs of each stream, without those that were dismissed."""
        dismissed = {event.get("run") for event in self._journal.read(_DISMISSED)}
        return {
            stream: [
                run
                for event in self._journal.read(stream, newest=_NEWEST)
                if (run := from_event(event)) and run.id not in dismissed
            ]
            for stream in streams
        }

    @staticmethod
    def _hash(text: str) -> str:
        return hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def _in_order(runs: dict[str, list[Run]]) -> list[Run]:
    """Give the newest runs of several commands, oldest first."""
    together = [run for of_command in runs.values() for run in of_command]
    return sorted(together, key=lambda run: (run.at, run.id))[-_NEWEST:]


def _size(event: dict[str, Any]) -> int:
    # With what is not ASCII escaped it is no shorter than the line.
    return len(json.dumps(event))


def _brief(failure: FingerprintedFailure) -> FingerprintedFailure:
    """Leave out of a failure what is only shown; what it is recognised by stays."""
    fields = {name: value for name, value in failure.fields.items() if name in _RECOGNISED}
    fields["message"] = str(fields.get("message", ""))[:_LONGEST_MESSAGE]
    return failure._replace(fields=fields)
