"""The learning context for the next attempt: what fails, what was tried and is known, the project.

Sections are in the order of their use, entries best first. Which of them are shown is decided by
the budget, when they are written down (``render.context``).
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.context import LEAST_BUDGET, Context, ContextEntry, ContextSection
from gitmem.learning.trying import STOP
from gitmem.memory.advice import persisting
from gitmem.memory.advice.advising_place import place
from gitmem.memory.advice.code_sections import CodeLine, pieces, places_of
from gitmem.memory.advice.entries import (
    case_entry,
    code_entry,
    commit_entry,
    convention_entries,
    edit_entry,
    fact,
    project_entries,
    record_entry,
)
from gitmem.memory.advice.trials import standing
from gitmem.memory.codebase.project import project
from gitmem.memory.core.records import read_record
from gitmem.memory.failures import attempting
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.seeing import seen_in
from gitmem.memory.reading.wording import worded
from gitmem.memory.views.browsing import about
from gitmem.query import Filters
from gitmem.search.levels import WEAK

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory
    from gitmem.records.kinds import Record

_BESIDE: Final = ("decision", "pattern", "note")
_MOST_CASES: Final = 50
_MOST_MATCHED: Final = 5
_MOST_RECORDS: Final = 30
_MOST_HITS: Final = 20
_MOST_CODE: Final = 6
_MOST_NEWEST: Final = 10
_MOST_BELOW: Final = 100
_OVER: Final = ("superseded", "rejected", "deprecated")
_GOOD: Final = ("worked", "partial")


class _FocusedRecords(NamedTuple):
    """Records that the focus led to, best first, and the code that is meant."""

    errors: "list[Row]"
    fixes: "list[Row]"
    others: "list[Row]"
    decisions: "list[Row]"
    places: list[CodeLine]


def context(memory: "Memory", focus: str, *, budget: int, conventions: bool = False) -> Context:
    """Give what is to be known before the next attempt.

    Args:
        memory: the memory.
        focus: an error, words, a file or ``PATH:LINE``; empty: what fails now.
        budget: tokens.
        conventions: also tell how the code is written, by a sample of its files.

    Raises:
        UsageError: the budget is too small for anything.

    """
    if budget < LEAST_BUDGET:
        hint = f"give at least {LEAST_BUDGET}"
        raise UsageError(f"a budget of {budget} tokens is too small", hint)
    focus = focus.strip()
    run, runs = _newest_red(memory)
    path, line = _path_in(memory, focus)
    seen = seen_in(memory.workspace, focus) if focus and not path else []
    if run and not focus:
        seen = list(run.failures)
    known = match(memory.reader, memory.failures.drafts, seen[:_MOST_MATCHED]) if seen else []
    asked = _ContextQuestion(focus, budget, path, line, run, runs, known)
    return _context(memory, asked, conventions=conventions)


class _ContextQuestion(NamedTuple):
    """What is asked, and what is known of it already."""

    focus: str
    budget: int
    path: str
    line: int
    run: "Run | None"
    runs: "list[Run]"
    known: "list[Match]"


def _context(memory: "Memory", asked: _ContextQuestion, *, conventions: bool) -> Context:
    if asked.known:
        found = _on_failures(memory, asked)
    elif asked.path:
        found = _on_path(memory, asked)
    else:
        found = _on_words(memory, asked) if asked.focus else _newest(memory)
    whole = project(memory)
    rows = found.fixes[:_MOST_RECORDS]
    fixes = [(row, record) for row in rows if (record := _record(memory, row))]
    good = [one for one in fixes if one[0].stated in _GOOD]
    bad = [one for one in fixes if one[0].stated not in _GOOD]
    code = pieces(memory, found.places[:_MOST_CODE], asked.run.tree if asked.run else "")
    sections = (
        ContextSection(
            "failing", "Failing in the newest run", "failing case", _cases(memory, asked)
        ),
        ContextSection("verdict", "Whether to go on", "rule", _verdict(memory, asked)),
        ContextSection("tried", "Tried since it fails", "edit", _edits(memory, asked)),
        ContextSection("worked", "What worked before", "record", _records(good)),
        ContextSection("avoid", "What to avoid", "record", _records(bad)),
        ContextSection("code", "The code", "piece of code", tuple(map(code_entry, code))),
        ContextSection(
            "decisions", "Decisions in force", "decision", _read(memory, found.decisions)
        ),
        ContextSection("errors", "Errors like it", "record", _read(memory, found.errors)),
        ContextSection("knowledge", "Worth knowing", "record", _read(memory, found.others)),
        ContextSection("project", "The project", "fact", project_entries(memory, whole)),
        ContextSection(
            "conventions",
            "How the code is written",
            "convention",
            convention_entries(memory) if conventions else (),
        ),
        ContextSection(
            "changes", "Changed last", "commit", tuple(map(commit_entry, whole.commits))
        ),
        ContextSection("settings", "Settings of the team", "setting", _settings(memory)),
    )
    kept = tuple(one for one in sections if one.entries)
    return Context(asked.focus, asked.budget, kept, whole.notes)


# What the focus leads to


def _newest_red(memory: "Memory") -> "tuple[Run | None, list[Run]]":
    """Give the newest run of the command last run, if it failed, and all runs of that command."""
    try:
        runs = attempting.newest_runs(memory.records)
    except NotFoundError:
        return None, []
    return (None if runs[-1].green else runs[-1]), runs


def _path_in(memory: "Memory", focus: str) -> tuple[str, int]:
    """Take a focus for a path, if there is something of that name."""
    if not focus or "\n" in focus or "\0" in focus:
        return "", 0
    name, line = place(memory, focus)
    there = os.path.lexists(os.path.join(memory.site.root, name))
    return (name, line) if there else ("", 0)


def _on_failures(memory: "Memory", asked: _ContextQuestion) -> _FocusedRecords:
    known = asked.known
    similar = [hit for one in known for hit in one.similar]
    errors = [row for one in known for row in reversed(one.errors)]
    errors += [hit.row for hit in similar if hit.row.kind == "error"]
    fixes = [fix for one in known for fix in _best_first(one.suggested)]
    fixes += [fix for hit in similar for fix in _best_first(hit.attempts)]
    root = memory.site.root
    places = dict.fromkeys(place for one in known for place in places_of(root, one.seen.fields))
    words = " ".join(one.seen.title for one in known)
    hits = worded(memory.workspace, words, _MOST_HITS, _BESIDE)
    decisions = _decisions(memory, [one.path for one in places], hits)
    return _FocusedRecords(
        _unique(errors), _unique(fixes), _others(memory, hits), decisions, list(places)
    )


def _on_path(memory: "Memory", asked: _ContextQuestion) -> _FocusedRecords:
    rows = _speaking_of(memory, asked.path)
    errors = [row for row in rows if row.kind == "error"]
    fixes = _best_first(standing(memory.workspace, [row for row in rows if row.kind == "fix"]))
    is_file = os.path.isfile(os.path.join(memory.site.root, asked.path))
    places = [CodeLine(asked.path, asked.line)] if is_file else []
    hits = worded(memory.workspace, asked.path, _MOST_HITS, _BESIDE)
    ruling = [row for row in rows if row.kind == "decision" and row.status not in _OVER]
    decisions = standing(memory.workspace, ruling)
    return _FocusedRecords(errors, fixes, _others(memory, hits), decisions, places)


def _speaking_of(memory: "Memory", path: str) -> "list[Row]":
    """Give the records that concern a file, or speak of one below a folder; newest first."""
    if not os.path.isdir(os.path.join(memory.site.root, path)):
        found = about(memory, path)
        return [*found.decisions, *found.errors, *found.fixes]
    catalog = memory.derived.catalog(memory.progress)
    return catalog.rows(Filters(paths=(path,)), limit=_MOST_BELOW)


def _on_words(memory: "Memory", asked: _ContextQuestion) -> _FocusedRecords:
    hits = [hit for hit in memory.search(asked.focus, _MOST_HITS).hits if hit.label != WEAK]
    own = [hit for hit in hits if not hit.layer]
    beside = [fix for hit in hits if hit.layer for fix in _best_first(hit.attempts)]
    errors = [hit.row for hit in own if hit.row.kind == "error"]
    fixes = [fix for hit in own for fix in _best_first(hit.attempts)]
    fixes += [hit.row for hit in own if hit.row.kind == "fix"]
    known = [*standing(memory.workspace, _unique(fixes)), *beside]
    decisions = _decisions(memory, [], own)
    return _FocusedRecords(
        standing(memory.workspace, errors), known, _others(memory, own), decisions, []
    )


def _newest(memory: "Memory") -> _FocusedRecords:
    """Give what is newest, where nothing is asked and nothing fails."""
    catalog = memory.derived.catalog(memory.progress)

    def rows(kind: str, *statuses: str) -> "list[Row]":
        return catalog.rows(Filters(kinds=(kind,), statuses=statuses), limit=_MOST_NEWEST)

    errors = standing(memory.workspace, rows("error", "open", "regressed"))
    decisions = standing(memory.workspace, rows("decision", "accepted"))
    return _FocusedRecords(errors, [], rows("session"), decisions, [])


def _decisions(memory: "Memory", paths: Iterable[str], hits: "Iterable[SearchHit]") -> "list[Row]":
    """Give decisions that are not over: on the files first, then by words."""
    rows = [row for path in dict.fromkeys(paths) for row in about(memory, path).decisions]
    rows += [hit.row for hit in hits if hit.row.kind == "decision"]
    return standing(memory.workspace, [row for row in _unique(rows) if row.status not in _OVER])


def _others(memory: "Memory", hits: "Iterable[SearchHit]") -> "list[Row]":
    rows = [hit.row for hit in hits if hit.row.kind in ("pattern", "note", "session")]
    return standing(memory.workspace, rows)


def _best_first(fixes: "Iterable[Row]") -> "list[Row]":
    newest = sorted(fixes, key=lambda row: (row.created, row.id), reverse=True)
    return sorted(newest, key=lambda row: (row.stated not in _GOOD, row.stated != "worked"))


def _unique(rows: "Iterable[Row]") -> "list[Row]":
    return list({row.id: row for row in rows}.values())


# Entries


def _cases(memory: "Memory", asked: _ContextQuestion) -> tuple[ContextEntry, ...]:
    """Tell the failing cases; those that were recognised, or are asked about, first."""
    if asked.run is None:
        return ()
    known = {one.seen.site: one for one in asked.known}
    seen = {one.site: one for one in asked.run.failures}
    first = set(known)
    if asked.path:
        root = memory.site.root
        named = {site: places_of(root, one.fields) for site, one in seen.items()}
        first = {site for site, places in named.items()
                 if any(one.path == asked.path for one in places)}  # fmt: skip
    cases = sorted(asked.run.failing, key=lambda case: case.site not in first)
    return tuple(
        case_entry(case, seen.get(case.site), known.get(case.site)) for case in cases[:_MOST_CASES]
    )


def _verdict(memory: "Memory", asked: _ContextQuestion) -> tuple[ContextEntry, ...]:
    if asked.run is None:
        return ()
    judged = persisting.of_runs(memory, asked.runs)
    return tuple(fact(STOP, one.text) for one in judged.reasons)


def _edits(memory: "Memory", asked: _ContextQuestion) -> tuple[ContextEntry, ...]:
    if asked.run is None:
        return ()
    return tuple(
        edit_entry(live.episode.seen.title, edit)
        for live in attempting.live(memory.records)
        for edit in reversed(live.edits)
    )


def _record(memory: "Memory", row: "Row") -> "Record | None":
    """Read a record, also one that lies beside the memory; None: it is gone or broken by now."""
    if record := read_record(memory.workspace, row):
        return record
    with suppress(NotFoundError):
        return memory.layers.show(row.id).record
    return None


def _records(found: "Sequence[tuple[Row, Record]]") -> tuple[ContextEntry, ...]:
    return tuple(record_entry(row, record) for row, record in found)


def _read(memory: "Memory", rows: "Sequence[Row]") -> tuple[ContextEntry, ...]:
    known = ((row, _record(memory, row)) for row in rows[:_MOST_RECORDS])
    return tuple(record_entry(row, record) for row, record in known if record)


def _settings(memory: "Memory") -> tuple[ContextEntry, ...]:
    """Give what the team set, without secrets; what is only somebody's own is left out."""
    config, origins = memory.site.config, memory.site.settings.origins
    own = sorted(key for key, origin in origins.items() if origin == "team")
    told = ((key, getattr(config, key.replace(".", "_", 1))) for key in own)
    return tuple(fact(key, memory.without_secrets(_said(value))) for key, value in told)


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return str(value)
