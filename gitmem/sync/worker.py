"""One of the processes that ``workers`` starts: a job comes in, what was read goes out."""

import gc
import os
import pickle
import sys
from typing import IO

from gitmem.index.building import SegmentBuilder
from gitmem.sync.reading import read_file
from gitmem.sync.workers import Batch, Job


def work(job: Job, out: IO[bytes]) -> None:
    """Read what the job says; answer each batch with changes, each piece with segments."""
    for piece in job.pieces:
        builder = SegmentBuilder(job.directory)
        for batch in piece:
            _send(_read(job, batch, builder), out)
        _send(builder.finish(), out)


def _read(job: Job, batch: Batch, builder: SegmentBuilder) -> object:
    changes = []
    for file in batch:
        reading = read_file(job.store, file.path, file.stamp, job.masks, file.digest)
        if reading:
            changes.append(reading.change)
            if reading.document is not None:
                builder.add(file.number, reading.document)
    return changes


def _send(answer: object, out: IO[bytes]) -> None:
    pickle.dump(answer, out, pickle.HIGHEST_PROTOCOL)
    out.flush()


def main() -> None:
    """Do one job."""
    gc.disable()  # no cycles are made, and looking for them doubles the time
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301  from the process that started this one
    try:
        work(job, sys.stdout.buffer)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more


if __name__ == "__main__":
    main()
