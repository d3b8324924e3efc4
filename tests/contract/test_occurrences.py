"""How often a failure was seen is counted one way, whoever asks.

A failure is seen when it is recorded, and when something is tried on it although it was fixed.
"""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
FIRST = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)  # a Monday
WEEKS = 20
MESSAGE = "the nightly export did not answer within 30 seconds"
OUTPUT = f"TimeoutError: {MESSAGE}\n"


class Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.now = FIRST

    def __call__(self) -> datetime:
        return self.now


def every_week(repo: "Checkout", *, recorded_again: bool) -> str:
    """Record a timeout and resolve it, each Monday of 20 weeks; give the newest error's id."""
    error, clock = "", Clock()
    with Memory.open(str(repo), clock=clock) as memory:
        for week in range(WEEKS):
            clock.now = FIRST + timedelta(weeks=week)
            if recorded_again or not week:
                fields = {"error_type": "TimeoutError", "message": MESSAGE, "category": "TIMEOUT"}
                error = memory.add("error", fields).id
            clock.now += timedelta(minutes=20)
            memory.resolve(error, {"approach": "restart the worker"})
        for number in range(40):  # what else happens, on every day of the week
            clock.now = FIRST + timedelta(days=number, hours=number % 7)
            memory.add("error", {"error_type": "ValueError", "message": f"bad {'x' * number} row"})
    return error


@pytest.mark.parametrize("recorded_again", [True, False])
def test_twenty_timeouts_are_twenty_occurrences_for_everybody(
    repo: "Checkout", *, recorded_again: bool
) -> None:
    ok(repo, "init")
    error = every_week(repo, recorded_again=recorded_again)
    times = {
        "hint": seen_in(ok(repo, "hint", stdin=OUTPUT)),
        "patterns": seen_in(ok(repo, "stats", "recurring")),
        "advise": seen_in(ok(repo, "advise", "-", stdin=OUTPUT)),
        "ci": seen_in(_ci(repo)),
        **_of_assistants(repo),
    }
    assert times == dict.fromkeys(times, WEEKS)
    (failure,) = json.loads(ok(repo, "stats", "recurring", "type:TimeoutError", "--json"))[
        "failures"
    ]
    assert (failure["error"], failure["records"], failure["came_back"]) == (error, 20, 19)
    assert [rhythm["at"] for rhythm in failure["rhythms"] if rhythm["when"] == "weekday"] == [
        "Monday"
    ]
    total = json.loads(ok(repo, "stats", "type:TimeoutError", "--json"))["total"]
    assert (total["errors"], total["failures"], total["came_back"]) == (20, 1, 19)


def seen_in(text: str) -> int:
    """Give the number behind ``seen``, or before ``times``; fail if there is none."""
    match = re.search(r"seen (\d+) times|  (\d+) times  ", text)
    assert match, text
    return int(match[1] or match[2])


def _ci(repo: "Checkout") -> str:
    (repo / "fails.txt").write_text(OUTPUT)
    ok(repo, "ci", "fails.txt", "--summary", "summary.md")
    return (repo / "summary.md").read_text()


def _of_assistants(repo: "Checkout") -> dict[str, int]:
    texts: dict[str, str] = {}

    async def conversation() -> None:
        async with piped(repo) as client:
            texts["MCP search"] = await said(client, "coding_search_errors", query=MESSAGE)
            texts["MCP hint"] = await said(client, "gitmem_hint", text=OUTPUT)

    talk(conversation)
    return {face: seen_in(text) for face, text in texts.items()}
