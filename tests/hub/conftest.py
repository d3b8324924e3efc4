"""Engines of a hub: the oracle, and a real PostgreSQL where one is installed."""

from itertools import count
from typing import TYPE_CHECKING

import pytest

from gitmem.hub.scan import ScanHub
from tests.hub import servers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.hub.protocol import Engine

_numbers = count()


@pytest.fixture(scope="session")
def server() -> "Iterator[servers.Server]":
    if not servers.binaries():
        pytest.skip(servers.WHY_NOT)
    running = servers.primary()
    yield running
    running.stop()


@pytest.fixture
def database(server: servers.Server) -> "Iterator[str]":
    """Give the address of an empty database."""
    name = f"hub{next(_numbers)}"
    server.run(f"CREATE DATABASE {name}")
    yield server.address(name)
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["scan", "postgres"])
def engine(request: pytest.FixtureRequest) -> "Iterator[Engine]":
    if request.param == "scan":
        yield ScanHub()
        return
    from gitmem.hub.postgres import PostgresHub  # noqa: PLC0415  an extra

    opened = PostgresHub(request.getfixturevalue("database"))
    yield opened
    opened.close()
