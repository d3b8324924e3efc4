"""A real local server that speaks chat completions, for tests: what it answers is scripted."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gitmem import Memory

Answer = Callable[["Handler"], None]


class Request(NamedTuple):
    """What the server was asked."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything that was sent, as text."""
        return json.dumps(self.body)

    @property
    def data(self) -> dict[str, Any]:
        """The data block of the last turn."""
        last = self.body["messages"][-1]["content"]
        assert last.startswith("<data>\n")
        assert last.endswith("\n</data>")
        data: dict[str, Any] = json.loads(last[len("<data>") : -len("</data>")])
        return data


class Server:
    """The server: its address, what it was asked, and what it will answer, in order."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.owner = self  # type: ignore[attr-defined]
        self.stop = threading.Event()
        """Set at the end: an answer that hangs waits for it."""

    @property
    def url(self) -> str:
        """Its address, as a setting names it."""
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.http.server_port}"

    def will(self, *answers: Answer) -> None:
        """Answer so next; the last one stays."""
        self.answers = list(answers)


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        owner: Server = self.server.owner  # type: ignore[attr-defined]
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        owner.requests.append(Request(self.path, dict(self.headers.items()), body))
        answer = owner.answers.pop(0) if len(owner.answers) > 1 else owner.answers[0]
        self.close_connection = True
        answer(self)

    def begin(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()

    def send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()

    def event(self, data: object) -> None:
        self.send(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its signature
        """Say nothing."""


def chunk(text: str = "", end: str | None = None) -> dict[str, Any]:
    delta = {"content": text} if text else {}
    return {
        "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": end}],
    }  # fmt: skip


def usage(given: int, made: int, cached: int = 0, thought: int = 0) -> dict[str, Any]:
    used = {
        "prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made + thought,
        "prompt_tokens_details": {"cached_tokens": cached},
    }  # fmt: skip
    return {**chunk(), "choices": [], "usage": used}


def says(
    answer: object, *, tokens: tuple[int, int] | tuple[int, int, int] | None = (1000, 200),
    end: str = "stop",
) -> Answer:  # fmt: skip
    """Stream an answer in three pieces, then the usage."""
    text = answer if isinstance(answer, str) else json.dumps(answer)

    def run(handler: Handler) -> None:
        handler.begin(Content_Type="text/event-stream")
        third = max(1, len(text) // 3)
        for piece in (text[:third], text[third : 2 * third], text[2 * third :]):
            handler.event(chunk(piece))
        handler.event(chunk(end=end))
        if tokens:
            handler.event(usage(*tokens))
        handler.event("[DONE]")

    return run


def fails(status: int, message: str = "no", code: str = "", **headers: str) -> Answer:
    """Answer with an error."""

    def run(handler: Handler) -> None:
        body = json.dumps({"error": {"message": message, "type": "t", "code": code}})
        handler.begin(status, Content_Type="application/json", **headers)
        handler.send(body)

    return run


def hangs(text: str = "") -> Answer:
    """Begin an answer, and say nothing more until the test is over."""

    def run(handler: Handler) -> None:
        handler.begin(Content_Type="text/event-stream")
        if text:
            handler.event(chunk(text))
        handler.server.owner.stop.wait(60)  # type: ignore[attr-defined]

    return run


def sends(*events: object) -> Answer:
    """Stream these, whatever they are, and close."""

    def run(handler: Handler) -> None:
        handler.begin(Content_Type="text/event-stream")
        for event in events:
            handler.event(event)

    return run


@contextmanager
def serving(*answers: Answer) -> Iterator[Server]:
    """Run a server for as long as the block takes; ``answers`` as of ``will``."""
    server = Server()
    if answers:
        server.will(*answers)
    thread = threading.Thread(target=server.http.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop.set()
        server.http.shutdown()
        server.http.server_close()
        thread.join()


Open = Callable[..., Memory]
_MODEL: Mapping[str, object] = MappingProxyType({"llm.model": "small-1"})


@contextmanager
def opening(
    folder: Path, server: Server, model: Mapping[str, object] = _MODEL, **environ: str
) -> Iterator[Open]:
    """Give a function that opens a folder's memory with a model of the server.

    It costs 1 and 2 dollars a million tokens. The function takes more settings, by names such as
    ``llm_price``; all that it opened is closed at the end of the block.

    Args:
        folder: where the memory is.
        server: what is asked.
        model: the settings that name the model, and others that always hold.
        environ: further variables.

    """
    with ExitStack() as opened:

        def open_(**settings: object) -> Memory:
            told = {
                **model, "llm.base_url": server.url, "llm.price": "1/2",
                **{name.replace("_", ".", 1): value for name, value in settings.items()},
            }  # fmt: skip
            memory = Memory.open(str(folder), settings=told, environ={**os.environ, **environ})
            return opened.enter_context(memory)

        yield open_
