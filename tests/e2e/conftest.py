"""End-to-end tests run the real command in sealed repositories."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.samples import plant

if TYPE_CHECKING:
    from tests.conftest import Checkout

UNSET = ("CI", "COLUMNS", "EDITOR", "GIT_EDITOR", "LINES", "NO_COLOR", "PYTHONUNBUFFERED",
          "VISUAL", "XDG_CACHE_HOME", "XDG_STATE_HOME")  # fmt: skip


@pytest.fixture(autouse=True)
def _sealed(sealed_git: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal git, and take away what the user's own terminal and editor would say."""
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def memory(repo: "Checkout") -> "Checkout":
    """Give a repository whose memory holds four whole records."""
    plant(repo)
    return repo
