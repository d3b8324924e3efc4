"""Two worker processes that read many files and write the index's segments.

They are started as ``python -m gitmem.sync.worker``, so whatever program is the main one, it
is not run again. Each is told all of its files at once and answers as it goes; the pipe is
what keeps it from running far ahead.
"""

import contextlib
import math
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.catalog.catalog import CatalogChange, FileState
from gitmem.store.files import Store
from gitmem.store.listing import Stamp
from gitmem.system import widen_pipe

if TYPE_CHECKING:
    from gitmem.config import TeamRules
    from gitmem.index.whoosh_files import SegmentInfo
    from gitmem.semantic.protocol import VectorRow

COUNT: Final = 2
"""More gain nothing: what they read is written by one process."""
BATCH: Final = 250
PIECE: Final = 50_000
"""Files that are committed together: two segments of the index, 240 MB in each process."""
_PIECES: Final = 2
"""More would make a question slower: a pasted error takes 20 ms with 8 segments, 16 with 4."""
_FEWEST: Final = 10_000
"""Files in a piece at least: to make so many anew, when interrupted, takes few seconds."""
_PIPE_BYTES: Final = 1 << 20


class NumberedFile(NamedTuple):
    """A file to read: its number in the catalog, and the digest of what it held, if known."""

    path: str
    stamp: Stamp
    number: int
    digest: bytes


Batch = list[NumberedFile]
Piece = list[Batch]


class BatchResult(NamedTuple):
    """What was read in a batch, and the vectors of its texts."""

    changes: list[CatalogChange]
    vectors: "list[VectorRow]"


class ReadingJob(NamedTuple):
    """What to read, and where segments go. Batches of a piece take turns among processes.

    ``vocabulary`` is the word table's; empty where nothing is to be embedded. Without ``indexed``
    no segments are written.
    """

    store: Store
    team_rules: "TeamRules"
    directory: str
    pieces: list[Piece]
    vocabulary: str = ""
    indexed: bool = True

    def share(self, worker: int) -> "ReadingJob":
        """Give what one of the processes reads."""
        return self._replace(pieces=[piece[worker::COUNT] for piece in self.pieces])


class WorkerLost(Exception):  # noqa: N818  a state: go on without
    """A process ended before it had done its work."""


def plan(
    store: Store,
    team_rules: "TeamRules",
    directory: str,
    files: Mapping[str, Stamp],
    states: Mapping[str, FileState],
    last: int,
) -> ReadingJob:
    """Divide the work.

    Args:
        store: where the files are.
        team_rules: the team's rules for fingerprints.
        directory: an empty folder for segments, on the file system of the index.
        files: their stamps.
        states: the states of those that the catalog has.
        last: the highest number that a file has.

    """
    all_files: list[NumberedFile] = []
    for path, stamp in files.items():
        state = states.get(path)
        if state:
            all_files.append(NumberedFile(path, stamp, state.file, state.digest))
        else:
            last += 1
            all_files.append(NumberedFile(path, stamp, last, b""))
    batches = [all_files[at : at + BATCH] for at in range(0, len(all_files), BATCH)]
    step = min(PIECE // BATCH, max(_FEWEST // BATCH, math.ceil(len(batches) / _PIECES)))
    pieces = [batches[at : at + step] for at in range(0, len(batches), step)]
    return ReadingJob(store, team_rules, directory, pieces)


class Workers:
    """The processes, at work on a job."""

    def __init__(self, job: ReadingJob) -> None:
        self._children: list[subprocess.Popen[bytes]] = []
        shutil.rmtree(job.directory, ignore_errors=True)
        os.makedirs(job.directory)
        self.directory = job.directory
        # Only where gitmem lies: the main program's own folder may hold a random.py.
        path = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        arguments = [sys.executable, "-m", "gitmem.sync.worker"]
        for worker in range(COUNT):
            child = subprocess.Popen(  # noqa: S603  ourselves
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=job.directory,
                env={**os.environ, "PYTHONPATH": path},
            )
            self._children.append(child)
            widen_pipe(_stream(child.stdout).fileno(), _PIPE_BYTES)
            with contextlib.suppress(BrokenPipeError), _stream(child.stdin) as given:
                given.write(pickle.dumps(job.share(worker)))

    def read(self, at: int) -> BatchResult:
        """Give what was read in the batch ``at`` of the present piece; raise WorkerLost."""
        result: BatchResult = self._answer(at % COUNT)
        return result

    def segments(self) -> "list[SegmentInfo]":
        """Give the segments of the piece whose batches were all given; raise WorkerLost."""
        return [info for worker in range(COUNT) for info in self._answer(worker)]

    def _answer(self, worker: int) -> Any:  # noqa: ANN401  changes or segments
        try:
            return pickle.load(_stream(self._children[worker].stdout))  # noqa: S301  our own process
        except (EOFError, OSError, pickle.UnpicklingError):
            raise WorkerLost from None

    def close(self) -> None:
        """End the processes, and clear away what they left."""
        for child in self._children:
            child.kill()
            _stream(child.stdout).close()
            child.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise WorkerLost
    return stream


def start(job: ReadingJob) -> Workers | None:
    """Start the processes; None where that gains nothing or can't be done."""
    # Where Python is part of another program, its name starts that program.
    is_python = os.path.basename(sys.executable or "").startswith(("python", "pypy"))
    if (os.cpu_count() or 1) < COUNT or not is_python:
        return None
    try:
        return Workers(job)
    except OSError:
        return None
