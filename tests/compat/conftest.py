"""A repository with a memory, which is the current folder of the test, and a language model."""

from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from tests.model_server import Server, says, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

OUTCOME = {
    "reasoning": "r", "outcome": "The clock is aware.", "done": [], "problems": [],
    "recommendations": ["add a pre-commit hook"], "records": [],
}  # fmt: skip


@pytest.fixture
def here(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    Memory.init(str(repo))
    monkeypatch.chdir(repo)
    return repo


@pytest.fixture
def packs(here: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the packs that are part of gitmem, as outside of tests."""
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[Server]":
    """Give a model that sums up each session in the same words."""
    with serving() as made:
        made.will(says(OUTCOME))
        monkeypatch.setenv("GITMEM_LLM_BASE_URL", made.url)
        monkeypatch.setenv("GITMEM_LLM_PRICE", "1/2")
        yield made
