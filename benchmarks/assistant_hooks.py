"""What a coding assistant waits for at its hooks: whole processes, warm."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.measure import UNIT, Command, milliseconds, processor, rounds
from gitmem.assistants.payloads import payload

_SECTION: Final = "Hooks of an assistant, whole processes, in P"
_CLIENT: Final = "claude"
_ROWS: Final = {
    "session": "a session begins",
    "begins": "a command begins",
    "red": "a command failed, its failure is looked up",
    "green": "it passes after an edit",
    "stop": "a turn ends",
}


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

    choices = {kind: lambda at, kind=kind: sent(kind, at) for kind in _ROWS}
    costs = rounds(choices, options.runs, subject.scratch)
    unit = milliseconds(costs.pop(UNIT))
    for kind, times in costs.items():
        taken = milliseconds(times)
        detail = f"{taken:.0f} ms, CPU {processor(times):.0f}"
        yield Figure(f"assistant-hook-{kind}", _SECTION, _ROWS[kind], (taken / unit,), "P", detail)
