"""Builds the server and serves one editor over standard streams or a local connection."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Sequence
from typing import BinaryIO, Final

from lsprotocol import types

from lsp_server import editor_process
from lsp_server.features import (
    actions,
    code_lens,
    commands,
    completion,
    definition,
    diagnostics,
    folding,
    hover,
    links,
    new_memory,
    outside_changes,
    pasted_failures,
    quick_fixes,
    record_files,
    recording,
    references,
    symbols,
    taken_back,
    views,
    watched_runs,
)
from lsp_server.message_stream import dispatch_messages
from lsp_server.server import MemoryServer

_log = logging.getLogger(__name__)
# In the order in which they see a document, and in which code actions are listed.
_FEATURES: Final = (
    record_files, diagnostics, hover, actions, commands, recording, code_lens, completion,
    definition, folding, links, quick_fixes, references, symbols, outside_changes, views,
    pasted_failures, new_memory, watched_runs, taken_back,
)  # fmt: skip
_HOST: Final = "127.0.0.1"
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread may hold Python's lock while others wait for it; Python's default is 5 ms.
A hover gives the lock up at each read, and has to wait for it beside a thread that catches up."""


def make_server() -> MemoryServer:
    """Build the server with all its features."""
    server = MemoryServer()

    @server.feature(types.INITIALIZE)
    def initialize(ls: MemoryServer, params: types.InitializeParams) -> None:
        options = params.initialization_options
        ls.options = dict(options) if isinstance(options, dict) else {}
        if params.process_id:
            editor_process.exit_with(params.process_id)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(
        ls: MemoryServer, params: types.DidChangeConfigurationParams
    ) -> None:
        settings = params.settings.get("gitmem") if isinstance(params.settings, dict) else None
        if isinstance(settings, dict):
            ls.take_options(settings)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: MemoryServer, _params: None) -> None:
        ls.close_memories()

    for feature in _FEATURES:
        feature.register(server)
    return server


class MessageWriter:
    """Writes whole messages; once the editor is gone, nothing any more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_closed = False

    def write(self, data: bytes) -> None:
        """Send one message."""
        if self._is_closed:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._is_closed = True
            _log.info("the editor is gone: %s", error)

    def close(self) -> None:
        """Send nothing any more."""
        self._is_closed = True


class _OneLineErrors(logging.Filter):
    """Lets a library tell what went wrong in one line: what is our fault has its own trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("pygls"):
            record.exc_info = record.exc_text = None
            record.msg, record.args = " ".join(record.getMessage().split())[:300], None
        return True


def serve(port: int | None = None, wrapped: Sequence[str] = ()) -> None:
    """Serve one editor until it goes away; then end the process, whatever is under way.

    Args:
        port: port on this machine's loopback to wait for the editor on; 0: any free one;
            None: standard input and output.
        wrapped: command of another language server to stand in front of; empty: none.

    """
    handler = logging.StreamHandler()
    handler.addFilter(_OneLineErrors())
    logging.basicConfig(
        level=logging.WARNING, handlers=[handler], format="%(levelname)s %(name)s: %(message)s"
    )
    if port is None:
        source, target = sys.stdin.buffer, sys.stdout.buffer
        # What is printed by mistake must not get between the messages.
        sys.stdout = sys.stderr
    else:
        source, target = _connected(port)
    sys.setswitchinterval(_SWITCH_SECONDS)
    code = run(make_server(), source, target, wrapped)
    logging.shutdown()
    # Threads may be in the middle of a rebuild, which survives that; nobody waits for them.
    os._exit(code)


def _connected(port: int) -> tuple[BinaryIO, BinaryIO]:
    """Wait for the one editor; further connections are refused."""
    with socket.create_server((_HOST, port)) as listener:
        print(f"listening on {_HOST}:{listener.getsockname()[1]}", file=sys.stderr, flush=True)  # noqa: T201
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection.makefile("rb"), connection.makefile("wb")


def run(
    server: MemoryServer, source: BinaryIO, target: BinaryIO, wrapped: Sequence[str] = ()
) -> int:
    """Serve one editor over two streams; give the exit code that the protocol asks for."""

    async def serve_alone() -> None:
        server.protocol.set_writer(MessageWriter(target))
        await dispatch_messages(source, server.protocol.take)

    async def serve_with() -> None:
        from lsp_server.wrapping.mediator import Mediator  # noqa: PLC0415  only then

        await Mediator(server, target, wrapped).serve(source)

    try:
        asyncio.run(serve_with() if wrapped else serve_alone())
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except KeyboardInterrupt:
        return 130
    finally:
        server.close_memories()
    return 1
