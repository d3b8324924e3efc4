"""What waits for a request has a bound in time and in number; odd addresses get a proper answer."""
# ruff: noqa: E501  a row a case

import resource
import select
import socket
import sys
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gitmem.hosting.whole_requests import HEAD_SECONDS, most_waiting
from tests.e2e.assistants import listening
from tests.e2e.pages import Served, serving
from tests.e2e.running import ok

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
_MANY = 2_000


@pytest.fixture
def served(repo: "Checkout") -> "Iterator[Served]":
    ok(repo, "init")
    with serving(repo) as one:
        yield one


def half(port: int, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(data)
    return connection


@contextmanager
def enough_handles() -> "Iterator[None]":
    """Let this process open so many connections; the server was started with the usual limit."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < _MANY + 200:
        pytest.skip("this test may not open enough handles")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], _MANY + 200), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_half_requests_of_anybody_do_not_stop_the_pages(served: Served) -> None:
    """Of 1,100 connections without an end none was dropped, and nobody got an answer for 30 s."""

    def ask() -> None:
        assert served.ask(f"/r/{served.name}/").status == 200

    stand_half_requests(served.port, ask)


def test_half_requests_of_anybody_do_not_stop_the_assistants(repo: "Checkout") -> None:
    ok(repo, "init")
    with listening(repo) as address:
        port = int(address.partition(":")[2])

        def ask() -> None:
            connection = HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("POST", "/mcp", "{}", {"content-type": "application/json"})
            assert connection.getresponse().status == 401
            connection.close()

        stand_half_requests(port, ask)


def test_refused_requests_that_stay_open_do_not_stop_the_pages(served: Served) -> None:
    """Each had its 401 and kept its handle; the log said 18,000 times that there is none left."""
    whole = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
    with enough_handles():
        staying = []
        for _ in range(_MANY):
            with suppress(OSError):
                staying.append(half(served.port, whole))
        try:
            for _ in range(3):
                began = time.monotonic()
                assert served.ask(f"/r/{served.name}/").status == 200
                assert time.monotonic() - began < 2
                for one in staying:
                    with suppress(OSError):
                        one.send(whole)
            assert ended(staying) >= len(staying) - 2 * most_waiting()
        finally:
            for one in staying:
                one.close()


_LINES = ("GET / HTTP/1.1", "POST / HTTP/1.1", "GET /", "PRI * HTTP/2.0", "\x16\x03\x01", "X")
_FIELDS = (
    "Host: {host}", "Host: evil.example", "Authorization: Bearer {token}", "Connection: Upgrade",
    "Upgrade: websocket", "Upgrade: h2c", "Sec-WebSocket-Key: x", "Content-Length: 4",
    "Content-Length: -1", "Transfer-Encoding: chunked", "Expect: 100-continue", "X: a\0b", " folded",
)  # fmt: skip
_BODIES = (
    "",
    "ZZ\r\nab\r\n",
    "0\r\n\r\n",
    "abcd",
    "4\r\nabcd",
    "\xff\xfe",
    "GET / HTTP/1.1\r\n\r\n",
)


def test_no_request_of_anybody_is_worth_a_line_of_the_log(repo: "Checkout") -> None:
    """A body in bad pieces was a traceback of fifty lines, each other odd request a warning."""
    ok(repo, "init")
    log: list[str] = []
    with serving(repo, log=log) as served:
        values = {"host": f"127.0.0.1:{served.port}", "token": served.token}

        @given(
            st.sampled_from(_LINES),
            st.lists(st.sampled_from(_FIELDS), max_size=5),
            st.sampled_from(_BODIES),
        )
        @example(_LINES[1], [*_FIELDS[:1], *_FIELDS[2:3], _FIELDS[9]], _BODIES[1])
        @settings(max_examples=40, deadline=None)
        def asked(line: str, fields: list[str], body: str) -> None:
            text = "\r\n".join([line, *fields, "", body]).format(**values)
            with half(served.port, text.encode("latin-1")) as connection:
                connection.settimeout(0.3)
                with suppress(OSError):
                    assert b" 500 " not in connection.recv(65536).split(b"\r\n")[0]

        asked()
        assert served.ask(f"/r/{served.name}/").status == 200
    assert [line for line in log if line and "interrupted" not in line] == []


def stand_half_requests(port: int, ask: "Callable[[], None]") -> None:
    """Open many connections that never make a request; who asks is answered all the same."""
    with enough_handles():
        answer_beside(port, ask)
    ask()


def ended(connections: list[socket.socket]) -> int:
    """Count those that the server has dropped; ``select`` knows no handles above 1,023."""
    poll = select.poll()
    for one in connections:
        poll.register(one, select.POLLIN)
    return len(poll.poll(0))


def answer_beside(port: int, ask: "Callable[[], None]") -> None:
    pieces = (
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"GET",
        b"",
        b"POST / HTTP/1.1\r\nContent-Length: 9\r\n",
    )
    waiting = [half(port, pieces[number % len(pieces)]) for number in range(_MANY)]
    try:
        for _ in range(3):
            began = time.monotonic()
            ask()
            assert time.monotonic() - began < 2
        gone = ended(waiting)
        assert gone >= _MANY - most_waiting()
        end = time.monotonic() + HEAD_SECONDS + 5
        while gone < _MANY and time.monotonic() < end:
            time.sleep(0.2)
            gone = ended(waiting)
        assert gone == _MANY
    finally:
        for one in waiting:
            one.close()


def test_a_trickle_is_dropped_and_a_kept_connection_is_not(served: Served) -> None:
    """Each new sign of a head that never ends kept the connection for ever."""
    began = time.monotonic()
    with half(served.port, b"GET / HTTP/1.1\r\n") as trickling:
        with suppress(OSError):
            while time.monotonic() - began < 3 * HEAD_SECONDS:
                trickling.sendall(b"x: y\r\n")
                time.sleep(0.3)
        assert time.monotonic() - began < 2 * HEAD_SECONDS
    head = f"GET /api/x HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
    with half(served.port, head) as kept:
        for _ in range(3):
            answer = b""
            while not answer.endswith(b"0\r\n\r\n"):
                piece = kept.recv(65536)
                assert piece, answer
                answer += piece
            assert answer.startswith(b"HTTP/1.1 ")
            time.sleep(HEAD_SECONDS / 3)
            kept.sendall(head)


@given(path=st.binary(min_size=0, max_size=12), query=st.binary(max_size=12))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_bytes_in_an_address_get_an_answer(served: Served, path: bytes, query: bytes) -> None:
    """``%E2%82%AC`` gave 500, ``%0d%0aX`` no answer at all, a backslash the address of another host."""
    for place in (
        "",
        f"r/{served.name}/",
        f"r/{served.name}/file?path=",
        f"r/{served.name}/record/",
    ):
        address = f"/{place}{quote(path, safe='')}"
        mark = "&" if "?" in address else "?"
        answer = served.ask(f"{address}{mark}x={quote(query, safe='')}")
        assert answer.status < 500, (address, answer.status)
        swapped = served.ask(f"{address}{mark}token={served.token}", bearer=False)
        assert swapped.status in {303, 400}, (address, swapped.status)
        if swapped.status == 303:
            to = swapped.headers["location"]
            assert to.isascii()
            assert to.isprintable()
            assert not urlsplit(to.replace("\\", "/")).netloc, to


@pytest.mark.parametrize(
    "path", ["/%E2%82%AC", "/%0d%0aX", "/\\evil.example", "//evil.example", "/\\/x"]
)
def test_the_address_with_a_token_leads_to_this_server(served: Served, path: str) -> None:
    answer = served.ask(f"{path}?token={served.token}", bearer=False)
    assert answer.status == 303
    to = answer.headers["location"]
    assert to.startswith("/")
    assert not to.startswith(("//", "/\\"))


def test_zeros_are_refused(served: Served) -> None:
    assert served.ask(f"/r/{served.name}/file?path=%00").status == 400
    assert served.ask(f"/r/{served.name}/record/%00").status == 400
