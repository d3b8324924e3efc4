"""Advice as text and as JSON: try, avoid, stop, with what each rests on."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.learning.confidence import TOO_LITTLE
from gitmem.learning.retry_verdict import STOP
from gitmem.plurals import counted
from gitmem.render.text import Painter, first_paragraph, one_line

if TYPE_CHECKING:
    from gitmem.learning.advice import AdviceItem
    from gitmem.learning.advised import Advice
    from gitmem.learning.confidence import Confidence, Rate
    from gitmem.learning.recommendation import Recommendation
    from gitmem.learning.retry_verdict import RetryVerdict

_SORTS: Final = (("try", "tries", "green"), ("avoid", "avoid", "red"), ("stop", "stop", "yellow"))
_MOST_RECORDS: Final = 4
_COLOURS: Final = {"high": "green", "medium": "cyan", "low": "yellow"}


def plain(advice: "Advice", painter: Painter) -> Iterator[str]:
    """Write advice for a terminal."""
    for line in advice.about:
        yield painter.line(0, [(one_line(line), ("bold",))])
    if advice.task and advice.task.similar:
        yield from _task(advice.task, painter)
    # Who plans a piece of work is told first what was tried in vain.
    sorts = (_SORTS[1], _SORTS[0], _SORTS[2]) if advice.task else _SORTS
    for name, field, colour in sorts:
        items: Sequence[AdviceItem] = getattr(advice, field)
        if items:
            yield painter.paint(name.upper(), colour, "bold")
        for item in items:
            yield from _item(item, painter)
        more = advice.more[("tries", "avoid").index(field)] if field != "stop" else 0
        if more:
            yield painter.line(2, [(f"and {more} more", ("dim",))])
    if advice.verdict and advice.verdict.tried:
        yield from _verdict(advice.verdict, painter)


def _item(item: "AdviceItem", painter: Painter) -> Iterator[str]:
    yield from painter.block(2, [(first_paragraph(item.text), ())])
    names = item.records[:_MOST_RECORDS]
    more = len(item.records) - len(names)
    rest = f"{' '.join(names)}{f' and {more} more' if more else ''}"
    sure = item.confidence
    parts: list[tuple[str, tuple[str, ...]]] = [(_evidence(one_line(item.why), sure), ())]
    if sure:
        parts.append((f"confidence: {sure.word}", (_COLOURS.get(sure.word, "dim"),)))
    yield from painter.block(4, [*parts, (rest, ("yellow",))])
    if item.error:
        yield from painter.block(4, [(f"on: {one_line(item.error)}", ("dim",))])
    if item.says:
        yield from painter.block(4, [(f'"{one_line(item.says)}"', ("dim",))])


def _evidence(why: str, sure: "Confidence | None") -> str:
    """Add the interval, where it says something, and on what the attempts were made."""
    if not sure:
        return why
    rate = sure.rate
    if sure.word != TOO_LITTLE and f"{rate.worked} of {rate.tried}" in why:
        why += f" ({_interval(rate)})"
    return f"{why}, {sure.label}" if sure.label else why


def _interval(rate: "Rate") -> str:
    low, high = rate.interval
    return f"95 % CI {low * 100:.0f}-{high * 100:.0f} %"


def _task(task: "Recommendation", painter: Painter) -> Iterator[str]:
    similar = task.similar
    sure = task.confidence
    outcome = f"worked in {sure.rate.worked} of {counted(sure.rate.tried, 'similar task')}"
    yield from painter.block(
        0,
        [
            ("approach", ("bold",)),
            (first_paragraph(task.approach), ("green",)),
            (f"{outcome} ({_interval(sure.rate)})", ()),
            (f"confidence: {sure.word}", (_COLOURS.get(sure.word, "dim"),)),
        ],
        10,
    )
    for name, counts in (("factors", task.factors), ("tools", task.tools)):
        if counts:
            text = ", ".join(f"{one_line(value)} ({number})" for value, number in counts)
            yield from painter.block(2, [(f"{name:<8}", ("dim",)), (text, ())], 10)
    for work in similar[:_MOST_RECORDS]:
        alike = ", ".join(name for name, _ in work.likeness.parts)
        parts = [("similar ", ("dim",)), (one_line(work.title), ()), (f"same {alike}", ("dim",)),
                 (work.id, ("yellow",))]  # fmt: skip
        yield from painter.block(2, parts, 10)
    if len(similar) > _MOST_RECORDS:
        yield painter.line(2, [(f"and {len(similar) - _MOST_RECORDS} more", ("dim",))])


def _verdict(verdict: "RetryVerdict", painter: Painter) -> Iterator[str]:
    colour = "yellow" if verdict.answer == STOP else "green"
    tried = f"{verdict.tried} {'attempt' if verdict.tried == 1 else 'attempts'} without success"
    yield painter.line(0, [(f"{verdict.answer}", (colour, "bold")), (tried, ())])
    yield from painter.block(2, [(f"stop when: {verdict.rules}", ("dim",))])


def as_data(advice: "Advice") -> dict[str, Any]:
    """Give advice as plain data."""
    return {
        "about": list(advice.about),
        **{
            name: [_item_data(item) for item in getattr(advice, field)] for name, field, _ in _SORTS
        },
        "more": {"try": advice.more[0], "avoid": advice.more[1]},
        "keep_trying": _verdict_data(advice.verdict) if advice.verdict else None,
        "task": _task_data(advice.task) if advice.task else None,
        "notes": list(advice.notes),
    }


def _item_data(item: "AdviceItem") -> dict[str, Any]:
    return {
        "text": item.text,
        "why": item.why,
        "says": item.says,
        "error": item.error,
        "records": list(item.records),
        "confidence": _sure_data(item.confidence) if item.confidence else None,
    }


def _sure_data(sure: "Confidence") -> dict[str, Any]:
    low, high = sure.rate.interval
    return {
        "word": sure.word,
        "label": sure.label,
        "count": sure.rate.worked,
        "of": sure.rate.tried,
        "interval": [round(low, 4), round(high, 4)],
    }


def _verdict_data(verdict: "RetryVerdict") -> dict[str, Any]:
    return {
        "answer": verdict.answer,
        "tried": verdict.tried,
        "rules": verdict.limits._asdict(),
        "reasons": [
            reason._asdict() | {"records": list(reason.records)} for reason in verdict.reasons
        ],
    }


def _task_data(task: "Recommendation") -> dict[str, Any]:
    similar = [
        {
            "id": work.id,
            "title": work.title,
            "approach": work.approach,
            "likeness": {name: round(value, 4) for name, value in work.likeness.parts},
        }
        for work in task.similar
    ]
    return {
        "approach": task.approach,
        "confidence": _sure_data(task.confidence),
        "recommendations": list(task.lines),
        "success_factors": [list(factor) for factor in task.factors],
        "tools": [list(tool) for tool in task.tools],
        "similar_count": len(task.similar),
        "similar": similar,
    }
