"""Servers of others on loopback, answered by a function: hosts of repositories, issuers."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Question(NamedTuple):
    path: str
    headers: dict[str, str]


class Reply(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Loopback:
    """Where a server answers, and what it was asked."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.questions: list[Question] = []


@contextmanager
def answering(answer: Callable[[Question], Reply]) -> Iterator[Loopback]:
    """Serve until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            question = Question(self.path, headers)
            server.questions.append(question)
            reply = answer(question)
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        http.block_on_close = False
        server = Loopback(http.server_address[1])
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
