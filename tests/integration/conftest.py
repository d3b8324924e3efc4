"""Integration tests meet the real git: sealed in every one of them."""

import pytest


@pytest.fixture(autouse=True)
def _sealed(sealed_git: object) -> None:
    """Seal git also where a test makes its repository by hand."""
