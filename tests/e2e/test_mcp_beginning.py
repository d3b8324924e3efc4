"""What assistants ask before they do something: what is this, and was it tried before?"""

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

TRACE = """Traceback (most recent call last):
  File "src/when.py", line 3, in expired
    return a > b
TypeError: can't compare offset-naive and offset-aware datetimes
"""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    def begin(repo: "Checkout") -> None:
        ok(repo, "init")
        repo.add("README.md", "# Clockwork\n\nTells the time of day to those who ask.\n")
        repo.add("Makefile", "build:\n\tcc x.c\ntest: build\n\t./x\n")
        repo.add("src/when.py", "def expired(a, b):\n    # compares\n    return a > b\n")
        repo.commit("first")
        for title in ("Times are UTC", "Invoices are PDF", "Names are in English"):
            ok(repo, "add", "decision", "--title", title, "--decision", f"{title}, always.")
        ok(repo, "runs", "capture", "--record", "-", stdin=TRACE)
        (error,) = json.loads(ok(repo, "list", "kind:error", "--json"))["records"]
        fix = {"title": "Use utcnow in expired", "approach": "datetime.utcnow()",
               "outcome": "failed", "why_failed": "utcnow has no zone",
               "links": {"fixes": [error["id"]]}}  # fmt: skip
        repo.add("fix.json", json.dumps(fix))
        ok(repo, "add", "fix", "--from", "fix.json")

    return built(repo, begin)


def test_have_we_tried_this(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            told = await said(client, "gitmem_advise", task="use utcnow in expired")
            assert "**avoid** `datetime.utcnow()`" in told
            assert "utcnow has no zone" in told
            assert "Invoices" not in told
            both = await said(
                client, "gitmem_advise", task="use utcnow in expired", path="src/when.py"
            )
            assert both.count("**avoid** `datetime.utcnow()`") == 1
            nothing = await said(client, "gitmem_advise", task="paint the shed green")
            for words in ("utcnow", "Invoices", "UTC", "English"):
                assert words not in nothing

    talk(conversation)


def test_who_begins_hears_of_the_project_first(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            told = await said(client, "gitmem_context", budget=600)
            places = [
                told.index(words)
                for words in ("Tells the time of day", "make build, make test", "Times are UTC")
            ]
            assert places == sorted(places)
            assert "datetimes" not in told[: places[-1]]

    talk(conversation)
