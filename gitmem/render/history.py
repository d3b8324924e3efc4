"""Where records come from, what touched a line, which places still hold: as lines of text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.render.lists import row_line
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.answers.places import FileHistory, PlacedAnchor, RecordOrigin, Regression, Touch

_SHORT: Final = 10
_MOST: Final = 20


def provenance(source: "RecordOrigin", painter: Painter) -> Iterator[str]:
    """Tell where a record comes from."""
    yield ""
    label = painter.paint("provenance:", "cyan")
    introduced = source.known
    if introduced is None:
        yield f"{label} {source.why_not}"
        return
    yield label
    yield f"  commit: {introduced.commit[:_SHORT]} {one_line(introduced.subject)}"
    yield f"  author: {one_line(introduced.author)} <{one_line(introduced.email)}>"
    yield f"  date: {introduced.written:%Y-%m-%d %H:%M} UTC"
    if introduced.at != introduced.written:
        yield f"  rewritten: {introduced.at:%Y-%m-%d %H:%M} UTC"
    for pull in introduced.pulls:
        yield f"  pull request: {one_line(pull.name)} ({one_line(pull.said_by)})"
    if introduced.merged_by:
        name = f" from {one_line(introduced.merged_from)}" if introduced.merged_from else ""
        yield f"  merged by: {introduced.merged_by[:_SHORT]}{name}"
    if introduced.branches:
        shown = ", ".join(map(one_line, introduced.branches[:_MOST]))
        more = len(introduced.branches) - _MOST
        yield f"  on branches: {shown}" + (f" and {more} more" if more > 0 else "")


def _reason(touch: "Touch") -> str:
    detail = f" ({touch.detail})" if touch.detail else ""
    return touch.why + detail


def why(history: "FileHistory", painter: Painter) -> Iterator[str]:
    """Tell what touched a line or a file, record by record."""
    for touch in [*history.touches, *history.governing]:
        names = ", ".join(issue.name for issue in history.issues.get(touch.row.id, ()))
        yield row_line(touch.row, painter, 0, names)
        yield painter.line(2, [(one_line(_reason(touch)), ("cyan",))])
        if touch.row.gist:
            yield painter.line(2, [(one_line(touch.row.gist), ("dim",))])
    yield from withheld(history.withheld, painter)


def blame(history: "FileHistory", painter: Painter) -> Iterator[str]:
    """Tell what touched a file, from its top down; lines that nothing touched are left out."""
    for touch in history.governing:
        yield row_line(touch.row, painter, 0, _reason(touch))
    for lines in history.lines:
        if not lines.touches:
            continue
        span = f"{lines.first}-{lines.last}" if lines.last > lines.first else str(lines.first)
        commit = lines.commit[:_SHORT] or "in no commit"
        yield painter.line(0, [(f"{one_line(history.path)}:{span}", ("bold",)), (commit, ("dim",))])
        for touch in lines.touches[:_MOST]:
            yield row_line(touch.row, painter, 2, _reason(touch))
        if len(lines.touches) > _MOST:
            yield f"  and {len(lines.touches) - _MOST} more"
    yield from withheld(history.withheld, painter)


def withheld(placed_anchors: "Iterable[PlacedAnchor]", painter: Painter) -> Iterator[str]:
    """List anchors that can't be found any more."""
    for placed in placed_anchors:
        text = f"withheld: {placed.wanted.row.id} was about {_recorded(placed)}: {placed.reason}"
        yield painter.paint(one_line(text), "dim")


def _recorded(placed: "PlacedAnchor") -> str:
    return _lines(placed.wanted.path, placed.wanted.target.first, placed.wanted.target.last)


def _lines(path: str, first: int, last: int) -> str:
    span = f":{first}" + (f"-{last}" if last > first else "") if first else ""
    return one_line(path) + span


def anchors(placed_anchors: "Sequence[PlacedAnchor]", painter: Painter) -> Iterator[str]:
    """Tell of records what became of the places that they name."""
    shown = ""
    for placed in placed_anchors:
        if placed.wanted.row.id != shown:
            shown = placed.wanted.row.id
            yield row_line(placed.wanted.row, painter)
        held = placed.held
        if held is None:
            text, colour = f"stale    {_recorded(placed)}: {one_line(placed.reason)}", "yellow"
        else:
            now = _lines(held.path, held.first, held.last)
            moved = "" if now == _recorded(placed) else f" (was {_recorded(placed)})"
            text, colour = f"{held.how:<8} {now}{moved}", "green"
        yield painter.line(2, [(text, (colour,))])


def regression(regression: "Regression", painter: Painter, *, again: bool = False) -> Iterator[str]:
    """Tell what became of the fix of an error that came back, and how to search.

    Args:
        regression: what became of it.
        painter: how to colour, and how wide.
        again: the same was told of the fix above, for another one of its errors.

    """
    about = [("came back", ("red",)), (f"after {regression.fix.id}", ("yellow",)),
             (one_line(regression.fix.title), ())]  # fmt: skip
    yield from painter.block(2, about, 2)
    if again:
        return
    yield from painter.block(2, [(regression.fate, ("dim",))])
    if suspicion := regression.suspicion:
        yield from painter.block(2, [(one_line(suspicion), ("yellow",))])
    if regression.good:
        span = f"{regression.good[:_SHORT]}..{regression.bad[:_SHORT]}"
        yield from painter.block(
            2, [(f"search {span} with: gitmem runs bisect {regression.error.id}", ("dim",))]
        )
