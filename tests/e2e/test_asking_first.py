"""What takes files away shows them and asks first; ``--dry-run`` only shows, ``--yes`` answers."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.depth import sampled
from tests.e2e.running import USAGE, Terminal, complains, ok, run, untouched
from tests.e2e.samples import NOTE

if TYPE_CHECKING:
    from tests.conftest import Checkout

TAKES_AWAY = {
    "archive prune": ("Delete these files?", "not deleted"),
    "archive": ("Move these files into archives?", "not archived"),
    "forget": ("Delete this file?", "not deleted"),
}


@pytest.fixture
def committed(memory: "Checkout") -> "Checkout":
    memory.commit()
    return memory


@sampled(1)
@pytest.mark.parametrize("command", TAKES_AWAY)
def test_where_nobody_can_be_asked_nothing_is_taken_away(
    committed: "Checkout", command: str
) -> None:
    with untouched(committed):
        done = run(committed, *command.split(), NOTE)
    assert NOTE in done.out
    complains(done, USAGE, TAKES_AWAY[command][1], "--yes")


@sampled(1)
@pytest.mark.parametrize("command", ["archive prune", "archive"])
def test_a_dry_run_only_tells(committed: "Checkout", command: str) -> None:
    with untouched(committed):
        done = run(committed, *command.split(), NOTE, "--dry-run", "--yes")
        told = json.loads(ok(committed, *command.split(), NOTE, "--dry-run", "--json"))
    assert (done.code, NOTE in done.out) == (0, True)
    assert "nothing was" in done.notes[-1]
    assert ([one["id"] for one in told["due"]], told["done"]) == ([NOTE], False)


@sampled(1)
@pytest.mark.parametrize("command", ["archive prune", "archive"])
def test_what_was_shown_is_taken_away_with_yes(committed: "Checkout", command: str) -> None:
    assert NOTE in ok(committed, *command.split(), NOTE, "--yes")
    assert NOTE not in ok(committed, "list")


@sampled(3)
@pytest.mark.parametrize("command", TAKES_AWAY)
@pytest.mark.parametrize(("key", "there"), [("n", True), ("y", False)])
def test_the_answer_counts(committed: "Checkout", command: str, key: str, *, there: bool) -> None:
    terminal = Terminal(committed, *command.split(), NOTE)
    terminal.until(TAKES_AWAY[command][0])
    terminal.press(f"{key}\n")
    assert terminal.end().code == 0
    assert (NOTE in ok(committed, "list")) == there
