"""Which engine a hub's database is, by its address."""

from gitmem.errors import EnvironmentProblem, install
from gitmem.hub.opensearch_schema import SCHEME
from gitmem.hub.protocol import Engine


def open_engine(address: str) -> Engine:
    """Open the engine at an address.

    Args:
        address: as libpq takes it, for PostgreSQL; ``opensearch+https://HOST`` for OpenSearch.

    Raises:
        EnvironmentProblem: the library that it needs is not installed, or it does not answer.

    """
    try:
        if address.startswith(SCHEME):
            from gitmem.hub.opensearch import OpenSearchHub

            return OpenSearchHub(address)
        from gitmem.hub.postgres import PostgresHub
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package == "psycopg":
            raise EnvironmentProblem("the hub needs psycopg", install("hub")) from None
        if package == "opensearchpy":
            needed = install("hub-opensearch")
            raise EnvironmentProblem("this hub needs opensearch-py", needed) from None
        raise
    return PostgresHub(address)
