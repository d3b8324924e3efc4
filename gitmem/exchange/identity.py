"""Deterministic ids of records that are made from another source.

So who imports twice, or imports what somebody else imported already, writes nothing twice.
"""

from hashlib import blake2b

from gitmem.records.layout import make_id

_SPACE = "gitmem import 1"


def id_of(kind: str, *source: str) -> str:
    """Give the id of the record of a kind that comes from a source."""
    hasher = blake2b(digest_size=8)
    for part in (_SPACE, kind, *source):
        data = part.encode(errors="surrogateescape")
        hasher.update(b"%d:" % len(data))
        hasher.update(data)
    return make_id(kind, hasher.digest())
