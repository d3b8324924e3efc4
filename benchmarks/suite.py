"""Everything that is measured of one memory, as figures in the order of the table."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.fts_text import ASK, ONE_LINER, any_of
from benchmarks.measure import (
    UNIT,
    Choose,
    Command,
    Cost,
    child,
    milliseconds,
    peak,
    percentile,
    processor,
    rounds,
    run,
    sealed,
)

_REPEATED_REBUILD: Final = 20_000
"""Larger memories are rebuilt once only."""


class Options(NamedTuple):
    """How thoroughly to measure."""

    runs: int
    questions: int


class Figure(NamedTuple):
    """One row of the table.

    Attributes:
        key: its name in the JSON, and in the table of targets.
        section: the heading that it stands under.
        label: what was measured.
        values: one value, or p50 and p99.
        unit: of the values.
        detail: the same in other words.

    """

    key: str
    section: str
    label: str
    values: tuple[float, ...]
    unit: str
    detail: str = ""


class Subject(NamedTuple):
    """A memory to measure."""

    size: int
    folder: Path

    @property
    def repository(self) -> Path:
        """The git repository."""
        return self.folder / "repository"

    @property
    def scratch(self) -> Path:
        """The file that takes what measured programs print."""
        return self.folder / "output"


def figures(subject: Subject, options: Options) -> Iterator[Figure]:
    """Measure one memory."""
    _restore(subject.repository)
    with (subject.folder / "questions.json").open(encoding="utf-8") as file:
        questions: dict[str, list[str]] = json.load(file)
    _say("  full rebuild")
    yield from _rebuilding(subject, options)
    database = subject.folder / "fts5.sqlite"
    if not database.exists():
        _say("  building the FTS5 table")
        child("fts", database, subject.repository)
    _say("  whole processes")
    yield from _processes(subject, options, questions, database)
    _say("  inside a process")
    arguments = ("--count", options.questions)
    asked = (subject.repository, subject.folder / "questions.json", *arguments)
    inside = child("inside", *asked, "--runs", options.runs)
    rival = child("fts", database, subject.repository, "--questions", *asked[1:])
    yield from _inside(inside, rival)
    _restore(subject.repository)


def gitmem(*arguments: str) -> list[str]:
    """Give the command line that starts gitmem as users start it: by the installed script."""
    script = Path(sys.executable).with_name("gitmem")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "gitmem"]
    return [*start, *arguments]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _restore(repository: Path) -> None:
    """Take back what an earlier run, perhaps a broken one, left behind."""
    for arguments in (("reset", "-q", "--hard"), ("clean", "-fdq")):
        subprocess.run(["git", *arguments], cwd=repository, env=sealed(), check=True)


def _rebuilding(subject: Subject, options: Options) -> Iterator[Figure]:
    command = Command(gitmem("index", "rebuild"), subject.repository)
    count = 1 if subject.size > _REPEATED_REBUILD else options.runs
    costs = [run(command, subject.scratch) for _ in range(count)]
    seconds = milliseconds(costs) / 1000
    section = "Full rebuild, whole process"
    rate = f"{subject.size / seconds:,.0f} records/s, CPU {processor(costs) / 1000:.1f} s"
    yield Figure("rebuild", section, "gitmem index rebuild", (seconds,), "s", rate)
    yield Figure("rebuild-memory", section, "  peak memory", (peak(costs),), "MB")


def _processes(
    subject: Subject, options: Options, questions: dict[str, list[str]], database: Path
) -> Iterator[Figure]:
    def words(kind: str, at: int) -> list[str]:
        return questions[kind][at % len(questions[kind])].split()

    def searching(kind: str) -> Choose:
        return lambda at: Command(gitmem("search", *words(kind, at)), here)

    def table(at: int) -> Command:
        wanted = any_of(" ".join(words("six words", at)))
        return Command([sys.executable, "-c", ONE_LINER, str(database), ASK, wanted], here)

    def grep(start: Sequence[str], joint: Sequence[str], end: Sequence[str]) -> Choose:
        def choose(at: int) -> Command:
            every = words("three words", at)
            wanted = [part for word in every for part in (*joint, "-e", word)][len(joint) :]
            return Command([*start, *wanted, *end], here, (0, 1))

        return choose

    here = subject.repository
    choices: dict[str, Choose] = {
        "help": lambda _at: Command(gitmem("--help"), here),
        "search": searching("six words"),
        "search-3": searching("three words"),
        "list": lambda _at: Command(gitmem("list"), here),
        "list-page": lambda _at: Command(gitmem("list", "status:open", "--limit", "20"), here),
        "git-grep": grep(["git", "grep", "-i"], ["--or"], ["--", ".memory"]),
        "fts5": table,
    }
    if shutil.which("rg"):
        choices["ripgrep"] = grep(["rg", "-i", "--hidden"], [], [".memory"])
    # A first question brings catalog and index up to date, whatever happened before.
    run(choices["search"](0), subject.scratch)
    costs = rounds(choices, options.runs, subject.scratch)
    note = gitmem("add", "note", "--title", "Benchmark", "--body", "A short note.")
    adding = rounds({"add": lambda _at: Command(note, here)}, options.runs, subject.scratch)
    _restore(here)
    yield from _process_figures(costs, adding)
    yield from _rival_figures(costs)


def _process_figures(
    costs: dict[str, list[Cost]], adding: dict[str, list[Cost]]
) -> Iterator[Figure]:
    section = "Whole processes, in P"
    unit = milliseconds(costs[UNIT])
    cpu = f"CPU {processor(costs[UNIT]):.0f}"
    yield Figure("unit", section, f"{UNIT} (1 P)", (unit,), "ms", cpu)
    yield _in_units("help", section, "gitmem --help", costs)
    yield _in_units("search", section, "gitmem search, 6 words", costs)
    search = _in_units("search", section, "  the same, by the stretch target", costs)
    yield search._replace(key="search-stretch")
    yield search._replace(key="search-fresh", label="  the same, proven fresh (it always is)")
    yield Figure("search-memory", section, "  peak memory", (peak(costs["search"]),), "MB")
    yield _in_units("search-3", section, "gitmem search, 3 words", costs)
    yield _in_units("list", section, "gitmem list, everything", costs)
    yield _in_units("list-page", section, "gitmem list status:open --limit 20", costs)
    yield _in_units("add", section, "gitmem add note, synced", adding)


def _rival_figures(costs: dict[str, list[Cost]]) -> Iterator[Figure]:
    section = "Beside other programs, whole processes"
    yield _in_units("git-grep", section, "git grep -i, 3 words", costs)
    if "ripgrep" in costs:
        yield _in_units("ripgrep", section, "rg -i, 3 words", costs)
    yield _in_units("fts5", section, "SQLite FTS5, 6 words", costs)
    pairs = (
        ("git-grep", "search-3", "git grep / gitmem search"),
        ("ripgrep", "search-3", "rg / gitmem search"),
        ("fts5", "search", "FTS5 / gitmem search"),
    )
    for rival, ours, label in pairs:
        if rival in costs:
            ratio = milliseconds(costs[rival]) / milliseconds(costs[ours])
            yield Figure(f"{rival}-ratio", section, label, (ratio,), "times")


def _in_units(key: str, section: str, label: str, costs: dict[str, list[Cost]]) -> Figure:
    taken = milliseconds(costs[key])
    detail = f"{taken:.0f} ms, CPU {processor(costs[key]):.0f}"
    return Figure(key, section, label, (taken / milliseconds(costs[UNIT]),), "P", detail)


def _inside(inside: dict[str, Any], rival: dict[str, Any]) -> Iterator[Figure]:
    section = "Catching up with the files, inside a process"
    labels = {"0": "nothing changed", "1": "1 file changed", "100": "100 files changed"}
    labels["5000"] = "5,000 files changed"
    for count, times in inside["catching up"].items():
        middle = (percentile(times["clock"], 0.5),)
        cpu = f"CPU {percentile(times['processor'], 0.5):.0f} without git's"
        yield Figure(f"catch-up-{count}", section, labels[count], middle, "ms", cpu)
    adding = (percentile(inside["adding"], 0.5),)
    yield Figure("add-core", section, "Memory.add, synced", adding, "ms")
    section = "Questions inside a process, CPU p50 / p99"
    for kind, calls in inside["questions"].items():
        yield _question(f"query-{kind}", section, kind, calls)
    for kind, calls in rival.items():
        yield _question(f"fts5-query-{kind}", section, f"SQLite FTS5: {kind}", calls)


def _question(key: str, section: str, label: str, calls: dict[str, list[float]]) -> Figure:
    cpu, clock = ((percentile(calls[of], 0.5), percentile(calls[of], 0.99)) for of in calls)
    detail = f"clock {clock[0]:,.1f} / {clock[1]:,.1f}"
    return Figure(key, section, label, cpu, "ms", detail)
