"""Opening a hub's database: which engine it is stands in its address."""

from collections.abc import Iterator
from contextlib import contextmanager

from gitmem.errors import EnvironmentProblem, UsageError, install
from gitmem.parts.hub.opensearch_schema import SCHEME
from gitmem.parts.hub.protocol import Engine


def open_engine(address: str) -> Engine:
    """Open the engine at an address.

    Args:
        address: as libpq takes it, for PostgreSQL; several URLs with blanks between them are one
            hub in several databases; ``opensearch+https://HOST`` for OpenSearch.

    Raises:
        EnvironmentProblem: the library that it needs is not installed, or it does not answer.

    """
    if address.startswith(SCHEME):
        with _installed("opensearchpy", "opensearch-py", "hub-opensearch"):
            from gitmem.parts.hub.opensearch import OpenSearchHub
        return OpenSearchHub(address)
    with _installed("psycopg", "psycopg", "hub"):
        from gitmem.parts.hub.postgres import PostgresHub
        from gitmem.parts.hub.postgres_shards import ShardedHub, addresses
    databases = addresses(address)
    return ShardedHub(databases) if len(databases) > 1 else PostgresHub(address)


def spread(address: str) -> int:
    """Move repositories between PostgreSQL databases, as their number asks; give how many moved.

    Args:
        address: of all databases; new ones come last.

    Raises:
        EnvironmentProblem: they are not those of one hub, in their order.
        UsageError: it is no PostgreSQL.

    """
    if address.startswith(SCHEME):
        raise UsageError("OpenSearch spreads its records by itself", "see its ?shards=")
    with _installed("psycopg", "psycopg", "hub"):
        from gitmem.parts.hub.postgres_shards import ShardedHub, addresses
    hub = ShardedHub(addresses(address), spreading=True)
    try:
        moved = hub.spread()
        hub.audit("command line", "spread", "", moved)
        return moved
    finally:
        hub.close()


@contextmanager
def _installed(module: str, package: str, extra: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] != module:
            raise
        raise EnvironmentProblem(f"this hub needs {package}", install(extra)) from None
