"""The indices of a hub in OpenSearch, and the address that names them."""

import hashlib
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from gitmem.errors import UsageError

SCHEME: Final = "opensearch+"
VERSION: Final = 1
"""Raise it when fields change: it is part of the name of the index behind the alias."""
_PREFIX: Final = "gitmem-hub"
_PORT: Final = 9200
_EXAMPLE: Final = "such as opensearch+https://user:password@a.example.com,b.example.com:9200"
_TOLD: Final = {"type": "keyword", "index": False, "doc_values": False}
"""A text that is given back and never looked for; of any length."""
_FOUND: Final = {"type": "keyword", "doc_values": False}
_SORTED: Final = {"type": "keyword"}

RECORD_FIELDS: Final[dict[str, Any]] = {
    "repository": _SORTED,
    "id": _SORTED,
    "created": _SORTED,
    "kind": _FOUND,
    "terms": _FOUND,
    "prints": _SORTED,  # pages count them
    "targets": _FOUND,
    "path": _TOLD,
    "blob": _TOLD,
    "commit": _TOLD,
    "relations": _TOLD,
    "body": _TOLD,
    "impacts": {"type": "binary", "doc_values": True},
}
"""``impacts`` are packed in a column of their own: read for every candidate, as no body is.
``terms`` has the names of ``impacts``; how much each is worth comes with the question."""
STATE_FIELDS: Final[dict[str, Any]] = {
    "what": _SORTED,
    "repository": _SORTED,
    "key": _SORTED,
    "repositories": _TOLD,
    "value": {"type": "object", "enabled": False},
}
"""Heads, held files, forgotten ids; the internal repositories, the writer, what it had begun."""
AUDIT_FIELDS: Final[dict[str, Any]] = {
    "at": {"type": "date", "format": "epoch_second"},
    "who": _SORTED,
    "what": _SORTED,
    "repository": _SORTED,
    "count": {"type": "integer"},
}


class OpenSearchAddress(NamedTuple):
    """Where the nodes are, and how the indices are called and divided.

    Attributes:
        nodes: URL of each node that may be asked.
        user: and ``password``, where nodes want one.
        password: of the user.
        prefix: begins the names of all indices.
        shards: of the index of records; it can't be changed later.

    """

    nodes: tuple[str, ...]
    user: str = ""
    password: str = ""
    prefix: str = _PREFIX
    shards: int = 1

    @property
    def credentials(self) -> tuple[str, str] | None:
        """What nodes are told about who asks."""
        return (self.user, self.password) if self.user else None

    @property
    def records(self) -> str:
        """The alias under which records are read and written."""
        return f"{self.prefix}-records"

    @property
    def state(self) -> str:
        """The index of what is no record."""
        return f"{self.prefix}-state"

    @property
    def audit(self) -> str:
        """The index of who did what."""
        return f"{self.prefix}-audit"


def parse(address: str) -> OpenSearchAddress:
    """Read an address: ``opensearch+https://[user:password@]node[,node…][/prefix][?shards=3]``.

    Raises:
        UsageError: it is none.

    """
    parts = urlsplit(address.removeprefix(SCHEME))
    credentials, _, hosts = parts.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    shards = parse_qs(parts.query).get("shards", ["1"])[-1]
    names = [host for host in hosts.split(",") if host]
    if parts.scheme not in {"http", "https"} or not names or not shards.isdecimal():
        raise UsageError("the hub's database is not an address of OpenSearch", _EXAMPLE)
    nodes = [
        f"{parts.scheme}://{host}" if _has_port(host) else f"{parts.scheme}://{host}:{_PORT}"
        for host in names
    ]
    return OpenSearchAddress(
        tuple(nodes), unquote(user), unquote(password), parts.path.strip("/") or _PREFIX,
        max(int(shards), 1),
    )  # fmt: skip


def _has_port(host: str) -> bool:
    return host.rpartition("]")[2].rpartition(":")[2].isdecimal() and ":" in host


def index(fields: dict[str, Any], shards: int = 1) -> dict[str, Any]:
    """Describe an index: no field but these, a copy of each shard where there is a second node."""
    settings = {"number_of_shards": shards, "auto_expand_replicas": "0-1"}
    mappings = {"dynamic": "strict", "properties": fields, "_meta": {"version": VERSION}}
    return {"settings": {"index": settings}, "mappings": mappings}


def key(what: str, repository: str, name: str = "") -> str:
    """Name a document: the names of files and repositories may be longer than OpenSearch allows."""
    digest = hashlib.blake2b(f"{repository}\0{name}".encode(), digest_size=16).hexdigest()
    return f"{what}-{digest}"
