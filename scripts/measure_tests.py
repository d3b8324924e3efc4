"""Measure what each test costs: ``tests/costs.json``, by which ``make test`` chooses its share.

The whole suite is run once; what is given is given to pytest. A test function is listed, with all
its cases together, if it or a case of its folder takes longer than ``LEAST`` seconds. Only sizes
matter, not decimals: who measures on a slower machine need not change the file.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
COSTS: Final = ROOT / "tests" / "costs.json"
LEAST: Final = 0.2


def main() -> int:
    """Run the tests and write the file; give pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "scripts" / "scratch.py"
        scratch = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, check=True
        ).stdout.strip()
        COSTS.unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--dist", "worksteal", *sys.argv[1:]],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": scratch, "GITMEM_TEST_COSTS": folder},
            check=False,
        )
        write(Path(folder))
    return done.returncode


def write(folder: Path) -> None:
    """Add up what was noted in the files of a folder, and write it."""
    costs: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    cases: dict[str, list[float]] = defaultdict(list)
    for noted in folder.iterdir():
        for line in noted.read_text(encoding="utf-8").splitlines():
            name, seconds = json.loads(line)
            file, _, test = name.partition("::")
            costs[file][test.partition("[")[0]] += seconds
            cases[file.rpartition("/")[0]].append(seconds)
    averages = {name: round(sum(each) / len(each), 2) for name, each in sorted(cases.items())}
    listed = {
        file: {
            test: round(seconds, 1)
            for test, seconds in sorted(tests.items())
            if max(seconds, averages[file.rpartition("/")[0]]) > LEAST
        }
        for file, tests in sorted(costs.items())
    }
    long = {file: tests for file, tests in listed.items() if tests}
    text = json.dumps({"averages": averages, "files": long}, indent=1)
    COSTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
