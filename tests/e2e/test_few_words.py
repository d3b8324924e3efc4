"""A question about what nobody recorded shares a word with some record, and that is said."""

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.compat.coding import coding_search_errors
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

NOTE = "likely nothing is recorded about this"
ABSENT = "kubernetes ingress controller timeout comparing nothing"
RECORDED = "comparing naive datetimes"


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    error = ok(repo, "add", "error", "--type", "TypeError", "--message",
               "can't compare offset-naive and offset-aware datetimes").split()[0]  # fmt: skip
    ok(repo, "resolve", error, "keep zebras and giraffes apart")
    ok(repo, "add", "error", "--type", "OSError", "--message", "No space left on device")
    return repo


def test_a_search_says_that_its_hits_have_few_of_the_words(memory: "Checkout") -> None:
    done = run(memory, "search", ABSENT)
    assert "TypeError" in done.out, "it is shown all the same"
    assert NOTE in done.err
    assert json.loads(ok(memory, "search", ABSENT, "--json"))["few_words"] is True
    for question in (
        RECORDED,
        "TypeError",
        "datetimes",
        "kind:error",
        "TypeError: can't compare x",
    ):
        done = run(memory, "search", question)
        assert "TypeError" in done.out, question
        assert NOTE not in done.err, question
    assert json.loads(ok(memory, "search", RECORDED, "--json"))["few_words"] is False


@pytest.mark.parametrize(
    ("question", "few"),
    [
        ("why is the disk full", False),  # another name of two words
        ("how does one compare an error", False),  # the others say nothing
        ('"offset-naive" kubernetes ingress controller', False),  # it must occur
        ("dattimes~ kubernetes ingress controller", False),
        ("compare kubernetes ingress controller offset datetimes", False),
        ("compare kubernetes ingress", True),
        ("zebra crossing", False),  # nothing is found at all
        ("compare zebras kubernetes ingress", False),  # its fix has the others
    ],
)
def test_other_names_phrases_and_fillers_are_counted_as_they_are_meant(
    memory: "Checkout",
    question: str,
    few: bool,  # noqa: FBT001  of a table
) -> None:
    with Memory.open(str(memory), settings={"packs.off": "all"}) as opened:
        assert opened.search(question).few_words is few


def test_assistants_are_told_so(memory: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    async def conversation() -> None:
        async with piped(memory, "serve", options=()) as client:
            for tool in ("gitmem_search", "coding_search_errors"):
                told = await said(client, tool, query=ABSENT)
                assert NOTE in told
                assert "TypeError" in told
                assert NOTE not in await said(client, tool, query=RECORDED)

    talk(conversation)
    monkeypatch.chdir(memory)
    for question, few in ((ABSENT, True), (RECORDED, False)):
        found = asyncio.run(coding_search_errors("ann", "shop", question))
        assert [each["few_words"] for each in found] == [few] * len(found) != []
