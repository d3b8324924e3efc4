"""Builds the record of a session from its events and from git. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, cast, get_args

from gitmem.records.issues import of_tag
from gitmem.records.kinds import Session
from gitmem.records.parts import Change, Event, RelPath, Scalar, TestRun, Timing, Usage
from gitmem.sessions.live import LiveSession, Logged
from gitmem.sessions.summary import Produced, SummaryFacts, compose

Action = Literal["create", "edit", "delete", "rename", "refactor", "test"]
ACTIONS: Final = get_args(Action)
CHANGE: Final = "change"
ISSUE: Final = "issue"
"""Of an event that names an issue by its tag."""
_ANY: Final = frozenset(ACTIONS)
_FINER: Final = frozenset({"refactor", "test"})  # what git can't tell
MOST_CHANGES: Final = 500
_MOST_EVENTS = 500
_MOST_RUNS = 100
_MOST_DETAILED = 20
_LONGEST_TITLE = 200


class SessionReport(NamedTuple):
    """What the caller says about a session at its end."""

    success: bool | None = None
    summary: str = ""
    approach: str = ""
    success_factors: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    llm: Usage | None = None
    config: Mapping[str, Scalar] = MappingProxyType({})
    metrics: Mapping[str, Scalar] = MappingProxyType({})


def build(
    live: LiveSession,
    ended: datetime,
    report: SessionReport,
    *,
    observed: Sequence[Change],
    certain: bool,
    gaps: Sequence[str],
    produced: Sequence[Produced],
    branch: str = "",
) -> Session:
    """Write the session down.

    Args:
        live: the session.
        ended: when it ended, not before it started.
        report: what the caller adds.
        observed: the changes that git saw.
        certain: git could compare; otherwise the logged changes count as they are.
        gaps: what could not be observed.
        produced: records written meanwhile.
        branch: what is checked out at the end.

    """
    changes, loose = merge(observed, live.logged, certain=certain)
    runs = tuple(entry.test_run for entry in live.logged if entry.test_run)
    if len(runs) > _MOST_RUNS:
        gaps = (*gaps, f"{len(runs) - _MOST_RUNS} test runs before the newest are not listed")
    branch = branch or live.here.branch
    facts = SummaryFacts(
        goal=live.goal,
        seconds=(ended - live.started).total_seconds(),
        branch=branch,
        success=report.success,
        changes=changes[:MOST_CHANGES],
        files=len(changes),
        test_runs=runs,
        produced=produced,
        unseen=list(_unseen(loose)),
        notes=list(_notes(live.logged)),
        gaps=gaps,
    )
    return Session(
        id=live.id,
        title=title_of(live.goal),
        created=ended,
        author=live.actor,
        tags=_unique((*live.tags, *report.tags, *issues(live.logged))),
        goal=live.goal,
        started=live.started,
        ended=ended,
        success=report.success,
        summary=report.summary or compose(facts),
        branch=branch,
        task=live.task,
        approach=report.approach,
        success_factors=_unique(report.success_factors),
        tools_used=_unique(report.tools_used),
        changes=changes[:MOST_CHANGES],
        test_runs=_bounded(runs),
        events=_events(live, loose, ended, gaps, left_out=len(changes) - MOST_CHANGES),
        llm=report.llm,
        config=dict(report.config),
        metrics=dict(report.metrics),
    )


def _notes(logged: Iterable[Logged]) -> Iterator[str]:
    return (entry.text for entry in logged if entry.type == "note" and entry.text)


def _unseen(loose: Iterable[Logged]) -> Iterator[str]:
    """Tell of changes that were logged and of which git saw nothing: an ignored file, say."""
    for entry in loose:
        reason = entry.reason or entry.text
        lines = f", lines {entry.lines[0]}-{entry.lines[1]}" if entry.lines else ""
        what = f"{entry.action or 'change'}{lines}, not seen by git"
        yield f"{entry.path} ({what})" + (f": {reason}" if reason else "")


def issues(logged: Iterable[Logged]) -> Iterator[str]:
    """Give the tags of the issues that a session was linked to while it went on."""
    return (entry.text for entry in logged if _names_issue(entry))


def _names_issue(entry: Logged) -> bool:
    if entry.type != ISSUE:
        return False
    return of_tag(entry.text) is not None


def title_of(goal: str) -> str:
    """Take the goal's first line, shortened to what fits a list."""
    line = " ".join(next((line for line in goal.splitlines() if line.strip()), "").split())
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1] + "…"


def merge(
    observed: Sequence[Change], logged: Iterable[Logged], *, certain: bool
) -> tuple[tuple[Change, ...], tuple[Logged, ...]]:
    """Put logged reasons to the changes that git saw.

    Returns the changes, and the logged ones that git saw nothing of (undone again, or an
    ignored file). Where git could not compare, each logged path is a change instead.
    """
    by_path = {change.renamed_from: change.path for change in observed if change.renamed_from}
    by_path |= {change.path: change.path for change in observed}
    entries: dict[RelPath, list[Logged]] = {}
    loose: list[Logged] = []
    for entry in logged:
        if entry.type == CHANGE:
            path = by_path.get(entry.path, "" if certain else entry.path)
            entries.setdefault(path, []).append(entry) if path else loose.append(entry)
    changes = [_with(change, entries.pop(change.path, []), _FINER) for change in observed]
    changes += [_with(Change(path=path), entry, _ANY) for path, entry in sorted(entries.items())]
    return tuple(changes), tuple(loose)


def _with(change: Change, entries: list[Logged], finer: frozenset[str]) -> Change:
    """Add what was logged about one file; what git saw stays, save for a finer action."""
    if not entries:
        return change
    fields: dict[str, Any] = {name: getattr(change, name) for name in change.__struct_fields__}
    actions = [entry.action for entry in entries if entry.action]
    if change.action == "edit" and actions and actions[-1] in finer:
        fields["action"] = cast("Action", actions[-1])
    fields["reason"] = "; ".join(_unique(entry.reason or entry.text for entry in entries))
    fields["lines"] = next((entry.lines for entry in reversed(entries) if entry.lines), None)
    fields["related_files"] = _unique(file for entry in entries for file in entry.related_files)
    fields["diff"] = "\n".join(_unique(entry.diff for entry in entries))
    return Change(**fields)


def _events(
    live: LiveSession, loose: Sequence[Logged], ended: datetime, gaps: Sequence[str], left_out: int
) -> tuple[Event, ...]:
    texts = [*gaps]
    if left_out > 0:
        texts.append(f"{left_out} more changed files are not listed")
    unmatched = {id(entry) for entry in loose}
    entries = [entry for entry in live.logged if id(entry) in unmatched or _is_event(entry)]
    if len(entries) > _MOST_EVENTS:
        texts.append(f"{len(entries) - _MOST_EVENTS} events in the middle are not listed")
        half = _MOST_EVENTS // 2
        entries = entries[:half] + entries[-half:]
    events = [
        Event(at=entry.at, type=entry.type, text=_text(entry), role=entry.role, record=entry.record)
        for entry in entries
    ]
    return (*events, *(Event(at=ended, type="gap", text=text) for text in texts))


def _is_event(entry: Logged) -> bool:
    """Tell whether an entry is neither a change nor a test run."""
    if not entry.reason and _names_issue(entry):
        return False  # a tag says it
    return entry.type != CHANGE and (entry.test_run is None or bool(entry.record))


def _bounded(runs: Sequence[TestRun]) -> tuple[TestRun, ...]:
    """Keep the newest test runs, and cases and timing of the last ones: a record stays small."""
    newest = runs[-_MOST_RUNS:]
    brief = (_brief(run) for run in newest[:-_MOST_DETAILED])
    return (*brief, *newest[-_MOST_DETAILED:])


def _brief(run: TestRun) -> TestRun:
    fields = {name: getattr(run, name) for name in run.__struct_fields__}
    timing = Timing(seconds=run.timing.seconds) if run.timing else None
    return TestRun(**(fields | {"cases": (), "timing": timing}))


def _text(entry: Logged) -> str:
    """Say all that was logged: no ``Change`` holds it where git saw nothing of it."""
    details = [entry.action]
    details += ["lines {}-{}".format(*entry.lines)] if entry.lines else []
    details += [f"with {', '.join(entry.related_files)}"] if entry.related_files else []
    about = f" ({', '.join(details)})" if any(details) else ""
    prefix = f"{entry.path}{about}: " if entry.path else ""
    text = prefix + "; ".join(dict.fromkeys(filter(None, (entry.text, entry.reason))))
    return f"{text}\n{entry.diff}" if entry.diff else text


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
