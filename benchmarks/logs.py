"""``python -m benchmarks.logs --beside CHECKOUT``: read made logs with two builds, side by side.

Each run is a process of its own, and those of both builds take turns, so that what else the
machine does slows both. Figures are megabytes for each second of processor time.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_WORDS: Final = (  # noqa: SIM905  read as words
    "loading cache entry user order fetched from upstream service handler request completed "
    "response queue worker started tick batch item written segment offset committed index "
    "rebuilt connection pool idle"
).split()
_READ: Final = """\
import sys, time
from gitmem.matching.parse import Parser
data = open(sys.argv[1], "rb").read()
parser = Parser(sys.argv[2] or None)
begun = time.process_time()
for at in range(0, len(data), 65536):
    parser.feed(data[at : at + 65536])
parser.close()
print(len(data) / 1e6 / (time.process_time() - begun))
"""


def _plain(rng: random.Random) -> Iterator[str]:
    for number in count():
        hour, minute, second = number // 3600 % 24, number // 60 % 60, number % 60
        yield (
            f"2026-11-28 {hour:02}:{minute:02}:{second:02},{number % 1000:03} INFO  "
            f"app.{rng.choice(_WORDS)} {' '.join(rng.choices(_WORDS, k=8))} "
            f"id={rng.randrange(10**6)} took {rng.randrange(900)}ms"
        )


def _trouble(rng: random.Random) -> Iterator[str]:
    reasons = ("timeout", "connection refused", "not found")
    for number, line in enumerate(_plain(rng)):
        address = rng.randrange(1 << 32)
        worse = (
            f"{line.replace('INFO ', 'ERROR', 1)} failed: {rng.choice(reasons)} at 0x{address:08x}"
        )
        yield line if number % 5 else worse


def _services(rng: random.Random) -> Iterator[str]:
    for line in _plain(rng):
        yield f"{rng.choice(('web-1    ', 'db-1     ', 'worker-1 '))}| {line}"


def _tests(rng: random.Random) -> Iterator[str]:
    yield "============================= test session starts =============================="
    yield "collected 200000 items"
    yield ""
    for number in count():
        name = f"test_{rng.choice(_WORDS)}_{rng.choice(('error', 'fails', 'raises', 'ends'))}"
        file = f"tests/test_{rng.choice(_WORDS)}.py"
        yield f"{file}::{name}[{number}] PASSED [{min(99, number // 2000):3}%]"


LOGS: Final = {
    "plain": (_plain, ""),
    "every fifth line speaks of trouble": (_trouble, ""),
    "services with prefixes": (_services, ""),
    "pytest -v": (_tests, "pytest -v"),
}
"""By name what makes the lines, and the command that they are of."""


def written(name: str, megabytes: int, folder: Path) -> Path:
    """Write a log of some size."""
    lines, _ = LOGS[name]
    path = folder / f"{name}.log"
    source, size, most = lines(random.Random(7)), 0, megabytes << 20
    with path.open("w", encoding="utf-8") as file:
        while size < most:
            size += file.write("\n".join(islice(source, 1_000)) + "\n")
    return path


def speed(build: Path, log: Path, command: str) -> float:
    """Read a log with a build in a new process; megabytes for each second of processor time."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _READ, str(log), command],
        env={"PYTHONPATH": str(build), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def main() -> None:
    """Read made logs with this build, and with another one beside it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.logs", description=main.__doc__)
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="another build")
    parser.add_argument("--log-mb", type=int, default=16, help="size of each log (16)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each build (3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    builds = [ROOT, *([given.beside.resolve()] if given.beside else [])]
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (_, command) in LOGS.items():
            log = written(name, given.log_mb, Path(folder))
            runs = [[speed(build, log, command) for build in builds] for _ in range(given.runs)]
            figures[name] = [statistics.median(each) for each in zip(*runs, strict=True)]
            log.unlink()
            own, *others = figures[name]
            beside = "".join(f"  beside {other:5.1f}  ratio {own / other:.2f}" for other in others)
            print(f"{name:36} {own:5.1f} MB/s{beside}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
