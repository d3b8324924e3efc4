"""The learning context for the next attempt: what fails, what was tried and is known, the project.

Sections are in the order of their use, entries best first. Which of them are shown is decided by
the budget, when they are written down (``render.context``).
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.catalog.rows import best_first
from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.learning.context import LEAST_BUDGET, Context, ContextEntry, ContextSection
from gitmem.matching.labels import WEAK
from gitmem.memory.advice.code_sections import CodeLine, code_sections, places_of
from gitmem.memory.advice.context_entries import (
    approach_sections,
    case_entry,
    code_entry,
    commit_entry,
    convention_entries,
    fact,
    project_entries,
    record_entry,
    work_entries,
)
from gitmem.memory.advice.trials import standing
from gitmem.memory.codebase.project import project
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.observed_runs import newest_runs
from gitmem.memory.failures.precedence import with_precedence
from gitmem.memory.reading.layered import LayeredReader
from gitmem.memory.reading.word_search import worded
from gitmem.memory.views.about_file import about
from gitmem.query import Filters
from gitmem.records.layout import PREFIXES
from gitmem.worktree import read_text

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.observed import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.learning.profile import Profile
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.reading.reader import Reader
    from gitmem.records.kinds import Record

    Tried = Callable[[list[Row]], dict[str, Row]]

_LIKE_A_PATH: Final = re.compile(r"[^\s:]*(?:/[^\s:/]+|\w\.[A-Za-z]\w{0,9})(?::\d+)?")
_BESIDE: Final = ("decision", "pattern", "note")
_MOST_CASES: Final = 50
_MOST_RECORDS: Final = 30
_MOST_HITS: Final = 20
_MOST_CODE: Final = 6
_MOST_NEWEST: Final = 10
_MOST_BELOW: Final = 100
_MOST_DRAFTS: Final = 3
_MOST_GUARDED: Final = 20
_MOST_BYTES: Final = 400_000
_OVER: Final = ("superseded", "rejected", "deprecated")


class _FocusedRecords(NamedTuple):
    """Records that the focus led to, best first, and the code that is meant."""

    errors: "list[Row]"
    fixes: "list[Row]"
    others: "list[Row]"
    decisions: "list[Row]"
    places: list[CodeLine]


def context(
    records: "RecordAccess",
    focus: str,
    *,
    budget: int,
    profile: "Callable[[], Profile] | None" = None,
    tried: "Tried",
    project_first: bool = False,
) -> Context:
    """Give what is to be known before the next attempt.

    Args:
        records: of the memory.
        focus: an error, words, a file or ``PATH:LINE``; empty: what fails now.
        budget: tokens.
        profile: describes how the code is written; None: that is left out.
        tried: gives what was tried on errors, and on the same failures elsewhere.
        project_first: without a focus begin with the project, also where something fails.

    Raises:
        UsageError: the budget is too small for anything.

    """
    if budget < LEAST_BUDGET:
        hint = f"give at least {LEAST_BUDGET}"
        raise UsageError(f"a budget of {budget} tokens is too small", hint)

    def question() -> Context:
        meant = _question(records, focus.strip(), budget)
        begins = not meant.focus and (project_first or meant.run is None)
        return _context(records, meant._replace(begins=begins), profile, tried)

    return records.workspace.ask(lambda _: question())


class _ContextQuestion(NamedTuple):
    """What is asked, by whom, and the failures and runs that it is about."""

    focus: str
    budget: int
    path: str
    line: int
    run: "Run | None"
    runs: "list[Run]"
    matches: "Sequence[Match]" = ()
    reasons: tuple[ContextEntry, ...] = ()
    edits: tuple[ContextEntry, ...] = ()
    begins: bool = False


def _question(records: "RecordAccess", focus: str, budget: int) -> _ContextQuestion:
    workspace = records.workspace
    run, runs = _newest_red(records)
    path, line = _path_in(workspace, focus)
    text = "" if path else focus
    if run is None and not text:
        return _ContextQuestion(focus, budget, path, line, run, runs)
    from gitmem.memory.advice.failing_run import reported  # noqa: PLC0415  start-up

    report = reported(records, runs if run else [], text, failing=not focus)
    return _ContextQuestion(focus, budget, path, line, run, runs, *report)


def _context(
    records: "RecordAccess",
    question: _ContextQuestion,
    profile: "Callable[[], Profile] | None",
    tried: "Tried",
) -> Context:
    reader, workspace = records.reader, records.workspace
    if question.matches:
        focused = _on_failures(workspace, question)
    elif question.path:
        focused = _on_path(workspace, question, tried)
    else:
        focused = _on_words(reader, question) if question.focus else _newest(workspace)
    if question.begins and question.run:
        decisions = [*focused.decisions, *_newest(workspace).decisions]
        focused = focused._replace(decisions=list(_unique(decisions)))
    description = project(workspace.site)
    code = code_sections(
        workspace, focused.places[:_MOST_CODE], question.run.tree if question.run else ""
    )
    sections: tuple[ContextSection, ...] = (
        ContextSection("asked", "What was asked about", "fact", _missing(question)),
        ContextSection(
            "failing", "Failing in the newest run", "failing case", _cases(workspace, question)
        ),
        ContextSection("verdict", "Whether to go on", "rule", question.reasons),
        ContextSection("tried", "Tried since it began to fail", "edit", question.edits),
        ContextSection("work", "Going on", "fact", _work(records) if not question.focus else ()),
        ContextSection("guarded", "There because of a fix", "place", _guarded(workspace, question)),
        *approach_sections(
            workspace, focused.fixes, lambda row: _record(reader, row), _MOST_RECORDS
        ),
        ContextSection("code", "The code", "piece of code", tuple(map(code_entry, code))),
        ContextSection(
            "decisions", "Decisions in force", "decision", _read(reader, focused.decisions)
        ),
        ContextSection(
            "errors",
            "Similar errors" if question.focus or question.run else "Open errors",
            "record",
            _read(reader, focused.errors),
        ),
        ContextSection("knowledge", "Worth knowing", "record", _read(reader, focused.others)),
        ContextSection("project", "The project", "fact", project_entries(workspace, description)),
        ContextSection(
            "conventions",
            "How the code is written",
            "convention",
            convention_entries(profile()) if profile else (),
        ),
        ContextSection(
            "changes", "Changed last", "commit", tuple(map(commit_entry, description.commits))
        ),
        ContextSection("settings", "Settings of the team", "setting", _settings(workspace)),
    )
    if question.begins:
        sections = _for_a_beginning(sections)
    filled = _without_secrets(workspace, [section for section in sections if section.entries])
    return Context(question.focus, question.budget, filled, description.notes)


def _without_secrets(
    workspace: "Workspace", sections: "Sequence[ContextSection]"
) -> tuple[ContextSection, ...]:
    """Take secrets out of what git and the file system tell: names of files, branches, people."""
    clean = workspace.redacted_text
    entries = [entry for section in sections for entry in section.entries]
    whole = "\n".join(word for entry in entries for word in (entry.title, *entry.about))
    if clean(whole) == whole:
        return tuple(sections)
    return tuple(
        section._replace(
            entries=tuple(
                entry._replace(title=clean(entry.title), about=tuple(map(clean, entry.about)))
                for entry in section.entries
            )
        )
        for section in sections
    )


def _for_a_beginning(sections: tuple[ContextSection, ...]) -> tuple[ContextSection, ...]:
    """Put first what somebody wants to know who begins.

    That is what no file tells: what still fails and what goes on; then the project, and what was
    decided.
    """
    first = {name: at for at, name in enumerate(("failing", "work", "project", "decisions"))}
    return tuple(sorted(sections, key=lambda section: first.get(section.name, len(first))))


# What the focus leads to


def _newest_red(records: "RecordAccess") -> "tuple[Run | None, list[Run]]":
    """Give the newest run of the command last run, if it failed, and all runs of that command."""
    try:
        runs = newest_runs(records)
    except NotFoundError:
        return None, []
    return (None if runs[-1].green else runs[-1]), runs


def _work(records: "RecordAccess") -> tuple[ContextEntry, ...]:
    """Give the live session and the newest drafts of fixes, as far as there are any."""
    drafts = [draft for draft in records.workspace.drafts.open() if not draft.silenced]
    drafts = drafts[: -_MOST_DRAFTS - 1 : -1]
    if not records.workspace.journal.streams(f"{PREFIXES['session']}-"):
        return work_entries(None, drafts)  # nothing is imported for one
    with suppress(GitmemError):
        return work_entries(records.writer.sessions.current(), drafts)
    return work_entries(None, drafts)


def _path_in(workspace: "Workspace", focus: str) -> tuple[str, int]:
    """Take a focus for a path, if there is something of that name."""
    if not focus or "\n" in focus or "\0" in focus:
        return "", 0
    name, line = workspace.place(focus)
    there = os.path.lexists(os.path.join(workspace.site.root, name))
    return (name, line) if there else ("", 0)


def _missing(question: _ContextQuestion) -> tuple[ContextEntry, ...]:
    """Say that a focus looks like a path and is none: what follows is found by its words."""
    if question.path or question.matches or not _LIKE_A_PATH.fullmatch(question.focus):
        return ()
    return (fact("missing", f"there is no file {question.focus}"),)


def _on_failures(workspace: "Workspace", question: _ContextQuestion) -> _FocusedRecords:
    matches = question.matches
    similar = [hit for failure in matches for hit in failure.similar]
    errors = [row for failure in matches for row in reversed(failure.errors)]
    errors += [hit.row for hit in similar if hit.row.kind == "error"]
    fixes = [fix for failure in matches for fix in failure.ranked]
    fixes += [fix for hit in similar for fix in hit.ranked]
    root = workspace.site.root
    places = dict.fromkeys(
        place for failure in matches for place in places_of(root, failure.seen.fields)
    )
    words = " ".join(failure.seen.title for failure in matches)
    hits = worded(workspace, words, _MOST_HITS, _BESIDE)
    decisions = _decisions(workspace, [place.path for place in places], hits)
    return _FocusedRecords(
        _unique(errors), _unique(fixes), _others(workspace, hits), decisions, list(places)
    )


def _on_path(workspace: "Workspace", question: _ContextQuestion, tried: "Tried") -> _FocusedRecords:
    rows = _speaking_of(workspace, question.path)
    errors = [row for row in rows if row.kind == "error"]
    own = {row.id: row for row in rows if row.kind == "fix"}
    # What was tried on the same failure in another file is worth as much here.
    there = {fix.id: fix for fix in standing(workspace, (tried(errors) | own).values())}
    fixes = best_first(with_precedence(workspace, there, [there.values()]).values())
    is_file = os.path.isfile(os.path.join(workspace.site.root, question.path))
    places = [CodeLine(question.path, question.line)] if is_file else []
    hits = worded(workspace, question.path, _MOST_HITS, _BESIDE)
    ruling = [row for row in rows if row.kind == "decision" and row.status not in _OVER]
    decisions = standing(workspace, ruling)
    return _FocusedRecords(errors, fixes, _others(workspace, hits), decisions, places)


def _speaking_of(workspace: "Workspace", path: str) -> "list[Row]":
    """Give the records that concern a file, or speak of one below a folder; newest first."""
    if not os.path.isdir(os.path.join(workspace.site.root, path)):
        concerned = about(workspace, path)
        return [*concerned.decisions, *concerned.errors, *concerned.fixes]
    below = Filters(paths=(path,))
    return workspace.ask(lambda now: now.catalog.rows(below, limit=_MOST_BELOW))


def _on_words(reader: "Reader", question: _ContextQuestion) -> _FocusedRecords:
    workspace = reader.workspace
    hits = [hit for hit in reader.search(question.focus, _MOST_HITS).hits if hit.label != WEAK]
    own = [hit for hit in hits if not hit.layer]
    # Where it is from takes the place of its author, whom nobody here knows.
    beside = [fix._replace(author=hit.layer) for hit in hits if hit.layer for fix in hit.ranked]
    errors = [hit.row for hit in own if hit.row.kind == "error"]
    fixes = [fix for hit in own for fix in hit.ranked]
    fixes += [hit.row for hit in own if hit.row.kind == "fix"]
    fixes = [*standing(workspace, _unique(fixes)), *beside]
    decisions = _decisions(workspace, [], own)
    return _FocusedRecords(
        standing(workspace, errors), fixes, _others(workspace, own), decisions, []
    )


def _newest(workspace: "Workspace") -> _FocusedRecords:
    """Give what is newest, where nothing is asked and nothing fails."""

    def rows(kind: str, *statuses: str) -> "list[Row]":
        wanted = Filters(kinds=(kind,), statuses=statuses)
        return workspace.ask(lambda now: now.catalog.rows(wanted, limit=_MOST_NEWEST))

    errors = standing(workspace, rows("error", "open", "regressed"))
    decisions = standing(workspace, rows("decision", "accepted"))
    return _FocusedRecords(errors, [], rows("session"), decisions, [])


def _decisions(
    workspace: "Workspace", paths: Iterable[str], hits: "Iterable[SearchHit]"
) -> "list[Row]":
    """Give decisions that are not over: on the files first, then by words."""
    rows = [row for path in dict.fromkeys(paths) for row in about(workspace, path).decisions]
    rows += [hit.row for hit in hits if hit.row.kind == "decision"]
    return standing(workspace, [row for row in _unique(rows) if row.status not in _OVER])


def _others(workspace: "Workspace", hits: "Iterable[SearchHit]") -> "list[Row]":
    rows = [hit.row for hit in hits if hit.row.kind in ("pattern", "note", "session")]
    return standing(workspace, rows)


def _unique(rows: "Iterable[Row]") -> "list[Row]":
    return list({row.id: row for row in rows}.values())


# Entries


def _cases(workspace: "Workspace", question: _ContextQuestion) -> tuple[ContextEntry, ...]:
    """Tell the failing cases; those that were recognised, or are asked about, first."""
    if question.run is None:
        return ()
    matches = {failure.seen.site: failure for failure in question.matches}
    failures = {failure.site: failure for failure in question.run.failures}
    first = set(matches)
    if question.path:
        root = workspace.site.root
        named = {site: places_of(root, failure.fields) for site, failure in failures.items()}
        first = {
            site
            for site, places in named.items()
            if any(place.path == question.path for place in places)
        }
    cases = sorted(question.run.failing, key=lambda case: case.site not in first)
    return tuple(
        case_entry(case, failures.get(case.site), matches.get(case.site))
        for case in cases[:_MOST_CASES]
    )


def _record(reader: "Reader", row: "Row") -> "Record | None":
    """Read a record, also one that lies beside the memory; None: it is gone or broken by now."""
    if record := read_record(reader.workspace, row):
        return record
    if isinstance(reader, LayeredReader):
        with suppress(NotFoundError):
            return reader.layers.show(row.id).record
    return None


def _read(reader: "Reader", rows: "Sequence[Row]") -> tuple[ContextEntry, ...]:
    read = ((row, _record(reader, row)) for row in rows[:_MOST_RECORDS])
    return tuple(record_entry(row, record) for row, record in read if record)


def _guarded(workspace: "Workspace", question: _ContextQuestion) -> tuple[ContextEntry, ...]:
    """Say which lines of the file that is meant stand there because of a fix."""
    path = question.path
    text = read_text(workspace.site.root, path, _MOST_BYTES) if path else None
    if not text:
        return ()
    from gitmem.memory.history.guarded_texts import guarded_lines  # noqa: PLC0415  sessions name no file

    places = guarded_lines(workspace, path, text)[:_MOST_GUARDED]
    return tuple(fact("keep", lines.because, lines.fix.id) for lines in places)


def _settings(workspace: "Workspace") -> tuple[ContextEntry, ...]:
    """Give what the team set, without secrets; what is only somebody's own is left out."""
    config, origins = workspace.site.config, workspace.site.settings.origins
    own = sorted(key for key, origin in origins.items() if origin == "team")
    settings = ((key, getattr(config, key.replace(".", "_", 1))) for key in own)
    return tuple(fact(key, workspace.redacted_text(_shown(value))) for key, value in settings)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return str(value)
