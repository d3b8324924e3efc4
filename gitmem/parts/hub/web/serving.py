"""The hub's process: listen, answer, and keep up with git."""

import os
from collections.abc import Callable
from typing import Any

import uvicorn

from gitmem.hosting.whole_requests import LOG_LEVEL, WholeRequests, at_once
from gitmem.parts.hub.protocol import Engine
from gitmem.parts.hub.web.application import application
from gitmem.parts.hub.web.host_watch import HostWatch
from gitmem.parts.hub.web.shared import Hub
from gitmem.parts.hub.web.upkeep import Housekeeping
from gitmem.serve.serving import listening


def serve(
    folder: str,
    engine: Callable[[], Engine],
    host: str,
    port: int,
    poll: float,
    tell: Callable[[str], None],
    assistants: Callable[..., Any] | None = None,
) -> None:
    """Serve a hub until Ctrl-C.

    Args:
        folder: of the hub.
        engine: opens an engine.
        host: address to listen on.
        port: 0: any free one.
        poll: seconds between two looks at all repositories.
        tell: is given the address, and what goes wrong.
        assistants: makes the application for coding assistants; None: there is none.

    Raises:
        EnvironmentProblem: the port is taken, or the database does not answer.

    """
    with listening(port, host) as socket:
        answering = engine()
        upkeep = Housekeeping(folder, engine, poll, tell)
        hub = Hub(folder, answering, upkeep, os.environ)
        watch = HostWatch(hub.visitors, tell)
        app = application(hub, assistants(hub.seen_with, hub.answer) if assistants else None)
        config = uvicorn.Config(
            app,
            log_level=LOG_LEVEL,
            timeout_graceful_shutdown=2,
            server_header=False,
            http=WholeRequests,
            backlog=at_once(),
        )
        upkeep.start()
        watch.start()
        tell(f"the hub answers at http://{host}:{socket.getsockname()[1]}")
        try:
            uvicorn.Server(config).run(sockets=[socket])
        finally:
            watch.stop()
            upkeep.stop()
            answering.close()
