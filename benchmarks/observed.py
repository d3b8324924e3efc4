"""What ``gitmem run`` adds to a command: to nothing at all, and to a run of tests."""

import argparse
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.measure import UNIT, Command, child, milliseconds, processor, rounds
from benchmarks.report import table

_SECTION: Final = "Watching a command: gitmem run"
_TESTS: Final = 200
_WORK: Final = 40_000
"""Steps of a sum that take about half a millisecond."""
_STEP_SECONDS: Final = 0.0005
_FOLDER: Final = "bench_tests"
_FAILING: Final = f"""
def test_the_last_one_fails():
    assert sum(range(10)) == {_TESTS}
"""


def measure(subject: Subject, options: Options) -> Iterator[Figure]:
    """Run commands with and without gitmem in turn; what was written is the caller's to remove."""
    here = subject.repository
    plant(here / _FOLDER, options.test_seconds)
    choices = {
        "true": lambda _at: Command(["true"], here),
        "run": lambda _at: Command(gitmem("run", "--", "true"), here),
    }
    costs = rounds(choices, options.runs, subject.scratch)
    added = milliseconds(costs["run"]) - milliseconds(costs["true"])
    detail = f"{added:.0f} ms, CPU {processor(costs['run']):.0f}"
    unit = milliseconds(costs[UNIT])
    yield Figure("run-true", _SECTION, "gitmem run -- true, added", (added / unit,), "P", detail)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", _FOLDER]
    choices = {
        "bare": lambda _at: Command(tests, here, (1,)),
        "observed": lambda _at: Command(gitmem("run", "--", *tests), here, (1,)),
    }
    costs = rounds(choices, options.runs, subject.scratch)
    pairs = zip(costs["bare"], costs["observed"], strict=True)
    added = statistics.median(two.milliseconds - bare.milliseconds for bare, two in pairs)
    seconds = milliseconds(costs["bare"]) / 1000
    more = processor(costs["observed"]) - processor(costs["bare"])
    label = f"gitmem run of {_TESTS} tests, added"
    # What is less than the clock's own noise is nothing.
    detail = f"{added / seconds / 10:.1f} % of {seconds:.1f} s"
    yield Figure("run-tests", _SECTION, label, (max(added, 0.0),), "ms", detail)
    used = processor(costs["bare"]) / 1000
    detail = f"{more / used / 10:.1f} % of {used:.1f} s"
    yield Figure("run-tests-cpu", _SECTION, f"{label}, CPU", (max(more, 0.0),), "ms", detail)


def plant(folder: Path, seconds: float) -> None:
    """Write tests that compute for about so long, and one that fails."""
    folder.mkdir()
    steps = max(int(seconds / _TESTS / _STEP_SECONDS), 1)
    template = "\ndef test_{n}():\n    assert [sum(range({w})) for _ in range({s})]\n"
    tests = "".join(template.format(n=number, w=_WORK, s=steps) for number in range(_TESTS))
    (folder / "test_sums.py").write_text(tests + _FAILING, encoding="utf-8")


def main() -> None:
    """Measure what watching adds to a run of tests in memories of some sizes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.observed", description=main.__doc__)
    parser.add_argument("size", type=int, nargs="+", help="records")
    parser.add_argument("--build", type=Path, default=Path("build", "bench"))
    parser.add_argument("--runs", type=int, default=5, help="runs of each process (5)")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the tests (10)")
    given = parser.parse_args()
    for size in given.size:
        subject = Subject(
            size, given.build.resolve() / child("generator", size, given.build.resolve())
        )
        subject.restore()
        options = Options(given.runs, 0, given.seconds)
        print(table(size, list(measure(subject, options))), flush=True)
        subject.restore()


if __name__ == "__main__":
    main()
