"""A repository with a memory, which is the current folder of the test."""

from typing import TYPE_CHECKING

import pytest

from gitmem import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.fixture
def here(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    Memory.init(str(repo))
    monkeypatch.chdir(repo)
    return repo
