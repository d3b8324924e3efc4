"""What ``gitmem_hint`` tells: enough to act on in one call."""

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.learning.tokens import estimate
from tests.e2e.assistants import TRACE, piped, said, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

PATCH = """--- a/src/when.py
+++ b/src/when.py
@@ -1,3 +1,3 @@
 def newer(a, b):
     # compares
-    return a > b
+    return aware(a) > aware(b)
"""
LONG = "It goes wrong because the database hands out times without a zone " * 20

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout", built: "Built") -> "Checkout":
    def begin(repo: "Checkout") -> None:
        ok(repo, "init")
        code = "def newer(a, b):\n    # compares\n    return aware(a) > aware(b)\n"
        repo.add("src/when.py", code)
        repo.commit("first")
        ok(repo, "add", "decision", "--title", "Times are UTC", "--decision", "Store UTC.",
           "--governs", "src/when.py")  # fmt: skip
        ok(repo, "add", "decision", "--title", "Logs are JSON", "--decision", "x",
           "--governs", "src/log.py")  # fmt: skip
        ok(repo, "runs", "capture", "--record", "-", stdin=TRACE)
        (error,) = json.loads(ok(repo, "list", "kind:error", "--json"))["records"]
        fixes = [
            {"title": "Take the zone off", "approach": "drop tzinfo", "outcome": "failed",
             "why_failed": "The report of the night mixed both again.",
             "links": {"fixes": [error["id"]]}},
            {"title": "Make both aware", "approach": "aware() at the border", "outcome": "worked",
             "lessons": LONG, "patch": PATCH, "verification": {"command": "pytest -q"},
             "links": {"fixes": [error["id"]]}},
        ]  # fmt: skip
        repo.add("fixes.json", json.dumps(fixes))
        ok(repo, "add", "fix", "--from", "fixes.json")

    return built(repo, begin)


def test_a_hint_says_what_worked_how_and_why_the_rest_failed(memory: "Checkout") -> None:
    texts: list[str] = []

    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            texts.append(await said(client, "gitmem_hint", text=TRACE))
            texts.append(await said(client, "gitmem_hint", text=TRACE, budget=300))

    talk(conversation)
    whole, short = texts
    for part in (
        "- worked: `Make both aware`", "- approach: `aware() at the border`",
        "+    return aware(a) > aware(b)", "- checked with: `pytest -q`",
        "- failed: `Take the zone off`",
        "  why it failed: `The report of the night mixed both again.`",
        "`Times are UTC`",
    ):  # fmt: skip
        assert part in whole, part
    assert "Logs are JSON" not in whole
    assert "without a zone" in whole
    lesson = whole.split("lessons:\n- `")[1].split("`")[0]
    assert LONG.startswith(lesson.removesuffix("…").rstrip())
    assert lesson.removesuffix("…").rstrip().split()[-1] in LONG.split()
    assert estimate(whole) <= 700
    assert estimate(short) <= 300
    assert "- worked: `Make both aware`" in short


@pytest.mark.parametrize("header", ["", "Traceback (most recent call last):\n"])
def test_a_stack_without_a_message_is_named_by_its_place(memory: "Checkout", header: str) -> None:
    stack = f'{header}  File "src/log.py", line 3, in written\n    return a > b\n'

    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            told = await said(client, "gitmem_hint", text=stack)
            assert "`in written of src/log.py, line 3`" in told

    talk(conversation)


def test_words_in_which_nothing_failed_are_searched_for(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory, options=()) as client:
            told = await said(client, "gitmem_hint", text="times in UTC")
            assert "its words were searched for" in told
            assert "Times are UTC" in told
            nothing = await said(client, "gitmem_hint", text="zebra")
            assert nothing.startswith("No failure in this text, and nothing is recorded")

    talk(conversation)


def test_one_line_of_a_long_text_ends_at_a_word(memory: "Checkout") -> None:
    ok(memory, "add", "note", "--title", "Zones", "--body", LONG)
    (row,) = json.loads(ok(memory, "list", "kind:note", "--json"))["records"]
    assert row["gist"].endswith("…")
    assert row["gist"].removesuffix("…").split()[-1] in LONG.split()
