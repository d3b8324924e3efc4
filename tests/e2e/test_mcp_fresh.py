"""Answers follow the files at once, whoever wrote them, while the server compares none."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from tests.e2e.assistants import data, listening, over_http, piped, refused, said, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from mcp import Client

    from tests.conftest import Checkout

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "the clock is slow")
    repo.commit("memory")
    return repo


def _note(memory: Path) -> Path:
    (found,) = (memory / ".memory/notes").rglob("*.yaml")
    return found


def _copy(file: Path, number: int, title: str) -> Path:
    """Write a record file as another program would, and no other file."""
    name = file.stem[-10:]
    other = f"{number:010d}"
    text = file.read_text().replace(name, other).replace("the clock is slow", title)
    made = file.with_name(f"note-{other}.yaml")
    made.write_text(text)
    return made


@pytest.mark.parametrize("transport", ["pipes", "http"])
def test_a_file_written_past_gitmem_is_found_at_once(memory: "Checkout", transport: str) -> None:
    first = _note(memory)

    async def conversation(address: str) -> None:
        async with over_http(address) if address else piped(memory) as client:
            for number in range(20):
                tail = chr(ord("a") + number) * 3
                word = f"zebra{tail}"
                assert "Nothing found" in await said(client, "gitmem_search", query=word)
                made = _copy(first, number, word)
                assert word in await said(client, "gitmem_search", query=word)
                # In place, as long as before, and as old.
                before = made.stat()
                made.write_text(made.read_text().replace("zebra", "camel"))
                os.utime(made, ns=(before.st_atime_ns, before.st_mtime_ns))
                assert f"camel{tail}" in await said(client, "gitmem_search", query=f"camel{tail}")
                assert "Nothing found" in await said(client, "gitmem_search", query=word)
                made.unlink()
                assert "Nothing found" in await said(client, "gitmem_search", query=f"camel{tail}")

    if transport == "pipes":
        talk(conversation, "")
        return
    with listening(memory) as address:
        talk(conversation, address)


def test_another_branch_is_answered_from_at_once(memory: "Checkout") -> None:
    memory.git("switch", "-qc", "other")
    _copy(_note(memory), 1, "zebra")
    memory.commit("zebra")
    memory.git("rm", "-qr", ".memory/notes/")
    memory.commit("without notes")

    async def conversation() -> None:
        async with piped(memory) as client:
            for _ in range(5):
                memory.git("switch", "-q", "main")
                assert "clock" in await said(client, "gitmem_search", query="clock")
                assert "Nothing found" in await said(client, "gitmem_search", query="zebra")
                memory.git("switch", "-q", "--detach", "other^")
                assert "zebra" in await said(client, "gitmem_search", query="zebra")
                memory.git("switch", "-q", "other")
                assert "Nothing found" in await said(client, "gitmem_search", query="clock")

    talk(conversation)


def test_other_settings_hold_from_the_next_call_on(memory: "Checkout") -> None:
    settings = memory / ".memory/gitmem.yaml"

    async def conversation() -> None:
        async with piped(memory) as client:
            assert "clock" in await said(client, "gitmem_search", query="clock")
            before = settings.read_text()
            settings.write_text(before.replace("format: 1", "format: 99"))
            assert "format" in await refused(client, "gitmem_search", query="clock")
            settings.write_text(before)
            assert "clock" in await said(client, "gitmem_search", query="clock")
            (memory / ".memory").rename(memory / "away")
            assert "no memory" in await refused(client, "gitmem_search", query="clock")
            (memory / "away").rename(memory / ".memory")
            assert "clock" in await said(client, "gitmem_search", query="clock")

    talk(conversation)


def test_what_it_writes_itself_is_found_by_all(memory: "Checkout") -> None:
    async def conversation() -> None:
        async with piped(memory) as client, piped(memory, name="second") as other:
            for number in range(5):
                made = await data(client, "coding_record_decision",
                                  decision=f"camel{number}", rationale="r")  # fmt: skip
                for asked in (client, other):
                    assert made["written"][0] in await said(
                        asked, "gitmem_search", query=f"camel{number}"
                    )
            listed = json.loads(ok(memory, "list", "kind:decision", "--json"))["records"]
            assert len(listed) == 5

    talk(conversation)


_ASKED: tuple[tuple[str, dict[str, str]], ...] = (
    ("gitmem_context", {"focus": "HEAD.."}),
    ("coding_analyze_patterns", {}),
    ("coding_get_project_context", {}),
    ("gitmem_context", {"focus": "clock"}),
)


def test_a_server_that_was_asked_before_answers_as_a_new_one(memory: "Checkout") -> None:
    async def answers(client: "Client") -> list[str]:
        return [await said(client, tool, **given) for tool, given in _ASKED]

    async def conversation() -> None:
        async with piped(memory) as client:
            await anyio.sleep(2.5)  # what is younger is not kept
            await answers(client)
            for change in (
                lambda: _copy(_note(memory), 1, "zebra"),
                lambda: memory.add("src/clock.py", "def tick() -> None:\n    pass\n"),
                lambda: memory.git("add", "-A"),
                lambda: memory.git("switch", "-qc", "other"),
                lambda: memory.commit("zebra"),
                lambda: memory.git("rm", "-qr", ".memory/notes/"),
                lambda: memory.git("checkout", "-qf", "main"),
            ):
                change()
                told = await answers(client)
                async with piped(memory) as other:
                    assert told == await answers(other)

    talk(conversation)
