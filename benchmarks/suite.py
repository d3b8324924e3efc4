"""Everything that is measured, as figures in the order of the table."""

import json
from collections.abc import Iterator
from typing import Any, Final

from benchmarks import assistant_hooks, guard_speed, hooks, learnt, observed, package
from benchmarks.figures import Figure, Options, Subject, of_child, progress
from benchmarks.measure import child, percentile
from benchmarks.processes import processes, rebuilding

_HOVERS: Final = 20
"""So many hovers of a kind for each question."""


def once(options: Options) -> Iterator[Figure]:
    """Measure what does not depend on a memory."""
    progress("outputs of tools")
    yield from of_child("texts", "--megabytes", options.log_mb, "--runs", options.runs)
    yield package.measure()


def figures(subject: Subject, options: Options) -> Iterator[Figure]:
    """Measure one memory."""
    subject.restore()
    questions_path = subject.folder / "questions.json"
    with questions_path.open(encoding="utf-8") as file:
        questions: dict[str, list[str]] = json.load(file)
    progress("  full rebuild")
    yield from rebuilding(subject, options)
    database = subject.folder / "fts5.sqlite"
    if not database.exists():
        progress("  building the FTS5 table")
        child("fts", database, subject.repository)
    progress("  whole processes")
    yield from processes(subject, options, questions, database)
    progress("  what the memory teaches")
    yield from learnt.measure(subject, options)
    progress("  guarding fixes")
    yield from guard_speed.measure(subject, options)
    progress("  watching commands")
    yield from observed.measure(subject, options)
    subject.restore()
    progress("  hooks")
    yield from hooks.measure(subject, options)
    yield from assistant_hooks.measure(subject, options, questions["pasted error"])
    subject.restore()
    progress("  inside a process")
    count = ("--count", options.questions)
    inside = child("inside", subject.repository, questions_path, *count, "--runs", options.runs)
    rival = child("fts", database, subject.repository, "--questions", questions_path, *count)
    yield from _inside(inside, rival)
    subject.restore()
    progress("  language server")
    hovers = ("--runs", options.runs, "--hovers", _HOVERS * options.questions)
    yield from of_child("editor", subject.repository, subject.size, *hovers)
    subject.restore()
    progress("  MCP server")
    count_asked = ("--count", options.questions, "--runs", options.runs)
    yield from of_child("assistant", subject.repository, questions_path, *count_asked)
    subject.restore()
    progress("  extra semantic")
    yield from of_child("near", subject.repository, questions_path, *count, embedder="words")
    subject.restore()


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
    matching = "fingerprint and match of a failure"
    yield _question("match", section, matching, inside["matching"])
    for kind, calls in inside["questions"].items():
        yield _question(f"query-{kind}", section, kind, calls)
    for kind, calls in rival.items():
        yield _question(f"fts5-query-{kind}", section, f"SQLite FTS5: {kind}", calls)


def _question(key: str, section: str, label: str, calls: dict[str, list[float]]) -> Figure:
    cpu, clock = ((percentile(calls[of], 0.5), percentile(calls[of], 0.99)) for of in calls)
    detail = f"clock {clock[0]:,.1f} / {clock[1]:,.1f}, {len(calls['clock'])} asked"
    return Figure(key, section, label, cpu, "ms", detail)
