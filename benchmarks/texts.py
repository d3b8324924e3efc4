"""Reading outputs of tools: parsing a large log, and taking secrets out of text. Prints figures."""

import argparse
import random
import re
import resource
import time
from collections.abc import Callable
from typing import Final

from benchmarks.failures import failure
from benchmarks.figures import Figure, print_figures
from benchmarks.vocabulary import digits, hexadecimal, module, noun, prose, snake
from gitmem.matching.parse import Parser
from gitmem.redaction.redact import Redactor

_SECTION: Final = "Reading outputs of tools"
_KIB_IN_MB: Final = 1024
_MB: Final = 1_000_000
_DISTINCT_BYTES: Final = 4 * _MB
_REDACTED_BYTES: Final = 2 * _MB
_PIECE: Final = 1 << 16
_FAMILIES: Final = 400
_FAILS: Final = 0.0005
_SPEAKS: Final = 0.03
"""Of the lines that speak of trouble without being a failure so many are kept."""
_HOSTILE_MB: Final = 10
_TROUBLE: Final = re.compile(
    "error|fail|fault|exception|panic|abort|fatal|crash|invalid|wrong|broken|timeout|not ",
    re.IGNORECASE,
)
_LEVELS: Final = ("INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARNING")


def log(size: int, rng: random.Random, speaks: float = _SPEAKS) -> str:
    """Make a log of a build: lines that tell of progress, and a failure now and then.

    Args:
        size: its characters.
        rng: the dice.
        speaks: how many of the made-up lines with a word of trouble stay. Made-up words name
            it in every fifth line, a real log in one of a hundred or less.

    """
    lines: list[str] = []
    length = 0
    while length < size:
        if rng.random() < _FAILS:
            line = failure(rng.randrange(_FAMILIES), rng).text
        elif rng.random() < 0.5:  # noqa: PLR2004  half of the lines
            when = (
                f"2026-03-{rng.randint(1, 28):02} {rng.randint(0, 23):02}:{rng.randint(10, 59)}:07"
            )
            line = f"{when} {rng.choice(_LEVELS)} {module(rng)}: {prose(rng, 1, 1)}"
        else:
            line = f"  {snake(rng)}/{noun(rng)}.o ok {digits(rng)} bytes {hexadecimal(rng, 12)}"
        if "\n" not in line and _TROUBLE.search(line) and rng.random() > speaks:
            continue
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines) + "\n"


def _rate(function: Callable[[], object], size: int, runs: int) -> tuple[float, float]:
    """Give the median of megabytes a second: of the processor, and by the clock."""
    times = []
    for _ in range(runs):
        clock, processor = time.perf_counter(), time.process_time()
        function()
        times.append((time.process_time() - processor, time.perf_counter() - clock))
    taken, waited = (sorted(each)[runs // 2] for each in zip(*times, strict=True))
    return size / taken / _MB, size / waited / _MB


def _parse(text: str, size: int) -> None:
    """Parse a text over and over, as so many bytes in pieces, as they come out of a pipe."""
    data = text.encode()
    parser = Parser("make")
    for start in range(0, size, _PIECE):
        at = start % len(data)
        parser.feed(data[at : at + _PIECE])
    parser.close()


def measure(megabytes: int, runs: int) -> list[Figure]:
    """Parse a log of so many megabytes once, and redact two of them several times."""
    sample = log(min(_DISTINCT_BYTES, megabytes * _MB), random.Random(5))
    parsed = _rate(lambda: _parse(sample, megabytes * _MB), megabytes * _MB, 1)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_IN_MB
    hostile = min(_HOSTILE_MB, megabytes) * _MB
    bad = log(min(_DISTINCT_BYTES, hostile), random.Random(5), 1.0)
    slow = _rate(lambda: _parse(bad, hostile), hostile, 1)
    text = sample[:_REDACTED_BYTES]
    environ = {"DEPLOY_TOKEN": "dJ4kz02mQw7Lrx91ybTn", "PATH": "/usr/bin:/bin"}
    redacted = _rate(lambda: Redactor(environ).redact(text), len(text), runs)
    return [
        Figure("parse", _SECTION, f"parse a log of {megabytes} MB, CPU", parsed[:1], "MB/s",
               f"clock {parsed[1]:.1f}"),
        Figure("parse-memory", _SECTION, "  peak memory", (held,), "MB"),
        Figure("parse-hostile", _SECTION, "  every fifth line speaks of trouble", slow[:1], "MB/s",
               f"clock {slow[1]:.1f}"),
        Figure("redact", _SECTION, "redaction of a log, CPU", redacted[:1], "MB/s",
               f"clock {redacted[1]:.1f}"),
    ]  # fmt: skip


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print_figures(measure(given.megabytes, given.runs))


if __name__ == "__main__":
    main()
