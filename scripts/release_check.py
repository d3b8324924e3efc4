"""Try what is to be released on every Python that it is for: install, upgrade, README, demo.

The packages are built once. For each Python the wheel is installed into an empty environment and
used; then, beside what tests need, the tests of stores of earlier versions, the transcripts of
README.md and the demo are run on it, with no source of gitmem in reach. Prints a line for each
Python, also for one that is not on this machine; exits 1 if anything failed or nothing was tried.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for the modules beside this script

from scripts.try_wheel import Failure, Shell, build, inspect, sealed, use  # noqa: E402

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
BESIDE: Final = ("tests", "docs", "examples", "scripts", "changes", "pyproject.toml", "README.md")
TESTS: Final = (
    "tests/integration/test_upgrades.py",
    "tests/e2e/test_docs.py::test_what_a_page_shows_is_what_happens",
    "-k",
    "test_upgrades or README",
)


def pythons() -> dict[str, str]:
    """Give the Pythons of this machine by version."""
    done = subprocess.run(
        ["sh", ROOT / "scripts" / "pythons.sh"], capture_output=True, text=True, check=True
    )
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in done.stdout.splitlines()}


def lay_beside(folder: Path) -> None:
    """Lay out the tests and pages, and the history that earlier versions come from."""
    run = Shell(folder.parent, dict(os.environ))
    run("git", "clone", "--quiet", "--no-checkout", "--shared", ROOT, folder)
    for name in BESIDE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


def check(wheel: Path, folder: Path, python: str) -> str:
    """Try a wheel on one Python; give what the tests say last.

    Args:
        wheel: what is tried.
        folder: an empty one.
        python: the interpreter.

    """
    use(wheel, folder, python)
    ours = folder / "venv" / "bin" / "python"
    Shell(folder, dict(os.environ))(
        ours, "-m", "pip", "-qq", "--no-input", "install", f"{wheel}[dev]"
    )
    beside = folder / "beside"
    lay_beside(beside)
    environment = sealed(folder / "home") | {
        "PATH": f"{ours.parent}{os.pathsep}{os.environ['PATH']}",
        "GITMEM_RELEASE_CHECK": "1",
        "GITMEM_DEEP": "ci",
    }
    run = Shell(beside, environment)
    place = run(ours, "-c", "import gitmem; print(gitmem.__file__)").strip()
    if not Path(place).is_relative_to(folder / "venv"):
        raise Failure(f"gitmem was imported from {place}, not from the wheel")
    tests = run(ours, "-m", "pytest", "-q", "-rs", "--timeout", "600", *TESTS)
    run(ours, "examples/demo.py")
    return tests.strip().splitlines()[-1]


def main() -> int:
    """Run as a script."""
    there = pythons()
    failed: list[str] = []
    tried = 0
    with tempfile.TemporaryDirectory(prefix="gitmem-release-") as name:
        top = Path(name)
        try:
            wheel = build(top / "dist")
            inspect(wheel)
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1
        for version in PYTHONS:
            if version not in there:
                print(f"Python {version}: not on this machine, nothing was tried", flush=True)
                continue
            folder = top / version
            folder.mkdir()
            tried += 1
            try:
                last = check(wheel, folder, there[version])
            except Failure as failure:
                failed.append(version)
                print(f"Python {version}: FAILED\n{failure}", file=sys.stderr, flush=True)
            else:
                print(f"Python {version}: installs, upgrades, README and demo: fine ({last})",
                      flush=True)  # fmt: skip
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
