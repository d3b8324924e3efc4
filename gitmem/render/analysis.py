"""An analysis of failures as text: causes, steps, prevention, each with its records."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from gitmem.render.text import Painter, first_paragraph, one_line

if TYPE_CHECKING:
    from gitmem.learning.advice import ApproachGroup
    from gitmem.learning.analysis import FailureFinding, Findings

_MOST_RECORDS: Final = 4
_MOST_FILES: Final = 5


def plain(findings: "Findings", painter: Painter) -> Iterator[str]:
    """Write an analysis for a terminal."""
    for failure in findings.failures:
        yield from _finding(failure, painter)


def _finding(finding: "FailureFinding", painter: Painter) -> Iterator[str]:
    failure = finding.seen
    times = f"{failure.records} {'time' if failure.records == 1 else 'times'}"
    first, last = failure.first[:10], failure.last[:10]
    when = first if first == last else f"{first} to {last}"
    state = painter.status(finding.status)
    head = f"{times}, {when}"
    yield painter.line(0, [(one_line(failure.title), ("bold",))])
    yield painter.line(2, [(head, ("dim",)), (state, ()), (failure.error, ("yellow",))])
    if len(finding.files) > 1:
        named = ", ".join(map(one_line, finding.files[:_MOST_FILES]))
        left = ", …" if len(finding.files) > _MOST_FILES else ""
        where = f"in {len(finding.files)} files: {named}{left}"
        why = "handle it in one place that they share"
        yield painter.line(2, [("spread ", ("cyan",)), (where, ()), (why, ("dim",))])
    for cause in finding.causes:
        sure = cause.sure
        named = f"named by {sure.rate.worked} of {sure.rate.tried}" if sure else ""
        word = f"confidence: {sure.word}" if sure else ""
        yield _line("cause", cause.text, (named, word), cause.records, painter)
    for group in finding.tries:
        yield _way("try", group, painter)
    if finding.steps:
        for number, step in enumerate(finding.steps.text.split("\n"), 1):
            yield painter.line(4, [(f"{number}.", ("dim",)), (one_line(step), ())])
    for group in finding.avoid:
        yield _way("avoid", group, painter)
    for lesson in finding.prevention:
        yield _line("prevent", lesson.text, (), lesson.records, painter)


def _way(name: str, group: "ApproachGroup", painter: Painter) -> str:
    details = (group.why, f"confidence: {group.confidence.word}")
    return _line(name, group.approach, details, [trial.id for trial in group.trials], painter)


def _line(
    name: str, text: str, details: Iterable[str], records: "Iterable[str]", painter: Painter
) -> str:
    ids = list(records)
    more = f" and {len(ids) - _MOST_RECORDS} more" if len(ids) > _MOST_RECORDS else ""
    return painter.line(
        2,
        [
            (f"{name:<7}", ("cyan",)),
            (first_paragraph(text), ()),
            *((one_line(part), ("dim",)) for part in details),
            (" ".join(ids[:_MOST_RECORDS]) + more, ("yellow",)),
        ],
    )
