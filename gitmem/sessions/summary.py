"""The summary of a session, built from observed facts, without a language model. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.plurals import counted
from gitmem.records.parts import Change, TestRun

_MOST_FILES = 20
_MOST_CASES = 5
_MOST_REASON = 200
_HELPED = frozenset({"worked", "claimed"})


class Produced(NamedTuple):
    """A record that was written in a session; ``outcome``, its verdict, and ``lesson`` of a fix."""

    id: str
    kind: str
    title: str
    outcome: str = ""
    lesson: str = ""


class SummaryFacts(NamedTuple):
    """What a summary is made of.

    ``files`` counts all changes, also those not listed; ``unseen`` tells of those that were only
    logged.
    """

    goal: str
    seconds: float
    branch: str
    success: bool | None
    changes: Sequence[Change]
    files: int
    test_runs: Sequence[TestRun]
    produced: Sequence[Produced]
    unseen: Sequence[str]
    notes: Sequence[str]
    gaps: Sequence[str]


def compose(facts: SummaryFacts) -> str:
    """Write the summary: a sentence on the whole, then a short list for each kind of fact."""
    blocks = (
        _head(facts),
        _files(facts),
        _tests(facts.test_runs),
        _records(facts.produced),
        _list("Tracked changes:", [_one_line(change) for change in facts.unseen]),
        _list("Noted:", [_one_line(note) for note in facts.notes]),
        _list("Not observed:", [_one_line(gap) for gap in facts.gaps]),
        _next(facts),
        _list(
            "For next time:",
            [_one_line(product.lesson) for product in facts.produced if product.lesson],
        ),
    )
    return "\n\n".join(block for block in blocks if block)


def duration(seconds: float) -> str:
    """Say a duration as people do: ``40 s``, ``12 min``, ``3 h 5 min``, ``2 d 4 h``."""
    if seconds < 60:  # noqa: PLR2004  the units of time
        return f"{int(seconds)} s"
    minutes = round(seconds / 60)
    days, hours, minutes = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    while not parts[0][0]:
        parts.pop(0)
    return " ".join(f"{count} {unit}" for count, unit in parts[:2] if count)


def _head(facts: SummaryFacts) -> str:
    outcome = {True: "It succeeded.", False: "It did not succeed.", None: ""}.get(facts.success, "")
    where = f" on branch {facts.branch}" if facts.branch else ""
    worked = f"Worked {duration(facts.seconds)}{where}. {outcome}".rstrip()
    return f"Goal: {facts.goal.strip()}\n{worked}"


def _files(facts: SummaryFacts) -> str:
    if not facts.files:
        return "No file changed." if not (facts.gaps or facts.unseen) else ""
    added = sum(change.added or 0 for change in facts.changes)
    removed = sum(change.removed or 0 for change in facts.changes)
    title = f"Changed {counted(facts.files, 'file')} (+{added} -{removed}):"
    shown = [_file(change) for change in facts.changes[:_MOST_FILES]]
    if facts.files > len(shown):
        shown.append(f"and {facts.files - len(shown)} more")
    return _list(title, shown)


def _file(change: Change) -> str:
    source = f" from {change.renamed_from}" if change.renamed_from else ""
    counts = "" if change.added is None else f", +{change.added} -{change.removed}"
    reason = f": {_one_line(change.reason)}" if change.reason.strip() else ""
    return f"{change.path} ({change.action}{source}{counts}){reason}"


def _tests(runs: Sequence[TestRun]) -> str:
    if not runs:
        return ""
    last = runs[-1]
    counts = [(last.passed, "passed"), (last.failed, "failed"), (last.errors, "errors")]
    counts_text = ", ".join(f"{count} {word}" for count, word in counts if count is not None)
    text = f"{last.result}, {counts_text}" if counts_text else last.result
    if len(runs) == 1:
        return f"Tests: one run ({text})."
    red = sum(run.result != "passed" for run in runs)
    return f"Tests: {len(runs)} runs, {red} failed; the last one: {text}."


def _records(produced: Sequence[Produced]) -> str:
    lines = [
        f"{record.kind} {record.id}: {_one_line(record.title)}"
        + (f" ({record.outcome})" if record.outcome else "")
        for record in produced
    ]
    return _list("Recorded:", lines)


def _next(facts: SummaryFacts) -> str:
    """Name what stays open, so that whoever goes on begins there."""
    return _list("Still open:", list(_open_ends(facts)))


def _open_ends(facts: SummaryFacts) -> Iterator[str]:
    if facts.test_runs and facts.test_runs[-1].result != "passed":
        cases = facts.test_runs[-1].cases
        names = [case.name for case in cases if case.status in {"failed", "error"}]
        more = f" and {len(names) - _MOST_CASES} more" if len(names) > _MOST_CASES else ""
        details = f": {', '.join(names[:_MOST_CASES])}{more}" if names else ""
        yield f"the last test run did not pass{details}"
    for record in facts.produced:
        if record.outcome in {"failed", "partial"}:
            word = "did not work" if record.outcome == "failed" else "worked in part"
            yield f"{record.id} {word}: {_one_line(record.title)}"
    errors = [record.id for record in facts.produced if record.kind == "error"]
    if errors and not any(record.outcome in _HELPED for record in facts.produced):
        yield f"no fix that worked is recorded yet for {', '.join(errors[:_MOST_CASES])}"


def _list(title: str, lines: list[str]) -> str:
    return "\n".join([title, *(f"- {line}" for line in lines)]) if lines else ""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_REASON else line[: _MOST_REASON - 1] + "…"
