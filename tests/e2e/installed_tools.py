"""Tools that tests install once, under build/tools, by pip and npm.

Where that can't be done, the test that needs one is skipped.
"""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from tests.conftest import Checkout

TOOLS: Final = Path(__file__).resolve().parents[2] / "build/tools/hook-managers"
ENVIRON: Final = dict(os.environ)  # tests have a home of their own, without settings of registries


def run_program(
    *command: str, cwd: "Path | Checkout", **environ: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True,
        check=False, timeout=200,
    )  # fmt: skip


def installed(program: Path, *commands: tuple[str, ...]) -> str:
    """Give a program's path, installed first where it is missing; skip if that can't be done."""
    TOOLS.mkdir(parents=True, exist_ok=True)
    with (TOOLS / "lock").open("w") as lock:  # other tests run beside this one
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in commands if not program.exists() else ():
            if shutil.which(command[0]) is None:
                pytest.skip(f"no {command[0]}")
            done = run_program(*command, cwd=TOOLS, **ENVIRON)
            if done.returncode:
                said = (done.stderr or done.stdout).strip().splitlines()[-1:]
                pytest.skip(f"{program.name} can't be installed: {' '.join(said)}")
    return str(program)


def from_npm(name: str, *packages: str) -> str:
    """Give the path of a program of npm packages."""
    # Without scripts: lefthook's own would install hooks into this very repository.
    npm = ("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund",
           "--prefix", str(TOOLS))  # fmt: skip
    return installed(TOOLS / "node_modules/.bin" / name, (*npm, *packages))
