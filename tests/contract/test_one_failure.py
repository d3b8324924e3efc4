"""One failure recorded by two people is one failure: what fixed it fixed both, in every face."""

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
TRACE = """\
Traceback (most recent call last):
  File "src/till.py", line 8, in <module>
    print(total("tea,cake"))
  File "src/till.py", line 5, in total
    return sum(PRICES[item] for item in order.split(", "))
KeyError: 'tea,cake'
"""
FIX = "split at commas"


def recorded(repo: "Checkout") -> str:
    """Record the failure; give the error's id."""
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([TRACE], record=True).written
    return str(error)


@pytest.fixture
def merged(repo: "Checkout") -> tuple[str, str]:
    """Let Ann record the failure, Bob record and fix it on a branch, and merge both."""
    ok(repo, "init")
    repo.add("src/till.py", "print('till')\n")
    repo.commit("Till")
    repo.git("branch", "bob")
    first = recorded(repo)
    repo.git("add", ".memory")
    repo.commit("Ann's")
    repo.git("checkout", "-q", "bob")
    second = recorded(repo)
    ok(repo, "resolve", second, FIX)
    repo.git("add", ".memory")
    repo.commit("Bob's")
    repo.git("checkout", "-q", "-")
    repo.git("merge", "-q", "--no-edit", "bob")
    assert first != second
    return first, second


def statuses(repo: "Checkout") -> dict[str, str]:
    rows = json.loads(ok(repo, "list", "kind:error", "--json"))["records"]
    return {row["id"]: row["status"] for row in rows}


def test_what_fixed_one_record_of_a_failure_fixed_the_other_in_every_face(
    repo: "Checkout", merged: tuple[str, str]
) -> None:
    first, second = merged
    assert statuses(repo) == {first: "resolved", second: "resolved"}
    assert "no record matches" in run(repo, "list", "kind:error", "status:open").err
    assert "2 resolved" in ok(repo, "status")
    assert "0 open" in ok(repo, "stats")
    assert "Open errors" not in ok(repo, "context")
    for error in merged:
        assert f"worked      {FIX}" in ok(repo, "show", error)
        assert ok(repo, "show", error, "--json").count(FIX) == 1
    assert ok(repo, "search", "KeyError").count(f"worked      {FIX}") == len(merged)
    assert f"worked      {FIX}" in ok(repo, "hint", stdin=TRACE)


def test_an_assistant_is_told_the_same(repo: "Checkout", merged: tuple[str, str]) -> None:
    async def conversation() -> None:
        async with piped(repo) as client:
            for error in merged:
                assert FIX in await said(client, "gitmem_show", id=error)
            hits = await said(client, "gitmem_search", query="KeyError")
            assert hits.count(f"worked: `{FIX}`") == len(merged)

    talk(conversation)


def test_what_only_a_tool_says_is_a_claim_for_both(repo: "Checkout") -> None:
    ok(repo, "init")
    first = recorded(repo)
    with Memory.open(str(repo)) as memory:
        second = memory.add("error", memory.failures.shown(TRACE, "KeyError")).id
    with Memory.open(str(repo), settings={"actor": "agent:some-tool"}) as memory:
        memory.resolve(second, {"approach": "guess", "outcome": "worked"})
    for error in (first, second):
        assert f"{error}  error  resolved (claimed)" in ok(repo, "list")
    ok(repo, "resolve", second, FIX)
    for error in (first, second):
        assert f"{error}  error  resolved  " in ok(repo, "list")


def test_a_record_that_came_after_the_fix_is_open(
    repo: "Checkout", merged: tuple[str, str]
) -> None:
    with Memory.open(str(repo)) as memory:
        later = memory.add("error", memory.failures.shown(TRACE, "KeyError")).id
    assert statuses(repo)[later] == "open"
    assert f"worked      {FIX}" in ok(repo, "show", later)


def test_an_error_is_open_again_without_the_record_of_its_fix(
    repo: "Checkout", merged: tuple[str, str]
) -> None:
    first, second = merged
    (fix,) = (row["id"] for row in json.loads(ok(repo, "list", "kind:fix", "--json"))["records"])
    ok(repo, "forget", fix, "--yes")
    assert statuses(repo) == {first: "open", second: "open"}
