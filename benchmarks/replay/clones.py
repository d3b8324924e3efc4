"""Clones to work in: a repository's code at any commit, and commands run in them."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import gitmem
from benchmarks.measure import sealed

MEMORY = ".memory"
_TIMED_OUT = -1


class ReplayError(Exception):
    """A repository can't be replayed: git refuses what was asked."""


class Ended(NamedTuple):
    """How a command ended.

    Attributes:
        code: its exit code; -1 where it took too long.
        output: what it printed.
        errors: what it, and gitmem, printed on standard error.

    """

    code: int
    output: str
    errors: str = ""

    @property
    def text(self) -> str:
        """All that it printed."""
        return f"{self.output}\n{self.errors}"


def git(folder: Path, *arguments: str, stdin: str = "") -> str:
    """Run git and give its output.

    Raises:
        ReplayError: it failed.

    """
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=sealed(),
        input=stdin.encode(errors="surrogateescape"),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        raise ReplayError(f"git {shlex.join(arguments[:3])} in {folder}: {reason}")
    return done.stdout.decode(errors="surrogateescape")


class Clone:
    """A clone in which somebody works, on no branch.

    Args:
        source: the repository.
        folder: where the clone is made; its name is the name of who works there.
        command: what runs the tests, as typed; ``{tests}`` stands for files of tests.
        seconds: how long a run may take.

    """

    def __init__(self, source: Path, folder: Path, command: str, seconds: float) -> None:
        git(folder.parent, "clone", "-q", "--no-checkout", str(source), folder.name)
        self.folder = folder
        self._command = command
        self._seconds = seconds
        for key, value in {
            "user.name": folder.name,
            "user.email": f"{folder.name}@example.org",
            "commit.gpgsign": "false",
            "gc.auto": "0",
        }.items():
            git(folder, "config", key, value)

    @property
    def memory(self) -> Path:
        """Where its memory lies."""
        return self.folder / MEMORY

    def begin(self) -> None:
        """Make a memory."""
        self.gitmem("init")

    def take_over(self, memory: Path) -> None:
        """Have the records of somebody else's memory."""
        shutil.rmtree(self.memory, ignore_errors=True)
        shutil.copytree(memory, self.memory)

    def checkout(self, commit: str) -> None:
        """Check a commit out, without anything of the code before but the memory."""
        git(self.folder, "checkout", "-q", "--force", "--detach", commit)
        git(self.folder, "clean", "-fdq", "-e", f"/{MEMORY}")

    def apply(self, patch: str, *options: str) -> None:
        """Edit the files as a patch says."""
        if patch:
            git(self.folder, "apply", "--whitespace=nowarn", *options, "-", stdin=patch)

    def commit(self, message: str) -> None:
        """Commit all edits of the code."""
        git(self.folder, "add", "-A", "--", ".", f":!{MEMORY}")
        git(self.folder, "commit", "-q", "--no-verify", "-m", message)

    def run(self, tests: Sequence[str], *, watched: bool) -> Ended:
        """Run the tests, under ``gitmem run`` or without it."""
        line = [
            word
            for part in shlex.split(self._command)
            for word in (tests if part == "{tests}" else [part])
        ]
        return self._ended(gitmem("run", "--", *line) if watched else line)

    def gitmem(self, *arguments: str) -> str:
        """Run gitmem and give its output."""
        ended = self._ended(gitmem(*arguments))
        if ended.code:
            raise ReplayError(f"gitmem {arguments[0]} left with {ended.code}: {ended.errors}")
        return ended.output

    def _ended(self, line: Sequence[str]) -> Ended:
        # A file that is edited twice in a second may keep the bytecode of the first time.
        environ = {**sealed(), "PYTHONDONTWRITEBYTECODE": "1"}
        environ.pop("CI", None)
        with subprocess.Popen(
            line,
            cwd=self.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                printed = process.communicate(timeout=self._seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return Ended(_TIMED_OUT, "")
        # Runners name files by where they lie on this machine, records do not.
        top = f"{os.path.realpath(self.folder)}/"
        output, errors = (text.decode(errors="replace").replace(top, "") for text in printed)
        return Ended(process.returncode, output, errors)


def named(path: Path) -> Path:
    """Give a repository's folder in full.

    Raises:
        ReplayError: there is none.

    """
    if not path.is_dir():
        raise ReplayError(f"there is no folder {path}")
    git(path, "rev-parse", "--git-dir")
    return Path(os.path.realpath(path))
