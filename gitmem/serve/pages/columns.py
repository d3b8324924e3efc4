"""A chart over weeks, as places in a drawing; each column leads to its records."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

_REST: Final = timedelta(days=6)


class WeekBar(NamedTuple):
    """A bar: where it stands and how high it is, in percent of the drawing, and what it counts."""

    left: float
    width: float
    height: float
    number: int


class WeekColumn(NamedTuple):
    """The bars of one week, which has a first and a last day."""

    start: date
    last: date
    bars: tuple[WeekBar, ...]


class WeekChart(NamedTuple):
    """A chart.

    Attributes:
        names: of the series, in the order of the bars.
        columns: oldest first.
        most: what the highest bar counts.

    """

    names: tuple[str, ...]
    columns: tuple[WeekColumn, ...]
    most: int


def columns(starts: Sequence[date], series: Sequence[tuple[str, Sequence[int]]]) -> WeekChart:
    """Place the counts of weeks.

    Args:
        starts: the first day of each week, oldest first.
        series: a name, and a count for each week.

    """
    most = max((count for _, counts in series for count in counts), default=0)
    room = 100 / max(len(starts), 1)
    width = room * 0.8 / max(len(series), 1)
    placed = [
        WeekColumn(
            start,
            start + _REST,
            tuple(
                WeekBar(
                    round(number * room + at * width, 3),
                    round(width, 3),
                    round(100 * counts[number] / most, 2) if most else 0.0,
                    counts[number],
                )
                for at, (_, counts) in enumerate(series)
            ),
        )
        for number, start in enumerate(starts)
    ]
    return WeekChart(tuple(name for name, _ in series), tuple(placed), most)
