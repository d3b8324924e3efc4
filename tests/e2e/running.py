"""Running the real command, on pipes and on a terminal, and what every failure must look like."""

import fcntl
import functools
import hashlib
import io
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.accounts import IS_ROOT
from tests.e2e.forks import Forks

SCRIPTS = os.path.dirname(sys.executable)
COMMAND = shutil.which("gitmem", path=SCRIPTS) or "gitmem"
USAGE, NOT_FOUND, INVALID, CONFLICT, MACHINE, INTERRUPTED, PIPE_CLOSED = 2, 3, 4, 5, 6, 130, 141
_SECONDS = 60

# Makes the terminal on standard input the controlling one, so that Ctrl-C becomes a signal.
_OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execvp(sys.argv[1], sys.argv[1:])"
)


class Result(NamedTuple):
    """What a run of the command gave."""

    code: int
    out: str
    err: str

    @property
    def notes(self) -> list[str]:
        """The notices beside the answer."""
        return [line for line in self.err.splitlines() if line.startswith("note: ")]


def run(
    folder: Path,
    *arguments: str,
    stdin: str | bytes | None = "",
    env: Mapping[str, str | None] | None = None,
    wrap: Sequence[str] = (),
    real: bool = False,
) -> Result:
    """Run the command, in a fork of a process that has loaded it (``tests/e2e/forks.py``).

    It is started anew where that could matter: under ``wrap``, and where a variable differs that
    only the start of a process reads.

    Args:
        folder: where it runs.
        arguments: those of the command line, without the program.
        stdin: what it reads; ``None`` passes on this process's own.
        env: changes to the environment; ``None`` takes a variable away.
        wrap: what starts the command, as the beginning of a command line.
        real: start the installed command anew, because the test is about starting it.

    """
    data = stdin.encode() if isinstance(stdin, str) else stdin
    variables = environment(env)
    forks = _forks_of_servers if "GITMEM_LLM_MODEL" in variables else _forks
    if not (real or wrap) and forks().can(variables):
        code, out, err = forks().run(folder, arguments, data, variables, _SECONDS)
        return Result(code, decoded(out), decoded(err))
    done = subprocess.run(
        [*wrap, COMMAND, *arguments],
        cwd=folder,
        input=data,
        env=variables,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    return Result(done.returncode, decoded(done.stdout), decoded(done.stderr))


@functools.cache
def _forks() -> Forks:
    return Forks(COMMAND)


@functools.cache
def _forks_of_servers() -> Forks:
    """Give forks that have loaded also what serves others, and what speaks to models."""
    return Forks(
        COMMAND, "lsp_server.serving", "gitmem.mcp.transports", "openai", "gitmem.llm.chat"
    )


def on_path() -> str:
    """Give a folder to put on ``PATH`` before all others: its ``gitmem`` runs in forks."""
    return _forks().on_path()


def observer() -> list[str]:
    """Give a command line for what is observed without a terminal: it runs in a fork."""
    return _forks().program()


def server(*, real: bool = False) -> list[str]:
    """Give a command line to put the arguments of a command behind that serves others.

    What it starts is a fork of a process that has loaded the servers, as with ``run``.

    Args:
        real: the installed command, because the test is about its process.

    """
    if real or not _forks_of_servers().can(environment()):
        return [COMMAND]
    return _forks_of_servers().program()


def ok(folder: Path, *arguments: str, stdin: str | bytes = "", **env: str) -> str:
    """Run a command that must succeed; give its standard output."""
    done = run(folder, *arguments, stdin=stdin, env=env)
    assert done.code == 0, done
    return done.out


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Copy this process's environment with changes."""
    merged: dict[str, str | None] = {**os.environ, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def decoded(data: bytes) -> str:
    """Read output; a byte that is no UTF-8 stays visible."""
    return data.decode(errors="backslashreplace")


def in_process(folder: Path, *arguments: str, stdin: bytes = b"") -> Result:
    """Run the command line in this process: for parts that are patched."""
    from gitmem.cli import main  # noqa: PLC0415  only some tests need it

    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (stdin, b"", b"")]
    kept, code = (sys.stdin, sys.stdout, sys.stderr), -1
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        main(["-C", str(folder), *arguments])
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
    out, err = (_written(stream) for stream in streams[1:])
    return Result(code, out, err)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def complains(result: Result, code: int, *words: str) -> None:
    """Check the form of a failure: its code, one line, one hint, and the words it must hold."""
    assert result.code == code, result
    said = [line for line in result.err.splitlines() if not line.startswith("note: ")]
    assert said, result
    assert said[0].startswith("gitmem: "), result
    assert len(said[0]) > len("gitmem: ") + 4, result
    assert len(said) <= 2, result
    assert all(line.startswith("  ") and line.strip() for line in said[1:]), result
    assert "Traceback" not in result.out + result.err, result
    for word in words:
        assert word.lower() in "\n".join(said).lower(), (word, result)


def content(folder: Path) -> dict[str, str]:
    """Give every file below ``folder`` with a digest of its bytes, links with their target."""
    found = {}
    for here, folders, names in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        for name in (*names, *folders):
            path = os.path.join(here, name)
            found[os.path.relpath(path, folder)] = _digest(path)
    return {path: digest for path, digest in found.items() if digest}


def _digest(path: str) -> str:
    if os.path.islink(path):
        return f"-> {os.readlink(path)}"
    if not os.path.isfile(path):
        return "" if os.path.isdir(path) else "special"  # an empty folder is nothing to git
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """Check that the block changes no file of the work tree."""
    before = content(folder)
    yield
    assert content(folder) == before


class Terminal:
    """The command on a terminal of its own.

    Args:
        folder: where to run it.
        arguments: what to run it with.
        columns: how wide the terminal is.
        env: changes to the environment.

    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        columns: int = 80,
        env: Mapping[str, str | None] | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.said = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OWN_TERMINAL, COMMAND, *arguments],
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment({"TERM": "xterm", **(env or {})}),
            start_new_session=True,
        )
        os.close(slave)

    def until(self, text: str) -> None:
        """Wait until ``text`` was shown."""
        end = time.monotonic() + _SECONDS
        while text not in self.said:
            assert time.monotonic() < end, self.said
            if not self._take():
                raise AssertionError(self.said)

    def press(self, keys: str) -> None:
        """Type something."""
        os.write(self._master, keys.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, as soon as people can: Python misses one just before it begins to wait."""
        time.sleep(0.3)
        self.press("\x03")

    def end(self) -> Result:
        """Wait for the end; everything shown is in ``out``."""
        while self._take():
            pass
        code = self.process.wait(_SECONDS)
        os.close(self._master)
        return Result(code, self.said.replace("\r\n", "\n"), "")

    def _take(self) -> bool:
        if not select.select([self._master], [], [], _SECONDS)[0]:
            self.process.kill()
            raise AssertionError(self.said)
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            return False
        self.said += decoded(data)
        return bool(data)


def shown_on_terminal(
    folder: Path,
    *arguments: str,
    columns: int = 80,
    env: Mapping[str, str | None] | None = None,
) -> Result:
    """Run the command on a terminal to its end."""
    return Terminal(folder, *arguments, columns=columns, env=env).end()


def as_nobody() -> list[str]:
    """Give what to put before a command so that permissions bind; nothing if they do anyway."""
    if not IS_ROOT:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("permissions do not bind the superuser, and there is no setpriv here")
    wrap = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # A Python in the superuser's home can't be started by anybody else.
    if subprocess.run(
        [*wrap, sys.executable, "-c", ""], capture_output=True, check=False
    ).returncode:
        pytest.skip("another user can't start this Python: it lies in a closed folder")
    return wrap


def open_to_all(folder: Path) -> None:
    """Let another user walk to ``folder`` and write below it."""
    top = Path(tempfile.gettempdir()).resolve()
    for parent in folder.parents:
        if top in parent.parents and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    for here, _, names in os.walk(folder):
        Path(here).chmod(0o777)
        for name in names:
            path = Path(here, name)
            if not path.is_symlink():
                path.chmod(0o666)


def with_mounts(script: str, **folders: Path) -> list[str]:
    """Give what to put before a command so that mounts made by ``script`` are its own only.

    The script sees ``folders`` by name and the command as ``"$@"``.
    """
    base = ["unshare", "--mount"] if IS_ROOT else ["unshare", "--mount", "--map-root-user"]
    probe = [*base, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True).returncode:  # noqa: PLW1510
        pytest.skip("this machine lets no process mount anything, not even for itself")
    names = "".join(f'{name}="$1"; shift; ' for name in folders)
    values = [str(path) for path in folders.values()]
    return [*base, "sh", "-ec", f"{names}{script}", "sh", *values]
