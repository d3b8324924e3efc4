"""What users make of answers moves records up and down, within bounds, and in no record file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from gitmem.store import shown_answer
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
WORDS = "broker port number"
MESSAGE = "the port of the broker is no number"
TEXT = f"ConfigError: {MESSAGE}"


@pytest.fixture
def pair(repo: "Checkout") -> list[str]:
    """Record two errors that words find equally well; give their ids as search shows them."""
    ok(repo, "init")
    for name in ("first", "second"):
        ok(repo, "add", "error", "--type", "ConfigError", "--title", f"broker port number {name}")
    return _order(repo)


def _order(repo: Path) -> list[str]:
    return [line.split()[0] for line in ok(repo, "search", WORDS).splitlines()[::3]]


def _files(repo: Path) -> dict[str, bytes]:
    folder = repo / ".memory"
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _share(repo: Path, record: str) -> float:
    """Give what users made of a record, as a share of its score without that."""
    with Memory.open(str(repo)) as memory:
        (hit,) = [hit for hit in memory.search(WORDS).hits if hit.row.id == record]
    names = {"helpful", "unhelpful", "used before"}
    of_users = sum(value for name, value in hit.parts if name in names)
    return of_users / (hit.score - of_users)


def test_a_record_that_was_opened_below_another_moves_up_and_says_so(
    repo: "Checkout", pair: list[str]
) -> None:
    before = _files(repo)
    ok(repo, "show", pair[1])
    shown = ok(repo, "search", "--why", WORDS)
    assert shown.split()[0] == pair[1]
    assert "used before 0." in shown
    assert _files(repo) == before


def test_opening_what_stands_first_or_in_no_answer_says_nothing(
    repo: "Checkout", pair: list[str]
) -> None:
    ok(repo, "show", pair[0])
    assert _share(repo, pair[0]) == 0
    ok(repo, "search", "nothing of that")
    ok(repo, "show", pair[1])
    assert _share(repo, pair[1]) == 0


def test_an_answer_of_yesterday_is_no_reason_for_what_is_opened() -> None:
    answer = shown_answer.ShownAnswer(1000.0, "", (("err-1",), ("err-2", "fix-2")))
    assert answer.was_preferred("fix-2", 1010.0)
    assert not answer.was_preferred("fix-2", 1000.0 + 86_400)
    assert not answer.was_preferred("err-1", 1010.0)
    assert not answer.was_preferred("err-3", 1010.0)


def test_what_is_done_is_bounded_and_what_is_said_outweighs_it(
    repo: "Checkout", pair: list[str]
) -> None:
    with Memory.open(str(repo)) as memory:
        shown = memory.show(pair[1])
        for number in range(50):
            shown_ids = [("err-0000000000",), (pair[1],)]
            memory.records.reader.note_shown(f"site-{number}", shown_ids)
            memory.records.reader.note_opened(shown)
    assert 0 < _share(repo, pair[1]) < 0.2
    ok(repo, "helpful", "--not", pair[1], "--for", TEXT)
    ok(repo, "helpful", pair[0], "--for", TEXT)
    with Memory.open(str(repo)) as memory:
        hits = memory.search(TEXT).hits
    assert [hit.row.id for hit in hits] == pair


def test_assistants_move_records_by_reading_them(repo: "Checkout", pair: list[str]) -> None:
    async def conversation() -> None:
        async with piped(repo) as client:
            await said(client, "gitmem_search", query=WORDS)
            await said(client, "gitmem_show", id=pair[1])

    talk(conversation)
    assert _order(repo) == pair[::-1]


def test_where_nothing_can_be_noted_records_are_found_and_shown(
    repo: "Checkout", pair: list[str]
) -> None:
    with Memory.open(str(repo)) as memory:
        assert memory.workspace.site.derived
        noted = Path(memory.workspace.site.derived, "shown-answer")
    noted.unlink()
    noted.mkdir()
    assert _order(repo) == pair
    assert pair[1] in ok(repo, "show", pair[1])


def _resolve(memory: Memory, error: str, approach: str, **fields: Any) -> str:
    return memory.resolve(error, {"approach": approach, **fields}).id


def test_a_fix_that_helped_again_comes_before_a_newer_one(repo: "Checkout") -> None:
    ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"error_type": "ConfigError", "message": MESSAGE}).id
        older = _resolve(memory, error, "read the port as a number")
        other = memory.add("error", {"error_type": "ValueError", "message": "no port"}).id
        newer = _resolve(memory, error, "restart the broker")
        assert _fixes(memory) == [newer, older]
        _resolve(memory, other, "read the port as a number there", reuses=older)
        assert _fixes(memory) == [older, newer]
        why = [name for hit in memory.search(TEXT).hits for name, _ in hit.parts]
        assert "helped again" in why
        for number in range(3):
            fields = {"reuses": older, "outcome": "failed"}
            _resolve(memory, other, f"read the port once more, {number}", **fields)
        assert _fixes(memory) == [newer, older]
    shown = ok(repo, "hint", TEXT)
    assert shown.index(newer) < shown.index(older)


def _fixes(memory: Memory) -> list[str]:
    (match,) = memory.hint(TEXT)
    return [fix.id for fix in match.ranked]


def test_a_fix_that_was_applied_or_praised_comes_before_a_newer_one(repo: "Checkout") -> None:
    ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"error_type": "ConfigError", "message": MESSAGE}).id
        older = _resolve(memory, error, "read the port as a number")
        newer = _resolve(memory, error, "restart the broker")
        memory.failures.applied(older)
        assert _fixes(memory) == [older, newer]
        memory.failures.helpful(newer, TEXT)
        assert _fixes(memory) == [newer, older]
