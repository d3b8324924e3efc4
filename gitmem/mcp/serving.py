"""How the server is reached: by pipes, or over HTTP with a token."""

import hmac
import os
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from mcp.server.mcpserver import MCPServer

from gitmem.mcp.calls import Options
from gitmem.mcp.server import build

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_LOOK_SECONDS: Final = 2.0


def serve_pipes(start: str, options: Options) -> None:
    """Serve one client over standard input and output, until they close or it is gone."""
    _leave_with_parent()
    build(start, options).run("stdio")


def serve_http(start: str, options: Options, host: str, port: int, token: str) -> None:
    """Serve clients over HTTP at ``/mcp``; each request must bear the token.

    Args:
        start: the folder whose memory is served.
        options: how.
        host: address to listen on.
        port: 0: any free one, which is told on standard error.
        token: what a client sends as ``Authorization: Bearer``.

    """
    import uvicorn  # noqa: PLC0415  only for HTTP

    app = http_app(build(start, options), host, token)
    uvicorn.run(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=2)


def http_app(server: MCPServer[Any], host: str, token: str) -> App:
    """Make the web application of a server: only whoever has the token gets in."""
    inner: Any = server.streamable_http_app(host=host)
    expected = f"Bearer {token}".encode()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            said = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(said, expected):
                await _refuse(send)
                return
        await inner(scope, receive, send)

    return app


async def _refuse(send: Send) -> None:
    headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": b"send the token as Authorization: Bearer\n"})


def _leave_with_parent() -> None:
    """End this process when whoever started it has ended without closing our input."""
    parent = os.getppid()

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    if parent > 1:
        threading.Thread(target=look, daemon=True).start()
