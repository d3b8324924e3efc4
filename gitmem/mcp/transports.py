"""The server's transports: pipes, or HTTP with a token."""

import hmac
import ipaddress
import os
import re
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver import server as sdk

from gitmem.mcp.calls import Options
from gitmem.mcp.pipes import pipes
from gitmem.mcp.server import build

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_INTERRUPTED: Final = 130
_LOOK_SECONDS: Final = 1.0
_MOST_BYTES: Final = 1 << 20
"""Of the body of a request; the arguments of a call may have a quarter of it."""
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_REASONS: Final = {
    401: b"send the token as Authorization: Bearer\n",
    403: b"a page of another origin may not ask here\n",
    421: b"this host is not served here; see gitmem mcp --allow-host\n",
}


def serve_pipes(start: str, options: Options) -> None:
    """Serve one client over standard input and output, until they close or it is gone."""
    _leave_with_parent()
    # A file is written whole or not at all, so nothing is lost by ending at once; the SDK would
    # wait for the next line first.
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    sdk.stdio_server = pipes  # type: ignore[assignment, attr-defined]  # ours answers every line
    build(start, options).run("stdio")


def serve_http(
    start: str, options: Options, address: tuple[str, int], token: str, hosts: Collection[str] = ()
) -> None:
    """Serve clients over HTTP at ``/mcp``; each request must bear the token.

    Args:
        start: the folder whose memory is served.
        options: how.
        address: host and port to listen on.
        token: what a client sends as ``Authorization: Bearer``.
        hosts: names under which it is reached, beside addresses and the host to listen on.

    """
    import uvicorn

    host, port = address
    app = http_app(build(start, options), token, {host, *hosts})
    uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)


def http_app(server: MCPServer[Any], token: str, hosts: Collection[str] = ()) -> App:
    """Make the web application of a server: only whoever has the token gets in.

    A page in a browser can't ask either: its requests name their origin, and a name that was
    bent to this machine's address is none of the hosts.

    Args:
        server: the server.
        token: the token.
        hosts: names under which it may be asked, beside ``localhost`` and addresses.

    """
    inner: Any = server.streamable_http_app(max_request_body_size=_MOST_BYTES, host="")
    expected = f"Bearer {token}".encode()
    names = {"localhost", *(host.lower() for host in hosts)}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = dict(scope["headers"])
            host = headers.get(b"host", b"").decode("latin-1")
            origin = headers.get(b"origin", b"").decode("latin-1")
            refused = 0
            if not _is_served(host, names):
                refused = 421
            elif origin and urlsplit(origin).netloc.lower() != host.lower():
                refused = 403
            elif not hmac.compare_digest(headers.get(b"authorization", b""), expected):
                refused = 401
            if refused:
                await _refuse(send, refused)
                return
        elif scope["type"] != "lifespan":
            return
        await inner(scope, receive, send)

    return app


def _is_served(host: str, names: Collection[str]) -> bool:
    """Take an address, or one of the names, with any port."""
    match = _HOST.fullmatch(host.lower())
    if match is None:
        return False
    name = match["name"].strip("[]")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain")]
    headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []  # noqa: PLR2004
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": _REASONS[status]})


def _leave_with_parent() -> None:
    """End this process when whoever started it has ended without closing our input."""
    parent = os.getppid()

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    if parent > 1:
        threading.Thread(target=look, daemon=True).start()
