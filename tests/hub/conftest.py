"""Engines of a hub: the oracle, and real PostgreSQL and OpenSearch where they are installed."""

from itertools import count
from typing import TYPE_CHECKING

import pytest

from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.scan import ScanHub
from tests.hub import nodes, servers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.parts.hub.protocol import Engine

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


@pytest.fixture
def shards(server: servers.Server) -> "Iterator[str]":
    """Give the address of a hub in two empty databases."""
    names = [f"shard{next(_numbers)}" for _ in range(2)]
    for name in names:
        server.run(f"CREATE DATABASE {name}")
    yield " ".join(server.url(name) for name in names)
    for name in names:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def node() -> "Iterator[nodes.Node]":
    if not nodes.is_here():
        pytest.skip(nodes.WHY_NOT)
    (running,) = nodes.cluster(1)
    yield running
    running.stop()


@pytest.fixture
def opensearch(node: nodes.Node) -> str:
    """Give the address of a hub of its own."""
    return nodes.address([node], f"hub{next(_numbers)}")


@pytest.fixture(params=["database", "opensearch"])
def address(request: pytest.FixtureRequest) -> str:
    """Give the address of an empty hub, on each engine that processes may share."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture(params=["scan", "database", "shards", "opensearch"])
def engine(request: pytest.FixtureRequest) -> "Iterator[Engine]":
    if request.param == "scan":
        yield ScanHub()
        return
    opened = open_engine(request.getfixturevalue(request.param))
    yield opened
    opened.close()
