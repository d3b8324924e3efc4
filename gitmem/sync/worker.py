"""A reading process that ``workers`` starts: receives a job, returns what it read."""

import gc
import os
import pickle
import sys
from typing import IO, Final

from gitmem.index.index_update import SegmentBuilder
from gitmem.semantic.choice import WORDS, Choice
from gitmem.semantic.protocol import EmbeddedText, Embedder, VectorRow
from gitmem.sync.record_reader import UnreadFile, read_batch
from gitmem.sync.workers import Batch, BatchResult, ReadingJob
from gitmem.system import nice

_NICE: Final = 5
"""An editor's hovers, and whatever else somebody waits for, come first."""


def work(job: ReadingJob, out: IO[bytes]) -> None:
    """Read what the job says; answer each batch with changes, each piece with segments."""
    embedder = Choice(WORDS).make(job.vocabulary) if job.vocabulary else None
    for piece in job.pieces:
        builder = SegmentBuilder(job.directory) if job.indexed else None
        for batch in piece:
            _send(_read(job, batch, builder, embedder), out)
        if builder:
            _send(builder.finish(), out)


def _read(
    job: ReadingJob, batch: Batch, builder: SegmentBuilder | None, embedder: Embedder | None
) -> BatchResult:
    numbers = {file.path: file.number for file in batch}
    files = [UnreadFile(file.path, file.stamp, file.digest) for file in batch]
    readings = read_batch(
        job.store,
        files,
        job.team_rules,
        with_text=bool(embedder),
        with_document=builder is not None,
    )
    texts: list[tuple[int, bytes, EmbeddedText]] = []
    for change, document, text in readings:
        if builder and document is not None:
            builder.add(numbers[change.path], document)
        if text is not None:
            texts.append((numbers[change.path], change.digest, text))
    embeddings = embedder.embed([text for _, _, text in texts]) if embedder else []
    rows = [
        VectorRow(number, digest, text.manner, embedding)
        for (number, digest, text), embedding in zip(texts, embeddings, strict=bool(embedder))
    ]
    return BatchResult([reading.change for reading in readings], rows)


def _send(answer: object, out: IO[bytes]) -> None:
    pickle.dump(answer, out, pickle.HIGHEST_PROTOCOL)
    out.flush()


def main() -> None:
    """Do one job."""
    nice(_NICE)
    gc.disable()  # no cycles are made, and looking for them doubles the time
    job: ReadingJob = pickle.load(sys.stdin.buffer)  # noqa: S301  from the process that started this one
    try:
        work(job, sys.stdout.buffer)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more


if __name__ == "__main__":
    main()
