"""``python -m benchmarks``: make memories, measure gitmem on them, print a table for each."""

import argparse
import json
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.figures import Options, Subject
from benchmarks.measure import child
from benchmarks.report import FORMAT, data, table
from benchmarks.suite import figures, once


def main() -> None:
    """Measure gitmem on made-up memories. Nothing is judged by the exit code."""
    given = _arguments()
    build = given.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    options = Options(given.runs, given.questions, given.test_seconds, given.log_mb)
    machine = f"{os.cpu_count()} processors, Python {platform.python_version()}"
    document: dict[str, Any] = {"format": FORMAT, "machine": machine, "runs": given.runs}
    document["began"] = datetime.now(UTC).isoformat(timespec="minutes")
    document["load"] = [os.getloadavg()[1]]
    sizes: dict[str, Any] = {}
    print(f"{machine}; medians of {given.runs} runs, {given.questions} questions of each kind\n")
    apart = list(once(options))
    print(table(0, apart), flush=True)
    document["once"] = data(0, apart)
    for size in given.sizes:
        print(f"{size:,} records", file=sys.stderr, flush=True)
        name = child("generator", size, build)
        measured = list(figures(Subject(size, build / name), options))
        print(table(size, measured), flush=True)
        sizes[str(size)] = data(size, measured)
        document["load"].append(os.getloadavg()[1])
    document["ended"] = datetime.now(UTC).isoformat(timespec="minutes")
    if given.json:
        text = json.dumps(document | {"sizes": sizes}, indent=2) + "\n"
        given.json.write_text(text, encoding="utf-8")


def _arguments() -> argparse.Namespace:
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument(
        "--sizes", type=_sizes, default="1000,10000", help="records, such as 1000,10000,100000"
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each process (5)")
    parser.add_argument("--questions", type=int, default=100, help="questions of each kind (100)")
    parser.add_argument(
        "--test-seconds", type=float, default=4.0, help="of the tests that gitmem run watches (4)"
    )
    parser.add_argument("--log-mb", type=int, default=100, help="of the log that is parsed (100)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument(
        "--build", type=Path, default=root / "build" / "bench", metavar="DIR",
        help="where the memories are kept (build/bench)",
    )  # fmt: skip
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


if __name__ == "__main__":
    main()
