"""What to try, what to avoid and when to stop: for an error, a task, a file, or what fails now.

Matching is that of ``hint`` and ``search``; here attempts are only weighed and told. All of it is
one question, which ``Memory.advise`` asks through ``Derived.mended``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.advice import AVOID, TRY, Trial
from gitmem.learning.advised import Advice
from gitmem.learning.recommending import STANDARD, recommend
from gitmem.learning.trying import STOP, RetryVerdict
from gitmem.memory.advice import persisting
from gitmem.memory.advice.advising_place import on_file
from gitmem.memory.advice.similar_work import MOST as MOST_WORK
from gitmem.memory.advice.similar_work import MOST_FOUND, among, read_task
from gitmem.memory.advice.trials import last_seen, standing, trials_of
from gitmem.memory.advice.weighing import MOST, item, kept, useful, weighed
from gitmem.memory.failures import attempting
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.seeing import seen_in
from gitmem.memory.reading.wording import worded
from gitmem.memory.views.browsing import about
from gitmem.plurals import counted
from gitmem.records.ids import is_id, kind_of, normalise
from gitmem.search.levels import WEAK

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.capture.recognising import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory

_MOST_FAILURES: Final = 5
_MOST_HITS: Final = 10
_MOST_SHOWN: Final = 3
_KNOWN: Final = ("exact", "site")
_WORDS: Final = "found by words"
_FOR_TASKS: Final = ("session", "decision", "pattern", "note")


def advise(
    memory: "Memory", text: str = "", *, path: str = "", task: Mapping[str, Any] | None = None
) -> Advice:
    """Advise on an error text or words, on a file, on a task, or on what fails now.

    Args:
        memory: the memory.
        text: an error, the id of a recorded one, or a question in words.
        path: a file or ``PATH:LINE``, as typed in the folder ``start``.
        task: see ``learning.tasks.task_of``.

    Raises:
        UsageError: more than one of them is given.

    """
    if sum((bool(text), bool(path), task is not None)) > 1:
        raise UsageError("a text, a file and a task at once", "ask about one of them")
    if task is not None:
        return _on_task(memory, task)
    if path:
        return on_file(memory, path)
    return _on_text(memory, text) if text else _on_what_fails(memory)


def _on_what_fails(memory: "Memory") -> Advice:
    try:
        runs = attempting.newest_runs(memory.records)
    except NotFoundError:
        hint = "give an error, --task or --file; or observe a command: gitmem run -- COMMAND"
        return Advice(notes=("no command was observed in this work tree yet", hint))
    run = runs[-1]
    if run.green:
        return Advice(about=("the command last run passed",), notes=("nothing fails",))
    judged = persisting.of_runs(memory, runs)
    found = match(memory.reader, memory.failures.drafts, run.failures[:_MOST_FAILURES])
    return _on_failures(memory, found, judged)


def _on_error(memory: "Memory", row: "Row") -> Advice:
    """Advise on an error that is recorded, and on those that are the same."""
    fixes = attempting.of_error(memory.records, row.id)
    back = last_seen(memory.workspace, (row,))
    trials = trials_of(memory.workspace, fixes, {fix.id: back for fix in fixes}, "this error")
    verdicts = [persisting.of_trials(memory, trials)] if trials else []
    spoken = memory.derived.opened.paths_of([row.file]).get(row.file, ())
    files = [path for role, path in spoken if role in {"anchor", "location", "frame"}]
    line = f"{row.title}: {row.status}, {row.id}"
    return weighed(memory, [line], trials, kept(memory, _governing(memory, files)), verdicts)


def _on_text(memory: "Memory", text: str) -> Advice:
    if is_id(name := normalise(text)) and kind_of(name) == "error":
        return _on_error(memory, memory.find(name, "error"))
    found = seen_in(memory.workspace, text)
    if found:
        known = match(memory.reader, memory.failures.drafts, found[:_MOST_FAILURES])
        return _on_failures(memory, known, None)
    hits = [hit for hit in memory.search(text, _MOST_HITS).hits if hit.label != WEAK]
    rows = [hit.row for hit in hits if not hit.layer]
    more = kept(memory, (row for row in rows if row.kind == "decision"))
    errors = [row for row in rows if row.kind == "error"][:_MOST_SHOWN]
    lines = [f"{row.title}: {row.status}, {row.id}" for row in errors]
    trials = _of_hits(memory, hits, _WORDS)
    return weighed(memory, lines, trials, [*more, *useful(memory, rows)])


def _on_failures(memory: "Memory", found: "Sequence[Match]", judged: RetryVerdict | None) -> Advice:
    """Advise on failures that were recognised a moment ago: the catalog is in step."""
    lines, trials, files = [], [], []
    recorded: list[RetryVerdict] = []
    for one in found:
        lines.append(_recognised_line(one))
        if one.label:
            made = _of_known(memory, one)
            trials += made
            if made and one.is_known:
                recorded.append(persisting.of_trials(memory, made))
        else:
            trials += _of_hits(memory, one.similar, "similar")
        files += _places(memory, one)
    stopping = [one for one in recorded if one.answer == STOP]
    verdicts = [*([judged] if judged else []), *(stopping or recorded)]
    return weighed(memory, lines, trials, kept(memory, _governing(memory, files)), verdicts)


def _governing(memory: "Memory", files: "Iterable[str]") -> "list[Row]":
    """Give the decisions that govern files, each once."""
    rows = [row for path in dict.fromkeys(files) for row in about(memory, path).decisions]
    return list({row.id: row for row in rows}.values())


def _of_known(memory: "Memory", one: "Match") -> list[Trial]:
    """Make trials of the attempts on a recognised failure."""
    last = one.errors[-1].created if one.errors and one.level in _KNOWN else ""
    again = {fix.id: last for fix in one.suggested}
    return trials_of(memory.workspace, one.suggested, again, one.label)


def _of_hits(memory: "Memory", hits: "Iterable[SearchHit]", label: str) -> list[Trial]:
    """Make trials of the attempts that a search brought."""
    found: dict[str, Row] = {}
    again: dict[str, str] = {}
    labels: dict[str, str] = {}
    beside: set[str] = set()
    for hit in hits:
        is_error = hit.row.kind == "error"
        errors = (hit.row,) if is_error else hit.errors
        back = "" if hit.layer else last_seen(memory.workspace, errors)
        for fix in hit.attempts if is_error else (hit.row,):
            if fix.kind == "fix" and fix.id not in found:
                found[fix.id], again[fix.id] = fix, back
                labels[fix.id] = hit.layer or hit.label or label
                beside |= {fix.id} if hit.layer else set()
    own = standing(memory.workspace, (fix for fix in found.values() if fix.id not in beside))
    made = trials_of(memory.workspace, [*own, *(found[name] for name in beside)], again, label)
    return [one._replace(label=labels[one.id]) for one in made]


def _places(memory: "Memory", one: "Match") -> list[str]:
    """Give the files of this repository that a failure names."""
    fields = one.seen.fields
    named = [str((fields.get("location") or {}).get("file") or "")]
    named += [str(frame["file"]) for frame in fields.get("frames") or () if frame.get("in_app")]
    root = memory.site.root
    inside = (path for path in dict.fromkeys(named) if path and not os.path.isabs(path))
    return [path for path in inside if os.path.isfile(os.path.join(root, path))]


def _on_task(memory: "Memory", stated: Mapping[str, Any]) -> Advice:
    task = read_task(stated)
    # One search for all: work like it first, and what else is known.
    hits = worded(memory.workspace, task.description, MOST_FOUND, _FOR_TASKS)
    if not hits:
        memory.derived.catalog(memory.progress)
    found = recommend(among(memory, task, hits, MOST_WORK))
    told = [one for one in found.weighed if one.approach != STANDARD]
    rows = [hit.row for hit in hits][:_MOST_HITS]
    tries = [item(one) for one in told if one.sort == TRY]
    tries += kept(memory, (row for row in rows if row.kind == "decision"))
    tries += useful(memory, rows)
    avoid = [item(one) for one in told if one.sort == AVOID]
    notes = () if found.similar else ("no work like it is known to have succeeded",)
    more = max(0, len(tries) - MOST), max(0, len(avoid) - MOST)
    return Advice((), tuple(tries[:MOST]), tuple(avoid[:MOST]), (), more, None, found, notes)


def _recognised_line(one: "Match") -> str:
    if not one.label:
        return f"{one.seen.title}: new" + ("; these look like it" if one.similar else "")
    if not one.errors:
        return f"{one.seen.title}: {one.label}, seen here before"
    first, last = one.errors[0].created[:10], one.errors[-1].created[:10]
    when = first if first == last else f"{first} to {last}"
    told = f"{one.seen.title}: {one.label}, seen {counted(len(one.errors), 'time')}, {when}"
    if one.withheld:
        told += f"; {counted(len(one.withheld), 'attempt')} withheld, the code is gone"
    return told
