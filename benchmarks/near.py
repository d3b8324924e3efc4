"""The extra ``semantic``: what its vectors take, and what it adds to a question.

The environment names the embedder. Prints figures; none where the extra is not installed.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, print_figures
from benchmarks.inside import LIMIT, Still
from benchmarks.measure import percentile
from gitmem import query as query_language
from gitmem.memory import Memory
from gitmem.search.pipeline import search
from gitmem.semantic.words import installed

_SECTION: Final = "With the extra semantic, its built-in table"
_MB: Final = 1_000_000
_ASKED: Final = ("six words", "pasted error")
_WARM: Final = 5


def measure(repository: str, questions: dict[str, list[str]], count: int) -> Iterator[Figure]:
    """Make the vectors, and ask each question with and without them, in turn."""
    if installed() is None:
        return
    with Memory.open(repository) as memory:
        began = time.process_time()
        memory.checks.catch_up()
        taken = time.process_time() - began
        size = os.path.getsize(memory.workspace.derived.meaning.path) / _MB
        detail = f"made in {taken:.1f} s CPU"
        yield Figure("near-vectors", _SECTION, "size of the vectors", (size,), "MB", detail)
        still = Still(memory)
        for kind in _ASKED:
            added = _added(memory, still, questions[kind][: count + _WARM])
            values = (percentile(added, 0.5), percentile(added, 0.99))
            yield Figure(f"near-{kind}", _SECTION, f"{kind}, added CPU p50 / p99", values, "ms")


def _added(memory: Memory, still: Still, texts: list[str]) -> list[float]:
    """Give the milliseconds of the processor that nearness adds to each question."""
    durations = []
    for number, text in enumerate(texts):
        query = query_language.parse(text, memory.workspace.clock())
        taken = []
        for without in (True, False):
            memory.workspace.derived.meaning.passed_over = without
            began = time.process_time()
            search(still, query, LIMIT)
            taken.append((time.process_time() - began) * 1000)
        if number >= _WARM:
            # What is less than the clock's own noise is nothing.
            durations.append(max(taken[1] - taken[0], 0.0))
    return durations


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("repository")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    questions = json.loads(given.questions.read_text(encoding="utf-8"))
    print_figures(measure(given.repository, questions, given.count))


if __name__ == "__main__":
    main()
