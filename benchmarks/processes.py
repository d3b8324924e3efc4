"""Whole processes: making everything anew, asking, listing, adding; and other programs beside."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.fts_text import ASK, ONE_LINER, any_of
from benchmarks.measure import (
    UNIT,
    Choose,
    Command,
    Cost,
    first_line,
    milliseconds,
    percentile,
    processor,
    rounds,
    run,
    weigh,
)

_EARLIER: Final = "HEAD~1"
_REPEATED_REBUILD: Final = 20_000
"""Larger memories are rebuilt once only."""


def rebuilding(subject: Subject, options: Options) -> Iterator[Figure]:
    """Make catalog and index anew."""
    command = Command(gitmem("index", "rebuild"), subject.repository)
    count = 1 if subject.size > _REPEATED_REBUILD else options.runs
    weighed = [weigh(command, subject.scratch) for _ in range(count)]
    costs = [cost for cost, _ in weighed]
    seconds = milliseconds(costs) / 1000
    section = "Full rebuild, whole process"
    rate = f"{subject.size / seconds:,.0f} records/s, CPU {processor(costs) / 1000:.1f} s"
    yield Figure("rebuild", section, "gitmem index rebuild", (seconds,), "s", rate)
    held = percentile([peak for _, peak in weighed], 0.5)
    yield Figure("rebuild-memory", section, "  peak memory", (held,), "MB")


def processes(
    subject: Subject, options: Options, questions: dict[str, list[str]], database: Path
) -> Iterator[Figure]:
    """Run gitmem and its rivals in turn."""

    def words(kind: str, at: int) -> list[str]:
        return questions[kind][at % len(questions[kind])].split()

    def searching(kind: str) -> Choose:
        return lambda at: Command(gitmem("search", *words(kind, at)), here)

    def table(at: int) -> Command:
        wanted = any_of(" ".join(words("six words", at)))
        return Command([sys.executable, "-c", ONE_LINER, str(database), ASK, wanted], here)

    def grep(start: Sequence[str], joint: Sequence[str], end: Sequence[str]) -> Choose:
        def choose(at: int) -> Command:
            query_words = words("three words", at)
            wanted = [part for word in query_words for part in (*joint, "-e", word)][len(joint) :]
            return Command([*start, *wanted, *end], here, (0, 1))

        return choose

    here = subject.repository
    choices: dict[str, Choose] = {
        "help": lambda _at: Command(gitmem("--help"), here),
        "search": searching("six words"),
        "search-fresh": lambda at: searching("six words")(at)._replace(complete=True),
        "search-3": searching("three words"),
        "search-at": lambda at: Command(
            gitmem("search", "--at", _EARLIER, *words("six words", at)), here
        ),
        "list": lambda _at: Command(gitmem("list"), here),
        "list-page": lambda _at: Command(gitmem("list", "status:open", "--limit", "20"), here),
        "git-grep": grep(["git", "grep", "-i"], ["--or"], ["--", ".memory"]),
        "fts5": table,
    }
    if shutil.which("rg"):
        choices["ripgrep"] = grep(["rg", "-i", "--hidden"], [], [".memory"])
    # A first question brings catalog and index up to date, whatever happened before.
    run(choices["search"](0), subject.scratch)
    first = run(choices["search-at"](0), subject.scratch)
    costs = rounds(choices, options.runs, subject.scratch)
    first_lines = [first_line(choices["list"](at)) for at in range(options.runs)]
    _, held = weigh(choices["search"](0), subject.scratch)
    note = gitmem("add", "note", "--title", "Benchmark", "--body", "A short note.")
    adding = rounds({"add": lambda _at: Command(note, here)}, options.runs, subject.scratch)
    subject.restore()
    yield from _process_figures(costs, first_lines, adding, held)
    yield from _history_figures(costs, first)
    yield from _rival_figures(costs)


def _process_figures(
    costs: dict[str, list[Cost]],
    first_lines: list[float],
    adding: dict[str, list[Cost]],
    held: float,
) -> Iterator[Figure]:
    section = "Whole processes, in P"
    unit = milliseconds(costs[UNIT])
    cpu = f"CPU {processor(costs[UNIT]):.0f}"
    yield Figure("unit", section, f"{UNIT} (1 P)", (unit,), "ms", cpu)
    yield in_units("help", section, "gitmem --help", costs)
    yield in_units("search", section, "gitmem search, 6 words", costs)
    search = in_units("search", section, "  the same, by the stretch target", costs)
    yield search._replace(key="search-stretch")
    yield in_units("search-fresh", section, "  the same, waiting for git's look", costs)
    yield Figure("search-memory", section, "  peak memory", (held,), "MB")
    yield in_units("search-3", section, "gitmem search, 3 words", costs)
    yield in_units("list", section, "gitmem list, everything", costs)
    first = percentile(first_lines, 0.5)
    detail = f"{first:.0f} ms"
    yield Figure("list-first", section, "  its first line", (first / unit,), "P", detail)
    yield in_units("list-page", section, "gitmem list status:open --limit 20", costs)
    yield in_units("add", section, "gitmem add note, synced", adding)


def _history_figures(costs: dict[str, list[Cost]], first: Cost) -> Iterator[Figure]:
    section = "Whole processes, in P"
    yield in_units("search-at", section, "gitmem search --at, a revision asked before", costs)
    yield Figure(
        "search-at-first", section, "  the first question about it", (first.milliseconds,), "ms",
        f"CPU {first.processor:.0f}",
    )  # fmt: skip


def _rival_figures(costs: dict[str, list[Cost]]) -> Iterator[Figure]:
    section = "Beside other programs, whole processes"
    yield in_units("git-grep", section, "git grep -i, 3 words", costs)
    if "ripgrep" in costs:
        yield in_units("ripgrep", section, "rg -i, 3 words", costs)
    yield in_units("fts5", section, "SQLite FTS5, 6 words", costs)
    pairs = (
        ("git-grep", "search-3", "git grep / gitmem search"),
        ("ripgrep", "search-3", "rg / gitmem search"),
        ("fts5", "search", "FTS5 / gitmem search"),
    )
    for rival, ours, label in pairs:
        if rival in costs:
            ratio = milliseconds(costs[rival]) / milliseconds(costs[ours])
            yield Figure(f"{rival}-ratio", section, label, (ratio,), "times")


def in_units(key: str, section: str, label: str, costs: dict[str, list[Cost]]) -> Figure:
    """Give the median of a process in P."""
    taken = milliseconds(costs[key])
    detail = f"{taken:.0f} ms, CPU {processor(costs[key]):.0f}"
    return Figure(key, section, label, (taken / milliseconds(costs[UNIT]),), "P", detail)
