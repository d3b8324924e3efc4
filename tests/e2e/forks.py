"""Processes that have loaded gitmem once and run each command in a fork of themselves.

Starting Python and importing gitmem takes most of the time of a command. Everything else stays
as in a real start: a process of its own with its own folder, environment, signal handlers,
caches, exit handlers and file descriptors, from which nothing comes back but output and exit
code. ``serve`` is the process; ``Forks`` is what tests ask, and ``tests/e2e/forked.py`` a program
that stands for a command where a program is wanted. What a start alone decides (the encoding,
Python's own options, which modules get loaded) needs a real one.

A request is a connection to a Unix socket: the length in four bytes, JSON of that length, and
with the first byte three descriptors, which become standard input, output and error. What comes
back is, in four bytes each, the id of the process, and when it has ended its exit code as
``subprocess`` counts it.
"""

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

_START_ALONE: Final = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""How variables begin that only the start of a process reads."""
_HEAVY: Final = ("gitmem.mcp", "gitmem.llm", "gitmem.compat", "gitmem.pytest_plugin",
                 "gitmem.pictures", "gitmem.__main__",
                 "gitmem.system.windows", "gitmem.system.child.windows")  # fmt: skip
"""What few commands load, who load it themselves, and what another system does."""
_FURTHER: Final = ("difflib", "inspect", "sqlite3", "click.shell_completion", "msgspec.json")
_CHUNK: Final = 65536


class Forks:
    """Runs commands in forks of a process that has gitmem loaded.

    Args:
        command: the path of the installed command, which messages may name.
        further: modules that the process loads beside those of the command line.

    """

    def __init__(self, command: str, *further: str) -> None:
        self._command = command
        started = {**os.environ, "LC_ALL": "C.UTF-8"}  # as tests/conftest.py seals it
        self._start_alone = _of_start(started)
        folder = tempfile.mkdtemp(prefix="forks-")
        self._address = os.path.join(folder, "socket")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self._address)
            listening.listen(64)
            # It ends when its standard input does, which is when this process is gone.
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, command, str(listening.fileno()), folder,
                 *further],
                pass_fds=[listening.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env=started,
            )  # fmt: skip
        atexit.register(self.close)

    def close(self) -> None:
        """End the process; what runs in its forks goes on."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def can(self, env: Mapping[str, str]) -> bool:
        """Tell whether a command with these variables would start as this process did."""
        return _of_start(env) == self._start_alone

    def program(self) -> list[str]:
        """Give a command line to put arguments behind: what it runs is a fork."""
        client = os.path.join(os.path.dirname(__file__), "forked.py")
        return [sys.executable, "-I", "-S", client, self._address]

    def on_path(self) -> str:
        """Give a folder to put on ``PATH``, whose ``gitmem`` runs in forks."""
        folder = os.path.join(os.path.dirname(self._address), "bin")
        if not os.path.exists(folder):
            os.mkdir(folder)
            script = Path(folder, "gitmem")
            script.write_text(f'#!/bin/sh\nexec {shlex.join(self.program())} "$@"\n')
            script.chmod(0o755)
        return folder

    def run(
        self,
        folder: Path,
        arguments: Sequence[str],
        stdin: bytes | None,
        env: Mapping[str, str],
        seconds: float,
    ) -> tuple[int, bytes, bytes]:
        """Run a command to its end; give its exit code, standard output and standard error.

        Args:
            folder: where it runs.
            arguments: those of the command line, without the program.
            stdin: what it reads; ``None`` passes on this process's own.
            env: all its environment variables.
            seconds: after which it is killed.

        Raises:
            subprocess.TimeoutExpired: it was killed.

        """
        mask = os.umask(0)
        os.umask(mask)
        request = json.dumps(
            {"folder": os.fspath(folder), "arguments": list(arguments), "env": dict(env),
             "mask": mask}
        ).encode()  # fmt: skip
        with socket.socket(socket.AF_UNIX) as replies:
            replies.connect(self._address)
            streams = [os.pipe() for _ in range(3)]
            (theirs_in, ours_in), (ours_out, theirs_out), (ours_err, theirs_err) = streams
            given = 0 if stdin is None else theirs_in
            socket.send_fds(
                replies, [len(request).to_bytes(4, "big")], [given, theirs_out, theirs_err]
            )
            replies.sendall(request)
            for handle in (theirs_in, theirs_out, theirs_err):
                os.close(handle)
            child = _number(replies)
            try:
                output = _conversation(ours_in, stdin or b"", [ours_out, ours_err], seconds)
            except TimeoutError:
                os.kill(child, signal.SIGKILL)
                raise subprocess.TimeoutExpired([self._command, *arguments], seconds) from None
            return _number(replies), *output


def _of_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_START_ALONE)}


def _number(replies: socket.socket) -> int:
    return int.from_bytes(_exactly(replies, 4), "big", signed=True)


def _exactly(stream: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = stream.recv(length - len(data))
        assert part, "the process at the other end is gone"
        data += part
    return data


def _conversation(
    writing: int, data: bytes, reading: Sequence[int], seconds: float
) -> tuple[bytes, bytes]:
    """Write all the input and read all outputs to their end; close all of them."""
    end = time.monotonic() + seconds
    taken: dict[int, list[bytes]] = {handle: [] for handle in reading}
    rest = memoryview(data)
    with selectors.DefaultSelector() as waiting:
        for handle in reading:
            waiting.register(handle, selectors.EVENT_READ)
        waiting.register(writing, selectors.EVENT_WRITE)
        os.set_blocking(writing, False)
        try:
            while waiting.get_map():
                ready = waiting.select(max(end - time.monotonic(), 0))
                if not ready:
                    raise TimeoutError
                for key, _ in ready:
                    if key.fd != writing:
                        part = os.read(key.fd, _CHUNK)
                        taken[key.fd].append(part)
                        over = not part
                    else:
                        try:
                            rest = rest[os.write(writing, rest[:_CHUNK]) if rest else 0 :]
                        except BrokenPipeError:  # it reads no more, as a command may
                            rest = rest[:0]
                        over = not rest
                    if over:
                        waiting.unregister(key.fd)
                        os.close(key.fd)
        finally:
            for key in list(waiting.get_map().values()):
                os.close(key.fd)
    out, err = (b"".join(taken[handle]) for handle in reading)
    return out, err


def serve(command: str, handle: int, folder: str, further: Sequence[str]) -> None:
    """Load gitmem and fork for every request, until whoever started this process is gone.

    Args:
        command: the path of the installed command.
        handle: the descriptor of the socket that listens for requests.
        folder: where that socket lies; it goes with this process.
        further: modules to load beside those of the command line.

    """
    sys.path[0:0] = [os.path.dirname(command)]
    sys.argv = ["gitmem-not-yet"]  # nothing is to be looked ahead for while it is being loaded
    _load(further)
    running: dict[int, tuple[int, socket.socket]] = {}  # a process's handle: its id, who waits
    asked: dict[int, int] = {}  # a connection that waits: the id of its process
    waiting = select.poll()
    with socket.socket(fileno=handle) as listening:
        waiting.register(listening, select.POLLIN)
        waiting.register(0, select.POLLIN)
        while True:
            for ready, _ in waiting.poll():
                if ready == 0:
                    shutil.rmtree(folder)
                    return
                if ready in asked:  # who asked was killed or gave up: so is the command
                    waiting.unregister(ready)
                    os.kill(asked.pop(ready), signal.SIGKILL)
                    continue
                if ready in running:
                    waiting.unregister(ready)
                    child, asking = running.pop(ready)
                    if asked.pop(asking.fileno(), None):
                        waiting.unregister(asking)
                    os.close(ready)
                    with asking:
                        _tell(asking, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
                    continue
                asking, _ = listening.accept()
                length, streams, _, _ = socket.recv_fds(asking, 4, 3)
                request = json.loads(_exactly(asking, int.from_bytes(length, "big")))
                child = os.fork()
                if not child:
                    others = (connection.fileno() for _, connection in running.values())
                    for other in (handle, asking.fileno(), *running, *others):
                        os.close(other)
                    _become(command, request, streams)
                for stream in streams:
                    os.close(stream)
                _tell(asking, child)
                process = _end_of(child)
                running[process] = (child, asking)
                asked[asking.fileno()] = child
                waiting.register(process, select.POLLIN)
                waiting.register(asking, 0)  # tells nothing but its end


def _end_of(child: int) -> int:
    """Give what can be read as soon as a child has ended."""
    if sys.platform == "linux":
        return os.pidfd_open(child)
    raise OSError("only Linux tells of it")


def _tell(asking: socket.socket, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # who asked has ended
        asking.sendall(number.to_bytes(4, "big", signed=True))


def _load(further: Sequence[str]) -> None:
    """Load what commands load, so that a fork finds it."""
    import gitmem  # noqa: PLC0415  only the process itself loads it

    for module in pkgutil.walk_packages(gitmem.__path__, "gitmem."):
        if not module.name.startswith(_HEAVY):
            importlib.import_module(module.name)
    for name in (*_FURTHER, *further):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _become(command: str, request: dict[str, Any], streams: Sequence[int]) -> None:
    """Run the command line as if this process had been started for it, and end."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    tempfile.tempdir = None
    if os.environ.get("PYTHONUNBUFFERED"):
        sys.stdout = _unbuffered(sys.stdout)
    os.umask(request["mask"])
    os.chdir(request["folder"])
    sys.argv = [command, *request["arguments"]]
    code: object = 1
    from gitmem.cli import main  # noqa: PLC0415  loaded before the fork
    from gitmem.memory.prefetch import look_ahead  # noqa: PLC0415

    try:
        look_ahead(sys.argv[1:], os.environ)
        main()
    except SystemExit as left:
        code = left.code
    except BaseException:  # noqa: BLE001  as the interpreter does at the top
        traceback.print_exc()
    _leave(code if isinstance(code, int) else 0)


def _unbuffered(stream: Any) -> io.TextIOWrapper:
    raw = open(stream.fileno(), "wb", buffering=0, closefd=False)  # noqa: SIM115  as long as it
    return io.TextIOWrapper(raw, stream.encoding, stream.errors, write_through=True)


def _leave(code: int) -> None:
    """End as the interpreter does, but for taking every module apart."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except ValueError:  # closed
            pass
        except OSError:
            code = 120
    os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
