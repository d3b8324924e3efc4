"""A client of the language server that speaks JSON-RPC to the real process."""

import json
import os
import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gitmem.render.match_markdown import STILL_READING
from tests.e2e.running import server

SECONDS = 30


class Editor:
    """A client that speaks JSON-RPC to one server process.

    Args:
        folder: where to start it.
        tcp: over a connection instead of its standard streams.
        real: a process started anew, because the test is about the process.
        wrapping: command of another server that it stands in front of.
        answering: what a server asks is answered with nothing, as an editor does.

    """

    def __init__(
        self,
        folder: Path,
        *,
        tcp: bool = False,
        real: bool = False,
        wrapping: Sequence[str] = (),
        answering: bool = False,
    ) -> None:
        arguments = ["--tcp", "0"] if tcp else []
        arguments += ["--with", "--", *wrapping] if wrapping else []
        self.process = subprocess.Popen(
            [*server(real=real or bool(wrapping)), "lsp", *arguments],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.to: Any = self.process.stdin
        self.of: Any = self.process.stdout
        self._log: list[str] = []
        self._answering = answering
        self._sending = threading.Lock()
        self.socket: socket.socket | None = None
        if tcp:
            said = self.process.stderr.readline().decode()
            self.socket = socket.create_connection(("127.0.0.1", int(said.rpartition(":")[2])))
            self.to, self.of = self.socket.makefile("wb"), self.socket.makefile("rb")
        self._said: queue.Queue[dict[str, Any]] = queue.Queue()
        self._aside: list[dict[str, Any]] = []
        self._number = 0
        self._logging = threading.Thread(target=self._keep_log, daemon=True)
        self._listening = threading.Thread(target=self._listen, daemon=True)
        for thread in (self._listening, self._logging):
            thread.start()

    def _listen(self) -> None:
        try:
            while header := self.of.readline():
                length = int(header.partition(b":")[2])
                while self.of.readline().strip():
                    pass
                message = json.loads(self.of.read(length))
                if self._answering and "method" in message and "id" in message:
                    asked = message["params"].get("items") if "params" in message else None
                    nothing = [None] * len(asked) if asked else None
                    self.send({"id": message["id"], "result": nothing})
                self._said.put(message)
        except (OSError, ValueError):
            return  # the stream was closed

    def _keep_log(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._log.append(line.decode(errors="replace"))

    def log(self) -> str:
        """Give what the process logged, once it is gone."""
        self.gone()
        self._logging.join(SECONDS)
        return "".join(self._log)

    def has_logged(self, words: str) -> bool:
        """Tell whether the process has logged a line with some words."""
        return any(words in line for line in list(self._log))

    def send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, body: bytes) -> None:
        """Send a body as it is."""
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        with self._sending:
            self.to.write(data)
            self.to.flush()

    def wait_for(self, meets: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Give the first message that meets a condition; keep the others for later."""
        for message in self._aside:
            if meets(message):
                self._aside.remove(message)
                return message
        end = time.monotonic() + SECONDS
        while True:
            try:
                message = self._said.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                log = "".join(self._log[-40:])
                raise AssertionError(f"no answer; exit {self.process.poll()}; {log}") from None
            if meets(message):
                return message
            self._aside.append(message)

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; give its number."""
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method} | ({} if params is None else {"params": params}))
        return number

    def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a request, whatever it is."""
        return self.wait_for(lambda m: m.get("id") == number and "method" not in m)

    def request(self, method: str, params: Any = None) -> Any:
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method} | ({} if params is None else {"params": params}))

    def initialize(
        self,
        folder: Path,
        *encodings: str,
        capabilities: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        where = {"processId": os.getpid(), "rootUri": folder.as_uri()}
        said = {**where, "capabilities": {**general, **(capabilities or {})}}
        result = self.request("initialize", {**said, "initializationOptions": options or {}})
        self.notify("initialized", {})
        assert isinstance(result, dict)
        return result

    def open(self, path: Path, text: str) -> None:
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def forward(self, path: Path, *diagnostics: dict[str, Any], version: int | None = 1) -> None:
        """Hand other servers' diagnostics on, as clients do."""
        params = {"uri": path.as_uri(), "version": version, "diagnostics": list(diagnostics)}
        self.notify("gitmem/diagnostics", params)

    def change(self, path: Path, text: str, version: int = 2) -> None:
        document = {"uri": path.as_uri(), "version": version}
        changes = [{"text": text}]
        params = {"textDocument": document, "contentChanges": changes}
        self.notify("textDocument/didChange", params)

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        method = "textDocument/publishDiagnostics"
        found = self.wait_for(
            lambda m: m.get("method") == method and m["params"]["uri"] == path.as_uri()
        )
        assert isinstance(found["params"]["diagnostics"], list)
        return found["params"]["diagnostics"]

    def hover(self, path: Path, line: int, character: int) -> dict[str, Any] | None:
        """Give the hover at a place, asked again while the server is still reading."""
        end = time.monotonic() + SECONDS
        while STILL_READING in str(shown := self.hover_now(path, line, character)):
            assert time.monotonic() < end, "it reads for ever"
        return shown

    def hover_now(self, path: Path, line: int, character: int) -> dict[str, Any] | None:
        document = {"uri": path.as_uri()}
        position = {"line": line, "character": character}
        shown = self.request("textDocument/hover", {"textDocument": document, "position": position})
        assert shown is None or isinstance(shown, dict)
        return shown

    def gone(self) -> int:
        """Wait until the process is gone; give its exit code."""
        return self.process.wait(SECONDS)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._logging.join(SECONDS)
        self._listening.join(SECONDS)
        for pipe in (self.to, self.of, self.process.stdin, self.process.stdout,
                     self.process.stderr, self.socket):  # fmt: skip
            try:
                if pipe:
                    pipe.close()
            except OSError:
                continue


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
