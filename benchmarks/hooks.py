"""What the lines of shell cost that gitmem puts into hooks: with code alone, and with a record."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.figures import Figure, Options, Subject
from benchmarks.measure import UNIT, Command, Cost, milliseconds, processor, rounds, sealed
from gitmem.memory import Memory
from gitmem.memory.history.hooks import NAMES, lines

_SECTION: Final = "Hooks, whole processes, in P"
_ARGUMENTS: Final = {
    "post-checkout": ("HEAD~1", "HEAD", "1"),
    "post-rewrite": ("amend",),
    "post-merge": ("0",),
}
_STAGED: Final = ("pre-commit", "prepare-commit-msg", "commit-msg")
"""They run before the commit, and look at what is staged; the others at what was committed."""


class _World(NamedTuple):
    """A memory's repository with nothing checked out that a branch would keep."""

    subject: Subject
    scripts: Path

    def git(self, *arguments: str) -> None:
        command = ("git", "-c", "user.name=bench", "-c", "user.email=b@example.invalid", *arguments)
        subprocess.run(command, cwd=self.subject.repository, env=sealed(), check=True)

    def commit(self, title: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", title)
        self.git("update-ref", "ORIG_HEAD", "HEAD~1")

    def write(self, text: str) -> None:
        (self.subject.repository / "code.py").write_text(text, encoding="utf-8")

    def hook(self, name: str) -> Command:
        """Give the call of a hook, with a message that names no record yet."""
        message = self.subject.folder / "message"
        message.write_text("Work\n", encoding="utf-8")
        more = (str(message), "message") if name.endswith("-msg") else _ARGUMENTS.get(name, ())
        return Command(("sh", str(self.scripts / name), *more), self.subject.repository)

    def rounds(self, names: Iterator[str], options: Options) -> dict[str, list[Cost]]:
        choices = {name: lambda _at, name=name: self.hook(name) for name in names}
        return rounds(choices, options.runs, self.subject.scratch)


def measure(subject: Subject, options: Options) -> Iterator[Figure]:
    """Measure every hook twice. No branch and no hook of the repository is touched."""
    scripts = subject.folder / "hooks"
    scripts.mkdir(exist_ok=True)
    for name in NAMES:
        text = f"#!/bin/sh\n{lines(name, '.memory')}\n"
        (scripts / name).write_text(text, encoding="utf-8")
    world = _World(subject, scripts)
    world.git("checkout", "-q", "--detach")
    world.write("x = 1\n")
    world.commit("Code")
    world.write("x = 2\n")
    world.git("add", "-A")
    yield from _figures("", "code alone", world.rounds(iter(NAMES), options))
    with closing(Memory.open(str(subject.repository))) as memory:
        memory.checks.catch_up()
        added = memory.add("note", {"title": "Benchmark", "body": "A short note."})
        path = Path(memory.workspace.site.folder, memory.find(added.id).path)
    world.git("add", "-A")
    costs = world.rounds(iter(_STAGED), options)
    yield from _figures("-record", "one record", costs)
    world.commit("A record")
    yield from _figures("-record", "one record", _after(world, path, options))
    subject.restore()


def _after(world: _World, path: Path, options: Options) -> dict[str, list[Cost]]:
    """Run what follows a commit; each time there is one edited record to take in."""
    text = path.read_text(encoding="utf-8")
    count = 0

    def choose(name: str) -> Command:
        nonlocal count
        count += 1
        path.write_text(text.replace("A short note.", f"A note, {count}."), encoding="utf-8")
        return world.hook(name)

    names = [name for name in NAMES if name not in _STAGED]
    choices = {name: lambda _at, name=name: choose(name) for name in names}
    return rounds(choices, options.runs, world.subject.scratch)


def _figures(ending: str, label: str, costs: dict[str, list[Cost]]) -> Iterator[Figure]:
    unit = milliseconds(costs[UNIT])
    for name, times in costs.items():
        if name != UNIT:
            taken = milliseconds(times)
            detail = f"{taken:.0f} ms, CPU {processor(times):.0f}"
            text = f"{name}, {label}"
            yield Figure(f"hook-{name}{ending}", _SECTION, text, (taken / unit,), "P", detail)
