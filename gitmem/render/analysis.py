"""An analysis of failures as text: causes, steps, prevention, each with its records."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from gitmem.render.text import Painter, first_paragraph, one_line

if TYPE_CHECKING:
    from gitmem.learning.advice import ApproachGroup
    from gitmem.learning.analysis import FailureFinding, Findings

_MOST_RECORDS: Final = 4


def plain(found: "Findings", painter: Painter) -> Iterator[str]:
    """Write an analysis for a terminal."""
    for one in found.failures:
        yield from _finding(one, painter)


def _finding(one: "FailureFinding", painter: Painter) -> Iterator[str]:
    seen = one.seen
    times = f"{seen.records} {'time' if seen.records == 1 else 'times'}"
    first, last = seen.first[:10], seen.last[:10]
    when = first if first == last else f"{first} to {last}"
    state = painter.status("open" if seen.open else "resolved")
    head = f"{times}, {when}"
    yield painter.line(0, [(one_line(seen.title), ("bold",))])
    yield painter.line(2, [(head, ("dim",)), (state, ()), (seen.error, ("yellow",))])
    for said in one.causes:
        sure = said.sure
        named = f"named by {sure.rate.worked} of {sure.rate.tried}" if sure else ""
        word = f"confidence: {sure.word}" if sure else ""
        yield _line("cause", said.text, (named, word), said.records, painter)
    for group in one.tries:
        yield _way("try", group, painter)
    if one.steps:
        for number, step in enumerate(one.steps.text.split("\n"), 1):
            yield painter.line(4, [(f"{number}.", ("dim",)), (one_line(step), ())])
    for group in one.avoid:
        yield _way("avoid", group, painter)
    for said in one.prevention:
        yield _line("prevent", said.text, (), said.records, painter)


def _way(name: str, group: "ApproachGroup", painter: Painter) -> str:
    told = (group.why, f"confidence: {group.confidence.word}")
    return _line(name, group.approach, told, [one.id for one in group.trials], painter)


def _line(
    name: str, text: str, told: Iterable[str], records: "Iterable[str]", painter: Painter
) -> str:
    ids = list(records)
    more = f" and {len(ids) - _MOST_RECORDS} more" if len(ids) > _MOST_RECORDS else ""
    return painter.line(2, [
        (f"{name:<7}", ("cyan",)), (first_paragraph(text), ()),
        *((one_line(part), ("dim",)) for part in told),
        (" ".join(ids[:_MOST_RECORDS]) + more, ("yellow",)),
    ])  # fmt: skip
