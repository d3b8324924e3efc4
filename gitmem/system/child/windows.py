"""Run the user's command on Windows: its output is a pipe, the rest of the console is its own."""

import ctypes
import errno
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Queue
from typing import IO, Any, Final

assert sys.platform == "win32"  # mypy reads no further for other systems

from gitmem.system.child import shared
from gitmem.system.windows import found_program

_READ: Final = 65_536
_TICK: Final = 0.05  # seconds between looks whether it has ended
_INTERRUPTED: Final = 0xC000013A  # how it ends what Ctrl-C ends
_UTF8: Final = 65001
_SCRIPTS: Final = (".bat", ".cmd")
_PLAIN: Final = re.compile(r"[\w#$*+\-./:?@\\]+(?<!\\)", re.ASCII)
_kernel = ctypes.WinDLL("kernel32", use_last_error=True)


def run(
    command: Sequence[str],
    *,
    on_output: shared.Listener,
    cwd: str,
    environ: Mapping[str, str],
    on_start: Callable[[], None] = lambda: None,
) -> shared.Ended:
    """Run a command to its end and pass on what it writes, as ``running.run`` does."""
    shared.make_ready(cwd)
    began = time.monotonic()
    kinds = {stream: shared.kind(stream) for stream in (1, 2)}
    before, code_page = _signals_passed_over(), _kernel.GetConsoleOutputCP()
    heard = _Heard(on_output)
    try:
        if "terminal" in kinds.values():  # what is no console for it must look as if it were
            environ = {"PYTHONIOENCODING": "utf-8", **environ}
            _kernel.SetConsoleOutputCP(_UTF8)
        ways = [subprocess.DEVNULL if kinds[at] == "closed" else subprocess.PIPE for at in (1, 2)]
        if kinds[1] == kinds[2] == "terminal":
            ways[1] = subprocess.STDOUT  # one pipe keeps what is said in its order
        try:
            child = subprocess.Popen(  # noqa: S603  the user's own command, as typed
                _line(command, cwd, environ), cwd=cwd, env=environ, stdout=ways[0], stderr=ways[1]
            )
        except OSError as error:
            code, line, reason = shared.why_not_started(error.errno or errno.EIO, command[0])
            shared.write_all(2, line)
            on_output(reason)
            shared.LAST.started, shared.LAST.exit_code = True, code
            return shared.Ended(code, None, time.monotonic() - began, 0, code == shared.NOT_FOUND)
        shared.LAST.started, shared.LAST.exit_code = True, None
        on_start()
        for target, source in ((1, child.stdout), (2, child.stderr)):
            if source:
                heard.pass_on(source, target)
        heard.listen(child)
        code = child.wait()
    finally:
        if code_page:
            _kernel.SetConsoleOutputCP(code_page)
        for number, handler in before.items():
            signal.signal(number, handler)
    interrupted = signal.SIGINT if code == _INTERRUPTED else None
    code -= (code >> 31) << 32  # an exit code is signed for Python, and not for Windows
    shared.LAST.exit_code = code
    if heard.broken is not None:
        raise heard.broken
    return shared.Ended(code, interrupted, time.monotonic() - began, heard.written)


def _signals_passed_over() -> dict[int, Any]:
    """Pass over what the console tells the child as well; give what was done until now."""
    before: dict[int, Any] = {}
    with suppress(ValueError):  # not the main thread: then signals are not ours
        for number in (signal.SIGINT, signal.SIGBREAK):
            before[number] = signal.signal(number, lambda *_: None)
    return before


class _Heard:
    """What a child says: passed on by a thread for each stream, heard in ours."""

    def __init__(self, listen: shared.Listener) -> None:
        self._listen = listen
        self._said: Queue[bytes | None] = Queue(shared.BACKLOG // _READ)
        self._open = 0
        self.broken: Exception | None = None
        self.written = 0

    def pass_on(self, source: IO[bytes], target: int) -> None:
        """Begin to pass on a stream of the child's to one of ours."""
        self._open += 1
        arguments = (source, target)
        threading.Thread(target=self._pass_on, args=arguments, daemon=True).start()

    def _pass_on(self, source: IO[bytes], target: int) -> None:
        with source:
            while data := os.read(source.fileno(), _READ):
                if not shared.write_all(target, data):
                    break  # nobody reads ours: the child may notice it as it would without us
                self._said.put(data)
        self._said.put(None)

    def listen(self, child: "subprocess.Popen[bytes]") -> None:
        """Let the listener hear everything; if it raises, the child must not notice."""
        until = 0.0
        while self._open:
            try:
                piece = self._said.get(timeout=_TICK)
            except Empty:
                if child.poll() is not None:
                    until = until or time.monotonic() + shared.GRACE
                    if time.monotonic() > until:
                        return
                continue
            self._open -= piece is None
            self.written += len(piece or b"")
            if piece and self.broken is None:
                try:
                    self._listen(piece)
                except Exception as error:  # noqa: BLE001  a caller's; raised again at the end
                    self.broken = error


def _line(command: Sequence[str], cwd: str, environ: Mapping[str, str]) -> str:
    """Write a command as one line, as Windows hands it on; a script for ``cmd`` in its own way."""
    path = next((environ[name] for name in environ if name.upper() == "PATH"), "")
    name = command[0]
    if name != os.path.basename(name):
        name = os.path.abspath(os.path.join(cwd, name))
    place = found_program(name, path)
    if place is None:
        raise FileNotFoundError(errno.ENOENT, "command not found", command[0])
    if not place.lower().endswith(_SCRIPTS):
        return subprocess.list2cmdline([place, *command[1:]])
    words = " ".join(map(_word_for_script, command[1:]))
    shell = environ.get("COMSPEC", r"C:\Windows\System32\cmd.exe")
    return f'{subprocess.list2cmdline([shell])} /e:ON /v:OFF /d /s /c ""{place}" {words}"'


def _word_for_script(word: str) -> str:
    """Quote a word so that it arrives as it is, however often a script hands its words on.

    Between quotes nothing but a quote and a per cent sign means anything to ``cmd``. A quote is
    written twice; behind a per cent sign comes the name of a variable: one that is always empty.
    """
    if any(sign in word for sign in "\r\n\0"):
        raise OSError(errno.EINVAL, "a script can't be given a line break", word)
    if _PLAIN.fullmatch(word):
        return word
    word = re.sub(r'(\\*)"', r'\1\1""', word)
    word = re.sub(r"(\\+)$", r"\1\1", word)
    return '"' + word.replace("%", "%%cd:~,%") + '"'
