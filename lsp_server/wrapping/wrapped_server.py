"""The process of the wrapped language server: started, written to, read from, ended."""

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO, Final, cast

from lsp_server.message_stream import UnreadableMessage, bodies, framed

_log = logging.getLogger(__name__)
_GRACE_SECONDS: Final = 2.0


class WrappedServer:
    """One process that speaks the protocol over its standard streams.

    Args:
        command: the program and its arguments.
        take: called with the body of each message, in the thread that reads.
        ended: called in that thread with the exit code, once there is nothing more to read.

    Raises:
        OSError: the program can't be started.

    """

    def __init__(
        self,
        command: Sequence[str],
        take: Callable[[bytes], None],
        ended: Callable[["WrappedServer", int], None],
    ) -> None:
        self._take, self._ended = take, ended
        # Its errors go where ours go: an editor shows both in one log.
        self._process = subprocess.Popen(  # noqa: S603  what the user's editor names
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._input = cast("BinaryIO", self._process.stdin)
        self._output = cast("BinaryIO", self._process.stdout)
        self._writing = threading.Lock()
        threading.Thread(target=self._read, name="wrapped server", daemon=True).start()

    def write(self, body: bytes) -> None:
        """Send a message; what a process that is gone does not take is lost with it."""
        try:
            with self._writing:
                self._input.write(framed(body))
                self._input.flush()
        except (OSError, ValueError) as error:
            _log.info("the wrapped server takes nothing: %s", error)

    def _read(self) -> None:
        try:
            for body in bodies(self._output):
                if isinstance(body, UnreadableMessage):
                    _log.warning("of the wrapped server: %s", body.reason)
                else:
                    self._take(body)
        except (OSError, ValueError) as error:
            _log.info("the wrapped server's stream ended: %s", error)
        self._ended(self, self._process.wait())

    def end(self) -> None:
        """See to it that the process ends: it has a moment to do so by itself."""
        try:
            self._input.close()
        except OSError as error:
            _log.info("the wrapped server takes nothing: %s", error)
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()
        self._process.wait()
