"""What to try, what to avoid and when to stop: for an error, or for what fails now.

Matching is that of ``hint`` and ``search``; here attempts are only weighed.
"""

import os
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError
from gitmem.learning.advice import Trial
from gitmem.learning.advised import Advice
from gitmem.learning.retry_verdict import STOP, RetryVerdict
from gitmem.matching.labels import WEAK
from gitmem.memory.advice.retry_verdicts import verdict_on_runs, verdict_on_trials
from gitmem.memory.advice.trials import standing, trials_of
from gitmem.memory.advice.weighing import decisions_to_keep, useful, weighed
from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.observed_runs import newest_runs
from gitmem.memory.failures.recorded_attempts import of_error
from gitmem.memory.reading.relevance import shares_only_fillers
from gitmem.memory.views.about_file import about
from gitmem.plurals import counted
from gitmem.records.layout import is_id, kind_of, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.answers.found import SearchHit
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_MOST_FAILURES: Final = 5
_MOST_HITS: Final = 10
_MOST_SHOWN: Final = 3
_WORDS: Final = "matched by text"


def advise_on_what_fails(records: "RecordAccess") -> Advice:
    """Advise on the command last run."""
    try:
        runs = newest_runs(records)
    except NotFoundError:
        hint = "give an error, --task or --file; or watch a command: gitmem run -- COMMAND"
        return Advice(notes=("no command was watched in this work tree yet", hint))
    run = runs[-1]
    if run.green:
        return Advice(about=("the last command passed",), notes=("nothing fails",))
    verdict = verdict_on_runs(records.workspace, runs)
    matches = match(records.reader, run.failures[:_MOST_FAILURES])
    return _on_failures(records, matches, verdict)


def _on_error(records: "RecordAccess", row: "Row") -> Advice:
    """Advise on an error that is recorded, and on those that are the same."""
    workspace = records.workspace
    fixes = of_error(records, row.id)
    trials = trials_of(workspace, fixes, "this error")
    verdicts = [verdict_on_trials(workspace, trials)] if trials else []
    spoken = workspace.ask(lambda now: now.catalog.paths_of([row.file])).get(row.file, ())
    files = [path for role, path in spoken if role in {"anchor", "location", "frame"}]
    line = f"{row.title.rstrip('.')}: {row.status}, {row.id}"
    decisions = decisions_to_keep(workspace, _governing(workspace, files))
    return weighed(workspace, [line], trials, decisions, verdicts)


def advise_on_text(records: "RecordAccess", text: str) -> Advice:
    """Advise on an error text, the id of a recorded error, or a question in words."""
    if is_id(name := normalise(text)) and kind_of(name) == "error":
        return _on_error(records, records.reader.find(name, "error"))
    workspace = records.workspace
    failures = seen_in(workspace, text)
    if failures:
        matches = match(records.reader, failures[:_MOST_FAILURES])
        return _on_failures(records, matches, None)
    hits = [
        hit
        for hit in records.reader.search(text, _MOST_HITS).hits
        if hit.label != WEAK and not shares_only_fillers(hit)
    ]
    rows = [hit.row for hit in hits if not hit.layer]
    decisions = decisions_to_keep(workspace, (row for row in rows if row.kind == "decision"))
    errors = [row for row in rows if row.kind == "error"][:_MOST_SHOWN]
    lines = [f"{row.title.rstrip('.')}: {row.status}, {row.id}" for row in errors]
    trials = _trials_of_hits(workspace, hits, _WORDS)
    return weighed(workspace, lines, trials, [*decisions, *useful(workspace, rows)])


def _on_failures(
    records: "RecordAccess", matches: "Sequence[Match]", on_runs: RetryVerdict | None
) -> Advice:
    workspace = records.workspace
    lines, trials, files = [], [], []
    on_errors: list[RetryVerdict] = []
    for failure in matches:
        lines.append(_match_line(failure))
        if failure.label:
            attempts = _trials_of_match(workspace, failure)
            trials += attempts
            if attempts and failure.is_known:
                on_errors.append(verdict_on_trials(workspace, attempts))
        trials += _trials_of_hits(workspace, failure.similar, "similar")
        files += _files_of(workspace, failure)
    stopping = [verdict for verdict in on_errors if verdict.answer == STOP]
    verdicts = [*([on_runs] if on_runs else []), *(stopping or on_errors)]
    decisions = decisions_to_keep(workspace, _governing(workspace, files))
    return weighed(workspace, lines, trials, decisions, verdicts)


def _governing(workspace: "Workspace", files: "Iterable[str]") -> "list[Row]":
    """Give the decisions that govern files, each once."""
    rows = [row for path in dict.fromkeys(files) for row in about(workspace, path).decisions]
    return list({row.id: row for row in rows}.values())


def _trials_of_match(workspace: "Workspace", failure: "Match") -> list[Trial]:
    """Make trials of the attempts on a recognised failure."""
    return trials_of(workspace, failure.suggested, failure.label)


def _trials_of_hits(workspace: "Workspace", hits: "Iterable[SearchHit]", label: str) -> list[Trial]:
    """Make trials of the attempts that a search brought."""
    fixes: dict[str, Row] = {}
    labels: dict[str, str] = {}
    of_layers: set[str] = set()
    for hit in hits:
        for fix in hit.attempts if hit.row.kind == "error" else (hit.row,):
            if fix.kind == "fix" and fix.id not in fixes:
                fixes[fix.id] = fix
                labels[fix.id] = hit.layer or hit.label or label
                of_layers |= {fix.id} if hit.layer else set()
    own = standing(workspace, (fix for fix in fixes.values() if fix.id not in of_layers))
    trials = trials_of(workspace, [*own, *(fixes[name] for name in of_layers)], label)
    return [trial._replace(label=labels[trial.id]) for trial in trials]


def _files_of(workspace: "Workspace", failure: "Match") -> list[str]:
    """Give the files of this repository that a failure names."""
    fields = failure.seen.fields
    named = [str((fields.get("location") or {}).get("file") or "")]
    named += [str(frame["file"]) for frame in fields.get("frames") or () if frame.get("in_app")]
    root = workspace.site.root
    inside = (path for path in dict.fromkeys(named) if path and not os.path.isabs(path))
    return [path for path in inside if os.path.isfile(os.path.join(root, path))]


def _match_line(failure: "Match") -> str:
    title = failure.seen.title
    if not failure.label:
        return f"{title}: new" + ("; these look like it" if failure.similar else "")
    if not failure.errors:
        return f"{title}: {failure.label}, seen here before"
    line = f"{title}: {failure.label}"
    if times := failure.occurrences.times:
        first, last = times[0][:10], times[-1][:10]
        when = first if first == last else f"{first} to {last}"
        line += f", seen {failure.occurrences.words}, {when}"
    if failure.withheld:
        line += f"; {counted(len(failure.withheld), 'attempt')} withheld, the code is gone"
    return line
