"""The runs of each command in the local journal: one stream a command, folder and work tree.

What is kept and read is bounded, however many runs were watched: the newest runs of a command,
the commands last run, and of these no more than the newest runs of all.
"""

import hashlib
import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.runs import Run, from_event, to_event
from gitmem.store import RUNS
from gitmem.store.journal import MAX_LINE_BYTES, Journal

if TYPE_CHECKING:
    from gitmem.matching.masks import MaskRule

_NEWEST: Final = 200
"""Older runs of a command tell nothing any more; they are not read, and go in the end."""
_COMMANDS: Final = 24
"""So many of the commands last run have a part in what is learnt."""
_MOST_COMMANDS: Final = 4 * _COMMANDS
"""So many commands have their runs kept."""
_MOST_DISMISSED: Final = _NEWEST * _COMMANDS
_DISMISSED = "dismissed"
_RECOGNISED = ("tool", "language", "error_type", "code", "message", "location", "test")
_LONGEST_MESSAGE = 200


class RunHistory:
    """The observed runs of one work tree.

    Args:
        journal: the local journal, which all work trees share.
        worktree: names the work tree; runs elsewhere are on other code.
        rules: gives the team's masks, for runs whose fingerprints are of older rules.

    """

    def __init__(
        self, journal: Journal, worktree: str, rules: "Callable[[], Sequence[MaskRule]]" = tuple
    ) -> None:
        self._journal = journal
        self._worktree = worktree
        self._rules = rules

    def add(self, run: Run) -> None:
        """Note a run. One with very many failures is shortened, as the journal's lines are bounded.

        What the journal itself would cut are lists, and a failure that is not listed would
        count as gone.
        """
        event = to_event(run)
        if _size(event) > MAX_LINE_BYTES:
            event = to_event(run._replace(failures=tuple(map(_brief, run.failures))))
            event["whole"] = run.whole and _size(event) <= MAX_LINE_BYTES
        stream = self.stream(run.command, run.folder)
        is_new = not self._journal.written(stream)
        self._journal.append(stream, event, live=lambda events: events[-_NEWEST:])
        if is_new:
            for old in self._streams()[:-_MOST_COMMANDS]:
                self._journal.remove(old)

    def of(self, command: Sequence[str], folder: str) -> list[Run]:
        """Give the newest runs of a command in a folder, oldest first."""
        return self._newest(self.stream(command, folder), self._dismissed())

    def all(self) -> list[list[Run]]:
        """Give the runs of every command of this work tree, the command last run comes last."""
        dismissed = self._dismissed()
        by_command = [self._newest(stream, dismissed) for stream in self._streams()]
        return sorted((runs for runs in by_command if runs), key=lambda runs: runs[-1].at)

    def of_last_command(self) -> list[Run]:
        """Give the newest runs of the command last run, oldest first; none if there are none."""
        dismissed = self._dismissed()
        newest = [
            (runs[0].at, stream)
            for stream in self._streams()[-_COMMANDS:]
            if (runs := list(islice(self._newest_first(stream, dismissed), 1)))
        ]
        return self._newest(max(newest)[1], dismissed) if newest else []

    def newest(self, since: datetime) -> list[Run]:
        """Give the newest run of each of the commands last run, if it was noted since a time."""
        dismissed = self._dismissed()
        fresh = [
            stream
            for stream in self._streams()[-_COMMANDS:]
            if self._journal.written(stream) > since.timestamp()
        ]
        return [run for name in fresh for run in islice(self._newest_first(name, dismissed), 1)]

    def timeline(self) -> list[Run]:
        """Give the newest runs of the commands last run in this work tree, oldest first."""
        streams = self._streams()[-_COMMANDS:]
        newest = islice(self._merged(streams, _NEWEST // max(1, len(streams))), _NEWEST)
        return sorted(newest, key=moment)

    def newest_first(self) -> Iterator[Run]:
        """Give the runs of every command of this work tree, read as they are taken.

        Runs of one command that overlapped come as they ended.
        """
        return self._merged(self._streams())

    def dismiss(self, run: str) -> None:
        """Leave a run out from now on, wherever runs are compared."""
        event = {"run": run}
        self._journal.append(_DISMISSED, event, live=lambda runs: runs[-_MOST_DISMISSED:])

    def stream(self, command: Sequence[str], folder: str) -> str:
        """Name the stream of a command."""
        key = self._hash("\0".join((folder, *command)))
        return f"{RUNS}{self._hash(self._worktree)}-{key}"

    def _streams(self) -> list[str]:
        """Name the streams of all commands, that of the command last run last."""
        prefix = RUNS + self._hash(self._worktree) + "-"
        return sorted(self._journal.streams(prefix), key=self._journal.written)

    def _merged(self, streams: Iterable[str], ahead: int = 1) -> Iterator[Run]:
        """Give the runs of several commands, the newest first; so many of each will be taken."""
        dismissed = self._dismissed()
        each = self._journal.newest_of(streams, ahead)
        by_command = [self._runs(events, dismissed) for events in each]
        return heapq.merge(*by_command, key=moment, reverse=True)

    def _dismissed(self) -> set[object]:
        return {event.get("run") for event in self._journal.read(_DISMISSED)}

    def _newest(self, stream: str, dismissed: set[object]) -> list[Run]:
        """Give the newest runs of a stream, oldest first."""
        return list(self._newest_first(stream, dismissed))[::-1]

    def _newest_first(self, stream: str, dismissed: set[object]) -> Iterator[Run]:
        """Give the runs of a stream that were not dismissed, read as they are taken."""
        return self._runs(self._journal.newest_first(stream), dismissed)

    def _runs(self, events: Iterator[dict[str, Any]], dismissed: set[object]) -> Iterator[Run]:
        runs = (from_event(event, self._rules) for event in islice(events, _NEWEST))
        return (run for run in runs if run and run.id not in dismissed)

    @staticmethod
    def _hash(text: str) -> str:
        return hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def moment(run: Run) -> tuple[datetime, str]:
    """Give what runs are put in order by: when they started."""
    return run.at, run.id


def _size(event: dict[str, Any]) -> int:
    # With what is not ASCII escaped it is no shorter than the line.
    return len(json.dumps(event))


def _brief(failure: FingerprintedFailure) -> FingerprintedFailure:
    """Leave out of a failure what is only shown; what it is recognised by stays."""
    fields = {name: value for name, value in failure.fields.items() if name in _RECOGNISED}
    fields["message"] = str(fields.get("message", ""))[:_LONGEST_MESSAGE]
    return failure._replace(fields=fields)
