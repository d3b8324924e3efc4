"""``gitmem mcp --if-memory``, as it is registered for all projects of a user."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.assistants import piped, talk
from tests.e2e.running import ok

if TYPE_CHECKING:
    from mcp import Client

    from tests.conftest import Checkout

pytestmark = pytest.mark.timeout(300)


async def offered(client: "Client") -> list[int]:
    """Count what a server offers, of each kind."""
    return [
        len((await client.list_tools()).tools),
        len((await client.list_prompts()).prompts),
        len((await client.list_resources()).resources),
        len((await client.list_resource_templates()).resource_templates),
    ]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_where_there_is_no_memory_nothing_is_offered(repo: "Checkout", mode: str) -> None:
    async def conversation(*, silent: bool) -> None:
        async with piped(repo, mode=mode, options=("--if-memory",)) as client:
            assert (await offered(client) == [0, 0, 0, 0]) == silent
            assert (client.instructions is None) == silent

    talk(lambda: conversation(silent=True))
    ok(repo, "init")
    talk(lambda: conversation(silent=False))


def test_the_folders_that_are_open_count_not_where_it_was_started(
    repo: "Checkout", tmp_path: Path
) -> None:
    ok(repo, "init")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def count(start: Path, *opened: Path) -> Any:
        roots = [folder.as_uri() for folder in opened]
        async with piped(start, roots=roots, options=("--if-memory",)) as client:
            return len((await client.list_tools()).tools)

    async def conversation() -> None:
        assert await count(elsewhere, Path(repo)) > 0
        assert await count(elsewhere, Path(repo), elsewhere) > 0
        assert await count(Path(repo), elsewhere) == 0

    talk(conversation)


def test_a_broken_memory_is_one(repo: "Checkout") -> None:
    ok(repo, "init")
    (repo / ".memory" / "gitmem.yaml").write_text("format: [\n")

    async def conversation() -> None:
        async with piped(repo, options=("--if-memory",)) as client:
            assert (await client.list_tools()).tools

    talk(conversation)
