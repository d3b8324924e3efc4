"""Who may ask a server on this machine: whoever has its token, under a name that it is served by.

A page of another site is refused by its origin, and a name that was bent to this machine's
address (DNS rebinding) by the host that it asks for.
"""

import hmac
import ipaddress
import re
from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
MISDIRECTED: Final = 421
FORBIDDEN: Final = 403
UNAUTHORISED: Final = 401


def refused_place(headers: Mapping[bytes, bytes], names: Collection[str]) -> int:
    """Tell whether a request asks for another host, or comes from a page of another origin.

    Args:
        headers: of the request, names in lower case.
        names: hosts that are served, beside addresses; lower case.

    Returns:
        The status to refuse with; 0: it may go on.

    """
    host = headers.get(b"host", b"").decode("latin-1").lower()
    origin = headers.get(b"origin", b"").decode("latin-1").lower()
    if not _is_served(host, names):
        return MISDIRECTED
    if origin and urlsplit(origin).netloc != host:
        return FORBIDDEN
    return 0


def bears(headers: Mapping[bytes, bytes], token: str) -> bool:
    """Tell whether a request bears the token as ``Authorization: Bearer``."""
    expected = f"Bearer {token}".encode()
    return hmac.compare_digest(headers.get(b"authorization", b""), expected)


def _is_served(host: str, names: Collection[str]) -> bool:
    """Take an address, or one of the names, with any port."""
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = match["name"].strip("[]")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True
