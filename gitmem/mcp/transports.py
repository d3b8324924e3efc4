"""The server's transports: pipes, or HTTP with a token."""

import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver import server as sdk

from gitmem.hosting import guard
from gitmem.mcp.calls import Options
from gitmem.mcp.pipes import pipes
from gitmem.mcp.server import build
from gitmem.system import parent_watch

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_INTERRUPTED: Final = 130
_LOOK_SECONDS: Final = 1.0
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread may hold Python's lock while others wait for it; Python's default is 5 ms.
A hint gives the lock up at each read, and has to wait for it beside a slow call."""
_MOST_BYTES: Final = 1 << 20
"""Of the body of a request; the arguments of a call may have a quarter of it."""
_REASONS: Final = {
    guard.UNAUTHORISED: b"send the token as Authorization: Bearer\n",
    guard.FORBIDDEN: b"a page of another origin may not ask here\n",
    guard.MISDIRECTED: b"this host is not served here; see gitmem mcp --allow-host\n",
}


def serve_pipes(start: str, options: Options) -> None:
    """Serve one client over standard input and output, until they close or it is gone."""
    _leave_with_parent()
    # A file is written whole or not at all, so nothing is lost by ending at once; the SDK would
    # wait for the next line first.
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    sys.setswitchinterval(_SWITCH_SECONDS)
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

    from gitmem.hosting.whole_requests import LOG_LEVEL, WholeRequests, at_once

    sys.setswitchinterval(_SWITCH_SECONDS)
    host, port = address
    app = http_app(build(start, options), token, {host, *hosts})
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level=LOG_LEVEL,
        timeout_graceful_shutdown=2,
        http=WholeRequests,
        backlog=at_once(),
    )


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
    names = {"localhost", *(host.lower() for host in hosts)}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = dict(scope["headers"])
            refused = guard.refused_place(headers, names)
            if not refused and not guard.bears(headers, token):
                refused = guard.UNAUTHORISED
            if refused:
                await _refuse(send, refused)
                return
        elif scope["type"] != "lifespan":
            return
        await inner(scope, receive, send)

    return app


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain")]
    headers += [(b"www-authenticate", b"Bearer")] if status == guard.UNAUTHORISED else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": _REASONS[status]})


def _leave_with_parent() -> None:
    """End this process when whoever started it has ended without closing our input."""
    is_wanted = parent_watch()

    def look() -> None:
        while is_wanted():
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()
