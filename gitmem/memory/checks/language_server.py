"""A short conversation with a language server, to see that it answers."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

_SECONDS: Final = 20.0
_PAUSE: Final = 0.1


class Conversation:
    """One language server and one open folder. Use as a context manager.

    Args:
        command: what starts the server.
        folder: the folder that is open.
        environ: its environment.

    Raises:
        OSError: it can't be started, or went away.

    """

    def __init__(self, command: Sequence[str], folder: str, environ: Mapping[str, str]) -> None:
        self._folder = Path(folder)
        self._number = 0
        self._process = subprocess.Popen(  # noqa: S603  ours
            command,
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A server that never answers must not keep us.
        self._end = threading.Timer(_SECONDS, self._process.kill)
        self._end.start()

    def __enter__(self) -> Self:
        root = {"processId": os.getpid(), "rootUri": self._folder.as_uri(), "capabilities": {}}
        self._ask("initialize", root)
        self._tell("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._end.cancel()

    def hover(self, name: str, text: str) -> str:
        """Open a file and hover over its first line until something shows; give what it says."""
        uri = (self._folder / name).as_uri()
        opened = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": opened})
        at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            content = self._ask("textDocument/hover", at)
            if content:
                return json.dumps(content, ensure_ascii=False)
            time.sleep(_PAUSE)
        return ""

    def _ask(self, method: str, params: Any) -> Any:  # noqa: ANN401
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:  # it asks us something
                self._send({"id": message["id"], "result": None})

    def _tell(self, method: str, params: Any) -> None:  # noqa: ANN401
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._process.stdin is None:
            raise OSError(0, "the server has no input")
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        stream = self._process.stdout
        head = stream.readline() if stream else b""
        if stream is None or not head:
            raise OSError(0, "the language server went away")
        while stream.readline().strip():
            pass
        message: dict[str, Any] = json.loads(stream.read(int(head.partition(b":")[2])))
        return message
