"""Where records come from, what touched a line, which places still hold: as lines of text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.render.lists import row_line
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.answers import FileHistory, Placed, RecordOrigin, Regression, Touch

_SHORT: Final = 10
_MOST: Final = 20


def provenance(source: "RecordOrigin", painter: Painter) -> Iterator[str]:
    """Tell where a record comes from."""
    yield ""
    label = painter.paint("provenance:", "cyan")
    known = source.known
    if known is None:
        yield f"{label} {source.why_not}"
        return
    yield label
    yield f"  commit: {known.commit[:_SHORT]} {one_line(known.subject)}"
    yield f"  author: {one_line(known.author)} <{one_line(known.email)}>"
    yield f"  date: {known.written:%Y-%m-%d %H:%M} UTC"
    if known.at != known.written:
        yield f"  made anew: {known.at:%Y-%m-%d %H:%M} UTC"
    for pull in known.pulls:
        yield f"  pull request: {one_line(pull.name)} ({one_line(pull.said_by)})"
    if known.merged_by:
        name = f" from {one_line(known.merged_from)}" if known.merged_from else ""
        yield f"  merged by: {known.merged_by[:_SHORT]}{name}"
    if known.branches:
        shown = ", ".join(map(one_line, known.branches[:_MOST]))
        more = len(known.branches) - _MOST
        yield f"  on branches: {shown}" + (f" and {more} more" if more > 0 else "")


def _reason(touch: "Touch") -> str:
    detail = f" ({touch.detail})" if touch.detail else ""
    return touch.why + detail


def why(found: "FileHistory", painter: Painter) -> Iterator[str]:
    """Tell what touched a line or a file, record by record."""
    for touch in [*found.touches, *found.governing]:
        names = ", ".join(issue.name for issue in found.issues.get(touch.row.id, ()))
        yield row_line(touch.row, painter, 0, names)
        yield painter.line(2, [(one_line(_reason(touch)), ("cyan",))])
        if touch.row.gist:
            yield painter.line(2, [(one_line(touch.row.gist), ("dim",))])
    yield from withheld(found.withheld, painter)


def blame(found: "FileHistory", painter: Painter) -> Iterator[str]:
    """Tell what touched a file, from its top down; lines that nothing touched are left out."""
    for touch in found.governing:
        yield row_line(touch.row, painter, 0, _reason(touch))
    for lines in found.lines:
        if not lines.touches:
            continue
        span = f"{lines.first}-{lines.last}" if lines.last > lines.first else str(lines.first)
        commit = lines.commit[:_SHORT] or "in no commit"
        yield painter.line(0, [(f"{one_line(found.path)}:{span}", ("bold",)), (commit, ("dim",))])
        for touch in lines.touches[:_MOST]:
            yield row_line(touch.row, painter, 2, _reason(touch))
        if len(lines.touches) > _MOST:
            yield f"  and {len(lines.touches) - _MOST} more"
    yield from withheld(found.withheld, painter)


def withheld(found: "Iterable[Placed]", painter: Painter) -> Iterator[str]:
    """Name places in a file that can't be told any more."""
    for place in found:
        text = f"withheld: {place.wanted.row.id} spoke of {_recorded(place)}: {place.reason}"
        yield painter.paint(one_line(text), "dim")


def _recorded(place: "Placed") -> str:
    return _lines(place.wanted.path, place.wanted.target.first, place.wanted.target.last)


def _lines(path: str, first: int, last: int) -> str:
    span = f":{first}" + (f"-{last}" if last > first else "") if first else ""
    return one_line(path) + span


def anchors(found: "Sequence[Placed]", painter: Painter) -> Iterator[str]:
    """Tell of records what became of the places that they name."""
    shown = ""
    for place in found:
        if place.wanted.row.id != shown:
            shown = place.wanted.row.id
            yield row_line(place.wanted.row, painter)
        held = place.held
        if held is None:
            text, colour = f"stale    {_recorded(place)}: {one_line(place.reason)}", "yellow"
        else:
            now = _lines(held.path, held.first, held.last)
            moved = "" if now == _recorded(place) else f" (was {_recorded(place)})"
            text, colour = f"{held.how:<8} {now}{moved}", "green"
        yield painter.line(2, [(text, (colour,))])


def regressions(found: "Iterable[Regression]", painter: Painter) -> Iterator[str]:
    """Tell of several errors that came back."""
    for one in found:
        yield from regression(one, painter)


def regression(found: "Regression", painter: Painter) -> Iterator[str]:
    """Tell what became of the fix of an error that came back, and how to search."""
    about = [("came back", ("red",)), (f"after {found.fix.id}", ("yellow",)),
             (one_line(found.fix.title), ())]  # fmt: skip
    yield from painter.block(2, about, 2)
    state = "in no commit that is known here"
    if found.commit:
        where = "part of" if found.held else "not part of"
        state = f"fixed in {found.commit[:_SHORT]}, which is {where} what is checked out"
    if found.lines:
        state += f"; {found.alive} of {found.lines} telling lines of it are left"
    yield from painter.block(2, [(state, ("dim",))])
    if found.good:
        span = f"{found.good[:_SHORT]}..{found.bad[:_SHORT]}"
        yield from painter.block(
            2, [(f"search {span} with: gitmem bisect {found.error.id}", ("dim",))]
        )
