"""Interactive shells on a terminal, as their users start them."""

import os
import pty
import select
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.running import environment

_SECONDS: Final = 60
STARTS: Final = {
    "bash": ("--norc", "--noprofile", "-i"),
    "zsh": ("-f", "-i"),
    "fish": ("--no-config", "-i"),
}
# A number that nobody typed: what the shell makes of it shows that it is done.
_DONE: Final = "echo done-$((1000 + {0}))", "done-{0}"
_SUM: Final = {"fish": "echo done-(math 1000 + {0})"}


class InteractiveShell:
    """An interactive shell on a terminal, in a folder."""

    def __init__(self, name: str, folder: Path) -> None:
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"there is no {name} here")
        assert program
        self.name = name
        self._lines = 0
        self._said = b""
        home = folder.parent / f"home-{name}"
        home.mkdir(exist_ok=True)
        gone = {"HISTFILE": None, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None}
        values = {"HOME": str(home), "TERM": "dumb", "PS1": "$ ", **gone}
        self._pid, self.terminal = pty.fork()
        if not self._pid:
            os.chdir(folder)
            os.execve(program, [name, *STARTS[name]], environment(values))  # noqa: S606  a terminal needs a fork
        self.do(":")

    def do(self, line: str) -> str:
        """Type a line; give what was shown until the shell was done with it."""
        self._lines += 1
        self._said = b""
        asked = _SUM.get(self.name, _DONE[0]).format(self._lines)
        # Two lines, so that the prompt in between is one as people see it.
        self.type(line)
        self.type(asked)
        self._until(_DONE[1].format(1000 + self._lines).encode())
        return self._said.decode(errors="replace").replace("\r", "")

    def type(self, line: str) -> None:
        """Type a line, and wait for nothing."""
        os.write(self.terminal, f"{line}\n".encode())

    def _until(self, what: bytes) -> None:
        while what not in self._said:
            assert select.select([self.terminal], [], [], _SECONDS)[0], self._said
            data = os.read(self.terminal, 65536)
            assert data, self._said
            self._said += data

    def close(self) -> None:
        os.write(self.terminal, b"exit 0\n")
        os.close(self.terminal)  # whatever it does, now it is hung up on
        os.waitpid(self._pid, 0)
