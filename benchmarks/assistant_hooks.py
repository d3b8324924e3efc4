"""What a coding assistant waits for at its hooks: whole processes, warm and cold.

Cold is a hook whose files are not in memory: the kernel is told to drop the content of each file of
the repository, of gitmem and of Python that no running process has mapped. What it knows of names
and folders stays.
"""

import json
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import gitmem as gitmem_package
from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.measure import UNIT, Command, milliseconds, processor, rounds
from gitmem.assistants.payloads import payload

_SECTION: Final = "Hooks of an assistant, whole processes, in P"
_COLD: Final = "Hooks of an assistant, cold, whole processes"
_CLIENT: Final = "claude"
_ROWS: Final = {
    "session": "a session begins",
    "begins": "a command begins",
    "red": "a command failed, its failure is looked up",
    "green": "it passes after an edit",
    "stop": "a turn ends",
}

_WAITED_FOR: Final = ("session", "begins", "red")
_GITMEM: Final = os.path.dirname(gitmem_package.__file__)


def measure(subject: Subject, options: Options, pasted: list[str]) -> Iterator[Figure]:
    """Send the events of a session in turn; in each round another failure of another command."""
    journal = subject.repository / ".git" / "gitmem" / "journal"
    code = subject.repository / "code.py"
    shutil.rmtree(journal, ignore_errors=True)

    def sent(kind: str, at: int) -> Command:
        code.write_text(f"x = {at}, {kind == 'green'}\n", encoding="utf-8")
        command = f"python -m pytest -q tests/test_{at}.py"
        output = "1 passed in 0.1s" if kind == "green" else pasted[at % len(pasted)]
        event = payload(_CLIENT, kind, str(subject.repository), command, output, int(kind == "red"))
        file = Path(subject.folder, f"event-{kind}.json")
        file.write_text(json.dumps(event), encoding="utf-8")
        return Command(gitmem("assistant-hook", _CLIENT), subject.repository, given=file)

    def evicted(kind: str, at: int) -> Command:
        command = sent(kind, at)
        paths = sysconfig.get_paths()
        for folder in (str(subject.repository), paths["stdlib"], paths["purelib"], _GITMEM):
            _drop(folder)
        return command

    ways = {
        "": (_SECTION, sent, ""),
        "-evicted": (_COLD, evicted, ", its files not in memory"),
    }
    for way, (section, made_ready, how) in ways.items():
        choices = {
            kind: lambda at, kind=kind, ready=made_ready: ready(kind, at)
            for kind in (_ROWS if not way else _WAITED_FOR)
        }
        costs = rounds(choices, options.runs, subject.scratch)
        unit = milliseconds(costs.pop(UNIT))
        for kind, times in costs.items():
            taken = milliseconds(times)
            detail = f"{taken:.0f} ms, CPU {processor(times):.0f}"
            value, named = (taken, "ms") if way else (taken / unit, "P")
            label = f"{_ROWS[kind]}{how}"
            yield Figure(f"assistant-hook-{kind}{way}", section, label, (value,), named, detail)


def _drop(folder: str) -> None:
    """Tell the kernel to drop what it has of the files in a folder."""
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                handle = os.open(os.path.join(place, name), os.O_RDONLY | os.O_NONBLOCK)
            except OSError:  # a link to nothing
                continue
            if sys.platform == "linux":
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
