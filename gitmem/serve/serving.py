"""The server process: listen on loopback, print the address, open the browser."""

import os
import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from typing import Final

import uvicorn

from gitmem.errors import EnvironmentProblem
from gitmem.hosting.whole_requests import LOG_LEVEL, WholeRequests, at_once
from gitmem.memory import Memory
from gitmem.serve.application import application
from gitmem.serve.repositories import Repositories

_LOOPBACK: Final = "127.0.0.1"
_BACKLOG: Final = 128
_MOST_ASKED: Final = 1 << 21
"""Bytes of an address with its headers: a question is as long as the output that is pasted."""


def serve(
    folders: Sequence[str],
    port: int,
    tell: Callable[[str], None],
    *,
    open_browser: bool,
    writes: bool,
) -> None:
    """Serve memories until Ctrl-C.

    Args:
        folders: each in a work tree with a memory.
        port: on loopback; 0: any free one.
        tell: is given the address.
        open_browser: also open it in the user's browser.
        writes: programs may write, too.

    Raises:
        NotFoundError: a folder has no memory.
        EnvironmentProblem: the port is taken.

    """
    for folder in folders:
        Memory.open(folder).close()
    token = secrets.token_urlsafe(24)
    with listening(port) as door:
        port = door.getsockname()[1]
        repositories = Repositories(folders, os.environ)
        repositories.prepare()
        config = uvicorn.Config(
            application(repositories, token, port, writes=writes),
            log_level=LOG_LEVEL,
            timeout_graceful_shutdown=2,
            server_header=False,
            http=WholeRequests,
            backlog=at_once(),
            h11_max_incomplete_event_size=_MOST_ASKED,
        )
        address = f"http://{_LOOPBACK}:{port}/?token={token}"
        tell(f"open {address}")
        if open_browser:
            webbrowser.open(address)
        try:
            uvicorn.Server(config).run(sockets=[door])
        finally:
            repositories.close()


def listening(port: int, host: str = _LOOPBACK) -> socket.socket:
    """Listen on an address of this machine.

    Raises:
        EnvironmentProblem: the port is taken, or the address is not this machine's.

    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only of a socket that names its protocol does asyncio switch the wait for more to send off;
    # with it, each answer to a kept connection is 40 ms late.
    door = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen(_BACKLOG)
    except OSError as error:
        door.close()
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(
            f"can't listen on port {port}: {reason}", "name another one with --port"
        ) from None
    return door
