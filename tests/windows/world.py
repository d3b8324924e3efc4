"""A Windows to test on: this machine, or the one that ``make windows`` builds, under wine.

Wine's Python takes a file of Linux for no handle, so every stream is a pipe here.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

_ROOT: Final = Path(__file__).resolve().parents[2]
_BUILT: Final = _ROOT / "build" / "windows"
_SECONDS: Final = 300
_GITMEM: Final = "import sys; sys.argv[0] = 'gitmem'; from gitmem.cli import main; main()"
_ASKED: Final = bool(os.environ.get("GITMEM_WINDOWS"))  # which no test sees
IS_WINE: Final = sys.platform != "win32"


class Done(NamedTuple):
    """How a program ended, and what it said, with the line ends of Unix."""

    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        """Everything that it said."""
        return self.out + self.err


class Windows(NamedTuple):
    """Runs programs in a folder: Windows' Python, gitmem with it, and git.

    ``python`` is what Windows calls that Python, ``launcher`` the words that start it from here.
    """

    folder: Path
    launcher: tuple[str, ...]
    python: str
    environ: dict[str, str]

    def run(self, *words: str, stdin: bytes = b"", **environ: str) -> Done:
        """Run words of Windows' Python."""
        done = subprocess.run(
            [*self.launcher, *words],
            cwd=self.folder,
            input=stdin,
            env=self.environ | environ,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
        out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        return Done(done.returncode, out.replace("\r\n", "\n"), err.replace("\r\n", "\n"))

    def gitmem(self, *words: str, stdin: bytes = b"", **environ: str) -> Done:
        """Run gitmem."""
        return self.run("-c", _GITMEM, *words, stdin=stdin, **environ)

    def ok(self, *words: str, stdin: bytes = b"", **environ: str) -> str:
        """Run gitmem, which must end well; give everything that it said."""
        done = self.gitmem(*words, stdin=stdin, **environ)
        assert done.code == 0, done
        return done.all

    def script(self, text: str, *words: str) -> Done:
        """Run lines of Python, to which ``GITMEM`` is the words that start gitmem."""
        head = f"import sys\nGITMEM = [sys.executable, '-c', {_GITMEM!r}]\n"
        return self.run("-c", head + text, *words)

    def git(self, *words: str) -> str:
        """Run the git of the machine that the test runs on: both read the same files."""
        done = subprocess.run(
            ["git", *words], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    def write(self, path: str, text: str) -> None:
        """Write a file, with the line ends that the text has."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")

    def commit(self) -> None:
        """Add everything, and commit it."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "why")

    def records(self, kind: str) -> list[str]:
        """Give the texts of the records of a kind."""
        files = sorted((self.folder / ".memory" / kind).rglob("*.yaml"))
        return [file.read_text(encoding="utf-8") for file in files]


def open_windows(folder: Path) -> Windows:
    """Give the Windows that there is; skip the test where there is none, or none is asked for."""
    here: dict[str, Any] = {"GITMEM_SESSION": "", "NO_COLOR": "1"}
    if not IS_WINE:
        return Windows(folder, (sys.executable,), sys.executable, {**os.environ, **here})
    settings = _BUILT / "surroundings"
    if not _ASKED or not (_BUILT / "done" / "tried").exists():
        pytest.skip("make test-windows runs it")
    given = dict(_assigned(settings.read_text(encoding="utf-8").splitlines()))
    python = given.pop("WINDOWS_PYTHON")
    launcher = (given.pop("WINE"), python)
    drive = "Z:" + python.replace("/", "\\")
    return Windows(folder, launcher, drive, {**os.environ, **given, **here})


def _assigned(lines: Sequence[str]) -> list[tuple[str, str]]:
    words = (word for line in lines for word in shlex.split(line.removeprefix("export ")))
    return [(name, value) for name, _, value in (word.partition("=") for word in words)]
