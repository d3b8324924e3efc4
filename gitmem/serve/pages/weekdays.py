"""On which days of the week errors were recorded, and those of one of these days."""

from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gitmem.learning.periodicity import DAYS
from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.numbers import number_of

_PAGE: Final = 50
_DEEPEST: Final = 1_000_000
_RECORDS: Final = (
    "SELECT id FROM errors WHERE strftime('%w', created) = ? ORDER BY created DESC, id LIMIT ?"
)
_COUNTS: Final = "SELECT strftime('%w', created), count(*) FROM errors GROUP BY 1"


class Weekday(NamedTuple):
    """A day of the week: its number from 1 (Monday), its name, and errors recorded on it."""

    number: int
    name: str
    errors: int
    share: float


def weekdays(memory: Memory) -> list[Weekday]:
    """Count the errors of each day of the week, in UTC; ``share`` is in percent of the most."""
    counts = {str(day): int(count) for day, count in memory.statistics.query(_COUNTS).rows}
    numbers = [counts.get(_in_sqlite(number), 0) for number in range(1, len(DAYS) + 1)]
    most = max(numbers) or 1
    return [
        Weekday(number, name, errors, round(100 * errors / most, 2))
        for number, (name, errors) in enumerate(zip(DAYS, numbers, strict=True), 1)
    ]


def _in_sqlite(number: int) -> str:
    """Give SQLite's number of a day: its Sunday is 0."""
    return str(number % len(DAYS))


async def page(request: Request) -> Response:
    """List the errors that were recorded on one day of the week, newest first."""
    day = number_of(request.query_params.get("day"), 1, len(DAYS))
    most = number_of(request.query_params.get("limit"), _PAGE, _DEEPEST)

    wanted = (_in_sqlite(day), most + 1)
    rows = await ask(
        request,
        lambda memory: [
            memory.find(str(name)) for (name,) in memory.statistics.query(_RECORDS, wanted).rows
        ],
    )
    more = most + _PAGE if len(rows) > most else 0
    values = {"day": day, "name": DAYS[day - 1], "rows": rows[:most], "more": more}
    return view.page(request, "weekday.html", values)
