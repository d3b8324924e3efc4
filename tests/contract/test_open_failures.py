"""An error is open in lists exactly where statistics count its failure as open."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.random_records import path_of, stamp, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
OUTCOMES = ("worked", "failed", "partial", "unverified")
AUTHOR = {"name": "Ann Smith", "email": "ann@example.com"}
OPEN = ("open", "regressed")


def write(
    repo: "Checkout",
    courses: "list[tuple[str, ...]]",
    pause: timedelta,
    *,
    twice: bool,
    elsewhere: bool = False,
) -> None:
    """Write an error for each course, and its attempts.

    Args:
        repo: where.
        courses: the outcomes of each error's attempts, in their order.
        pause: the time between attempts.
        twice: another record says that it is the same error, before all attempts.
        elsewhere: what worked names a third record of it, which nothing links to the others.

    """
    Memory.init(str(repo))
    for number, outcomes in enumerate(courses):
        ids = [f"err-{number:010d}", f"err-{number + 5000:010d}"][: 1 + twice]
        third = f"err-{number + 7000:010d}"
        # In a word: numbers make no difference between errors.
        message = "no " + "".join(chr(ord("g") + int(digit)) for digit in f"{number:03d}")
        for again, error in enumerate([*ids, *[third] * elsewhere]):
            _write(repo, kind="error", id=error, title=f"case {number}", message=message,
                   created=stamp(START + timedelta(minutes=again)),
                   links={"duplicates": ids[:1]} if error in ids[1:] else {})  # fmt: skip
        for times, outcome in enumerate(outcomes, 1):
            _write(repo, kind="fix", id=f"fix-{number:05d}{times:05d}", title=f"attempt {times}",
                   approach=f"attempt {times}", outcome=outcome,
                   links={"fixes": [third] if elsewhere and outcome == "worked" else ids[-1:]},
                   created=stamp(START + times * pause))  # fmt: skip


def _write(repo: "Checkout", **data: object) -> None:
    record = {**data, "author": AUTHOR}
    repo.add(f".memory/{path_of(record)}", text_of(record))


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("days", [0.1, 7])
def test_what_is_open_in_lists_is_open_in_statistics(
    repo: "Checkout", days: float, *, twice: bool, elsewhere: bool
) -> None:
    courses = [course for most in (1, 2, 3) for course in product(OUTCOMES, repeat=most)]
    write(repo, courses, timedelta(days=days), twice=twice, elsewhere=elsewhere)
    with Memory.open(str(repo)) as memory:
        listed = memory.list("kind:error", limit=1000)
        status = {row.title: row.status for row in listed if row.id < "err-0000005000"}
        memory.workspace.clock = lambda: START + timedelta(days=30)
        counted = memory.statistics.stats().total.open
    assert sum(state in OPEN for state in status.values()) == counted
    # Soon after a fix, what did not work is taken for what had been tried before it.
    expected = {
        f"case {number}": "open" if "worked" not in course
        else "resolved" if course[-1] == "worked" or days < 1 else "regressed"
        for number, course in enumerate(courses)
    }  # fmt: skip
    assert status == expected


def test_what_is_written_down_beside_a_fix_reopens_nothing(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"message": "no answer"})
        memory.resolve(error.id, {"approach": "ask again"})
        memory.resolve(error.id, {"approach": "wait longer", "outcome": "failed"})
        total = memory.statistics.stats().total
        (row,) = memory.list("kind:error")
    assert (row.status, total.open, total.came_back) == ("resolved", 0, 0)
