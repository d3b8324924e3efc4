"""Our side of the protocol: prepare an adapter's environment, start it, ask it."""

import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any, Final

from benchmarks.peers.serving import Record
from benchmarks.recall.data import Question
from benchmarks.recall.measures import LIMIT, Answered

ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LIST: Final = os.path.join(os.path.dirname(__file__), "peers.toml")
_PATIENCE: Final = 20.0  # seconds for a system to close its files
_CUT_OFF: Final = ("unshare", "--net", "--map-root-user")


class SkippedError(Exception):
    """A system can't be run here; the message says why in a line."""


@dataclass(frozen=True)
class Peer:
    """A system that can be compared; peers.toml tells the fields."""

    name: str
    module: str
    settings: str
    requires: tuple[str, ...] = ()
    python: str = ""


@dataclass(frozen=True)
class Run:
    """What a system said to every question, and how long it took.

    Attributes:
        about: name and version.
        answers: one for each question.
        adding: seconds for all records.
        asking: seconds for the middle one of the questions.
        offline: it had no network while it ran.

    """

    about: str
    answers: tuple[Answered, ...]
    adding: float
    asking: float
    offline: bool


def peers(path: str = _LIST) -> list[Peer]:
    """Read the list of systems."""
    with open(path, "rb") as file:
        rows = tomllib.load(file)["system"]
    return [Peer(**{**row, "requires": tuple(row.get("requires", ()))}) for row in rows]


def environment(peer: Peer, folder: str) -> str:
    """Install what a system requires below ``folder``; give the Python to start it with.

    Raises:
        SkippedError: there is no Python for it, or it can't be installed.

    """
    if not peer.requires:
        return sys.executable
    home = os.path.join(folder, peer.name)
    python = os.path.join(home, "bin", "python")
    stamp = os.path.join(home, "installed.json")
    wanted = json.dumps(peer.requires)
    if _content(stamp) == wanted:
        return python
    _run([_python_for(peer), "-m", "venv", "--clear", home])
    _run([python, "-m", "pip", "-q", "--no-input", "--disable-pip-version-check", "install",
          *peer.requires])  # fmt: skip
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
    return python


def _content(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def _python_for(peer: Peer) -> str:
    """Find the oldest Python that is new enough: packages are built for it first."""
    process = subprocess.run(
        ["sh", os.path.join(ROOT, "scripts", "pythons.sh")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    pythons = [line.split(" ", 1) for line in process.stdout.splitlines()]
    fitting = [(_number(version), path) for version, path in pythons
               if _number(version) >= _number(peer.python or "3.11")]  # fmt: skip
    if not fitting:
        raise SkippedError(f"needs Python {peer.python or '3.11'} or later, not found here")
    return min(fitting)[1]


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise SkippedError(f"can't be installed: {lines[-1] if lines else done.returncode}")


def can_cut_off() -> bool:
    """Tell whether a process can be started without network here."""
    try:
        done = subprocess.run([*_CUT_OFF, "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


class Adapter:
    """A started adapter; requests go in as JSON lines, answers come out as such."""

    def __init__(self, process: "subprocess.Popen[str]", log: IO[str]) -> None:
        self._process = process
        self._log = log

    def __call__(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and wait for the answer.

        Raises:
            SkippedError: the adapter ended or said something else.

        """
        stdin, stdout = self._process.stdin, self._process.stdout
        if not stdin or not stdout:
            raise SkippedError("its streams are closed")
        try:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            answer: dict[str, Any] = json.loads(stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            raise SkippedError(f"ended: {self._last_line()}") from None
        return answer

    def _last_line(self) -> str:
        self._process.wait()
        self._log.seek(0)
        lines = [line.strip() for line in self._log if line.strip()]
        return lines[-1] if lines else f"exit code {self._process.returncode}"


def _end(process: "subprocess.Popen[str]") -> None:
    """Close its input, the sign to stop; stop it if it does not."""
    if process.stdin:
        with suppress(BrokenPipeError):
            process.stdin.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def started(peer: Peer, python: str, folder: str, *, offline: bool) -> Iterator[Adapter]:
    """Start an adapter; it ends with the block. What it prints goes to a log in ``folder``."""
    os.makedirs(folder, exist_ok=True)
    with ExitStack() as stack:
        log = stack.enter_context(
            open(os.path.join(folder, f"{peer.name}.log"), "w+", encoding="utf-8")
        )
        command = [*(_CUT_OFF if offline else ()), python, "-m", peer.module]
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            text=True, encoding="utf-8",
        )  # fmt: skip
        stack.enter_context(process)
        try:
            yield Adapter(process, log)
        finally:
            _end(process)


def run(peer: Peer, records: Sequence[Record], questions: Sequence[Question], folder: str) -> Run:
    """Run a system over all questions.

    Raises:
        SkippedError: it can't be installed, or it ended.

    """
    python = environment(peer, folder)
    offline = bool(peer.requires) and can_cut_off()
    with started(peer, python, folder, offline=offline) as adapter:
        about = str(adapter({"about": True})["about"])
        begun = time.perf_counter()
        adapter({"add": list(records)})
        adding = time.perf_counter() - begun
        answers, times = [], []
        for question in questions:
            begun = time.perf_counter()
            answer = adapter({"ask": question.text, "limit": LIMIT})
            times.append(time.perf_counter() - begun)
            answers.append(Answered(question, tuple(answer["ids"]), int(answer["sure"])))
    asking = sorted(times)[len(times) // 2] if times else 0.0
    return Run(about, tuple(answers), adding, asking, offline)
