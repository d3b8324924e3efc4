"""Measured inside one process: questions, catching up, adding a record.

Changes what is in the repository and puts it back. Prints JSON.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Calls, calls
from gitmem import query as query_language
from gitmem.catalog.catalog import Catalog
from gitmem.index.protocol import Index
from gitmem.matching.parse import main_failure
from gitmem.memory import Memory
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.failures.matching import match
from gitmem.search.pipeline import search
from gitmem.sync import Progress, quiet
from gitmem.sync.derived import Derived

CHANGES: Final = (0, 1, 100, 5_000)
_SHARE: Final = 4
"""Of a memory not more than this part is changed at once."""
LIMIT: Final = 10
_OFTEN: Final = 100
"""More changes than these are made once only."""


class Still(Derived):
    """Catalog and index as they are now: what a resident process with a watcher asks."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory.workspace.store, None, 0)
        self._now = memory.workspace.derived.catalog(), memory.workspace.derived.index()

    def catalog(self, progress: Progress = quiet) -> Catalog:  # noqa: ARG002
        """Give the catalog as it was."""
        return self._now[0]

    def index(self, progress: Progress = quiet) -> Index:  # noqa: ARG002
        """Give the index as it was."""
        return self._now[1]


def measure_questions(
    memory: Memory, questions: dict[str, list[str]], count: int
) -> dict[str, Any]:
    """Ask ``count`` questions of each kind without looking at the files."""
    still = Still(memory)

    def ask(text: str) -> None:
        search(still, query_language.parse(text, memory.workspace.clock()), LIMIT)

    return {kind: calls(ask, texts[:count])._asdict() for kind, texts in questions.items()}


def measure_matching(memory: Memory, texts: Sequence[str]) -> dict[str, Any]:
    """Tell what is known about failures, parsed already, without looking at the files."""
    failures = {text: main_failure(text) for text in texts}
    given, memory.workspace.derived = memory.workspace.derived, Still(memory)

    def ask(text: str) -> None:
        match(
            memory.records.reader,
            [fingerprinted(memory.workspace, failures[text])],
        )

    times = calls(ask, texts)._asdict()
    memory.workspace.derived = given
    return times


def measure_catching_up(memory: Memory, runs: int) -> dict[str, Any]:
    """Time how long catalog and index take to see edits, a complete comparison each."""
    memory.workspace.derived.index()
    listed = sorted(memory.workspace.store.listing().files)
    times_by_count: dict[str, Any] = {}
    for count in CHANGES:
        if count > _OFTEN and count * _SHARE > len(listed):
            continue
        edits = _Edits(memory, listed[:: max(len(listed) // count, 1)][:count] if count else [])
        times = Calls([], [])
        for number in range(-1, runs if count <= _OFTEN else 1):
            edits.make(number)
            began, processor = time.perf_counter(), time.process_time()
            memory.workspace.derived.index()
            if number >= 0:
                times.processor.append((time.process_time() - processor) * 1000)
                times.clock.append((time.perf_counter() - began) * 1000)
        edits.take_back()
        memory.workspace.derived.index()
        times_by_count[str(count)] = times._asdict()
    return times_by_count


class _Edits:
    """Edits of some record files, which can be taken back."""

    def __init__(self, memory: Memory, paths: Sequence[str]) -> None:
        full = [os.path.join(memory.workspace.store.root, path) for path in paths]
        self._files = {path: (Path(path).read_bytes(), os.stat(path).st_mtime_ns) for path in full}

    def make(self, number: int) -> None:
        """Add a field to each file. Times stay in the past, or contents would be compared."""
        for path, (data, mtime) in self._files.items():
            Path(path).write_bytes(data + b"benchmark: run %d\n" % number)
            os.utime(path, ns=(mtime, mtime + 1_000_000 * (number + 2)))

    def take_back(self) -> None:
        for path, (data, mtime) in self._files.items():
            Path(path).write_bytes(data)
            os.utime(path, ns=(mtime, mtime))


def measure_adding(memory: Memory, runs: int) -> list[float]:
    """Time ``Memory.add`` of a note, until it is safe on disk."""
    times = []
    for number in range(-1, runs):
        began = time.perf_counter()
        record = memory.add("note", {"title": f"Benchmark {number}", "body": "A short note.\n" * 4})
        if number >= 0:
            times.append((time.perf_counter() - began) * 1000)
        memory.forget(record.id)
    return times


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("repository")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    questions = json.loads(given.questions.read_text(encoding="utf-8"))
    with Memory.open(given.repository) as memory:
        result = {
            "questions": measure_questions(memory, questions, given.count),
            "matching": measure_matching(memory, questions["pasted error"][: given.count]),
            "catching up": measure_catching_up(memory, given.runs),
            "adding": measure_adding(memory, given.runs),
        }
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
