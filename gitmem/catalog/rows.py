"""A record as lists show it."""

from typing import NamedTuple


class Row(NamedTuple):
    """One record as lists show it. ``file`` is the catalog's number of its file."""

    file: int
    id: str
    kind: str
    title: str
    created: str
    author: str
    email: str
    via: str
    session: str | None
    stated: str
    error_type: str
    category: str
    subject: str
    gist: str
    path: str
    status: str
