"""A small editor: talks to a language server over its pipes, and times the answers."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from benchmarks.figures import gitmem
from benchmarks.measure import sealed

_GRACE_SECONDS: Final = 20
_KIB_IN_MB: Final = 1024


class RefusedError(Exception):
    """The server answered with an error."""


class Client:
    """One server process, and an editor that has no other thread: it reads when it waits.

    Args:
        folder: the workspace.

    Attributes:
        initialize_ms: from the start of the process until ``initialize`` was answered.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        began = time.perf_counter()
        self._process = subprocess.Popen(
            gitmem("lsp"),
            cwd=folder,
            env=sealed(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin  # noqa: S101  both were asked for
        assert self._process.stdout  # noqa: S101  likewise
        self._to, self._of = self._process.stdin, self._process.stdout
        self._number = 0
        self.request("initialize", {
            "processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": {},
        })  # fmt: skip
        self.initialize_ms = (time.perf_counter() - began) * 1000
        self.notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(self, method: str, params: object = None) -> Any:  # noqa: ANN401  JSON
        """Ask, and wait for the answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if "method" in message:
                if "id" in message:  # the server asks: an editor that can do nothing says null
                    self._send({"id": message["id"], "result": None})
            elif message.get("id") == self._number:
                if "error" in message:
                    raise RefusedError(f"{method}: {message['error']['message']}")
                return message["result"]

    def notify(self, method: str, params: object) -> None:
        """Tell something."""
        self._send({"method": method, "params": params})

    def open(self, path: Path, text: str) -> None:
        """Open a document."""
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def hover(self, path: Path, line: int, character: int) -> str:
        """Give what a hover shows; empty: nothing."""
        position = {"line": line, "character": character}
        parameters = {"textDocument": {"uri": path.as_uri()}, "position": position}
        shown = self.request("textDocument/hover", parameters)
        return str(shown["contents"]["value"]) if shown else ""

    def memory_mb(self) -> float:
        """Give how much of the machine's memory the server holds now (Linux); else 0."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 0.0
        held = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(held.split()[1]) / _KIB_IN_MB

    def close(self) -> None:
        """Shut the server down as an editor does; kill it if it does not go."""
        try:
            self.request("shutdown")
            self.notify("exit", None)
            self._process.wait(_GRACE_SECONDS)
        except (OSError, EOFError, subprocess.TimeoutExpired) as error:
            print(f"the server did not end by itself: {error}", file=sys.stderr)
        self.kill()

    def kill(self) -> None:
        """End the server at once."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._to.close()
        self._of.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._to.flush()

    def _next(self) -> dict[str, Any]:
        length = 0
        while line := self._of.readline():
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError("the server is gone")
        message: dict[str, Any] = json.loads(self._of.read(length))
        return message
