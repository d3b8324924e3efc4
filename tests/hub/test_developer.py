"""What a developer sees: the memory's own answer, and below it what other repositories know."""

import http.client
import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest

from gitmem.assistants.payloads import payload as payload_of
from gitmem.errors import UsageError
from gitmem.hub.client import Address
from gitmem.memory import Memory
from gitmem.memory.checks.trial_checks import WAYS
from tests.e2e.running import COMMAND, Result, environment, run
from tests.e2e.test_mcp_bad_input import INITIALIZE
from tests.hub.organisation import MESSAGE, SECRET, TITLE, Hub, publishing, trace
from tests.hub.test_webhooks import digest

if TYPE_CHECKING:
    from gitmem.memory.checks.trial_checks import Check
    from gitmem.memory.checks.trial_repository import World
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
TEXT = trace("lib/store.py", "fetch")
MakeRepo = "Callable[..., Checkout]"


@pytest.fixture
def mine(make_repo: "Callable[..., Checkout]") -> "Checkout":
    """Give a developer's own repository, whose memory knows nothing of the failure."""
    repo = make_repo("mine")
    assert run(repo, "init").code == 0
    return repo


def ask(repo: "Checkout", url: str, token: str, *arguments: str, text: str = TEXT) -> Result:
    env: dict[str, str | None] = {"GITMEM_HUB_URL": url, "GITMEM_HUB_TOKEN": token}
    return run(repo, *arguments, stdin=text, env=env)


def post(address: str, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    where = urlsplit(address)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", path, body, names)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, data


@pytest.fixture
def hub(tmp_path: Path, database: str) -> Hub:
    return Hub(tmp_path / "hub", database)


def test_a_developer_is_told_what_another_repository_knows(
    hub: Hub, make_repo: "Callable[..., Checkout]", mine: "Checkout"
) -> None:
    theirs = make_repo("api")
    fix = publishing(theirs)
    hub.run("add", "payments/api", str(theirs))
    assert "2 new" in hub.run("sync")
    assert hub.run("check") == ""
    assert "2 records" in hub.run("status")
    sees = hub.run("token", "ada", "--see", "payments/api").strip()
    blind = hub.run("token", "bob").strip()
    with hub.serving() as url:
        alone = run(mine, "hint", stdin=TEXT)
        told = ask(mine, url, sees, "hint")
        assert told.out.startswith(alone.out)
        assert "same message, in payments/api" in told.out
        assert TITLE in told.out
        for token in (blind, "", "gmh_unknown"):
            assert ask(mine, url, token, "hint").out == alone.out
        data = json.loads(ask(mine, url, sees, "hint", "--json").out)
        assert [one["fixes"][0]["id"] for one in data["elsewhere"]] == [fix]
        assert data["elsewhere"][0]["repository"] == "payments/api"
        searched = ask(mine, url, sees, "search", "--why")
        assert "same message, in payments/api" in searched.out
        assert "1 repository, by 1 person" in searched.out
        # It is asked while a command is watched, too.
        mine.add("fails.py", f'print("""{TEXT}""", end=""); raise SystemExit(1)\n')
        watched = ask(mine, url, sees, "run", "--", "python", "fails.py", text="")
        assert watched.code == 1
        assert TITLE in watched.err
        # A token that is dropped is of no use from then on.
        hub.run("token", "ada", "--drop")
        assert ask(mine, url, sees, "hint").out == alone.out


def test_doctor_says_whether_the_hub_answers(hub: Hub, mine: "Checkout") -> None:
    token = hub.run("token", "ada").strip()
    world = cast("World", None)  # what the hub answers needs no repository

    def examined(url: str, token: str) -> "Check | str":
        environ = {"GITMEM_HUB_URL": url, "GITMEM_HUB_TOKEN": token}
        with Memory.open(str(mine), environ=environ) as memory:
            return WAYS["hub"](world, memory.workspace)

    with hub.serving() as url:
        assert examined(url, token) == "127.0.0.1 answers, and knows your token"
        refused = examined(url, "gmh_unknown")
        assert refused[1:3] == ("broken", "127.0.0.1 does not know the token in GITMEM_HUB_TOKEN")
    assert examined(url, token)[1:3] == ("broken", f"no answer from {url}")
    assert "not an address to be asked" in examined("http://hub.example.com", token)[2]
    assert examined("", token)[1:3] == ("off", "no hub is asked")


def test_what_is_the_same_error_here_is_asked_nowhere(mine: "Checkout") -> None:
    publishing(mine, "own")
    own = trace("src/own.py", "borrow")
    with scripted(lambda handler: handler.send_error(500)) as server:
        alone = run(mine, "hint", stdin=own)
        assert "known" in alone.out
        assert ask(mine, server.url, "t", "hint", text=own).out == alone.out
        assert server.asked == []


def test_words_are_sent_only_where_the_user_says_so_and_a_log_never(
    hub: Hub, make_repo: "Callable[..., Checkout]", mine: "Checkout"
) -> None:
    def answers(handler: "Handler") -> None:
        handler.answer(b'{"hits": []}')

    with scripted(answers) as server:
        ask(mine, server.url, "t", "search", "pool", "proxy", text="")
        assert server.asked == []
        ask(mine, server.url, "t", "hint")
        (sent,) = server.asked
        assert MESSAGE.split()[0] not in sent.replace("template", "")
        assert set(json.loads(sent)) == {"prints"}
        env = {"GITMEM_HUB_URL": server.url, "GITMEM_HUB_SEND": "words"}
        run(mine, "search", "pool", "proxy", env=env)
        assert json.loads(server.asked[-1]) == {"words": ["pool", "proxy"]}
        run(mine, "search", stdin="not an error\nbut several lines\n", env=env)
        # Some of it looks like a failure: of that, too, no more than a fingerprint is sent.
        assert all(set(json.loads(sent)) == {"prints"} for sent in server.asked[2:])
    theirs = make_repo("api")
    publishing(theirs)
    hub.run("add", "payments/api", str(theirs), "--internal")
    hub.run("sync")
    token = hub.run("token", "ada").strip()
    with hub.serving() as url:
        env = {"GITMEM_HUB_URL": url, "GITMEM_HUB_SEND": "words", "GITMEM_HUB_TOKEN": token}
        assert "similar, in payments/api" in run(mine, "search", "pool", "proxy", env=env).out


def test_a_push_that_a_host_tells_of_is_taken(
    hub: Hub, make_repo: "Callable[..., Checkout]", mine: "Checkout"
) -> None:
    theirs = make_repo("api")
    theirs.commit()
    hub.run("add", "payments/api", f"file://{theirs}", "--internal")
    token = hub.run("token", "ada").strip()
    with hub.serving() as url:
        publishing(theirs)
        urls = {"clone_url": f"file://{theirs}", "default_branch": "main"}
        body = json.dumps({"ref": "refs/heads/main", "repository": urls}).encode()
        headers = {"x_github_event": "push", "x_hub_signature_256": f"sha256={digest(body, 'no')}"}
        assert post(url, "/hub/v1/pushed", body, **headers)[0] == 401
        headers["x_hub_signature_256"] = f"sha256={digest(body, SECRET)}"
        assert post(url, "/hub/v1/pushed", body, **headers)[0] == 202
        end = time.monotonic() + 60
        while TITLE not in ask(mine, url, token, "hint").out:
            assert time.monotonic() < end
            time.sleep(0.2)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"prints": []}', b'{"prints": [["a", "b"]]}'])
def test_the_hub_refuses_what_is_no_question(hub: Hub, body: bytes) -> None:
    hub.run("status")
    token = hub.run("token", "ada").strip()
    with hub.serving() as url:
        bearer = f"Bearer {token}"
        assert post(url, "/hub/v1/alike", body, authorization=bearer)[0] in {400, 422}
        assert post(url, "/hub/v1/alike", body)[0] == 401
        large = b" " * 100_000
        assert post(url, "/hub/v1/alike", large, authorization=bearer)[0] == 413


# Hubs that are dead, slow, or lie


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: Scripted = self.server  # type: ignore[assignment]
        body = self.rfile.read(int(self.headers["content-length"]))
        server.asked.append(body.decode())
        server.script(self)

    def answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Scripted(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: "Callable[[Handler], None]") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Whoever asked went away."""


@contextmanager
def scripted(script: "Callable[[Handler], None]") -> Iterator[Scripted]:
    server = Scripted(script)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def drips(handler: Handler) -> None:
    """Answer a byte now and then, so that no single wait is long."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def leads_away(handler: Handler) -> None:
    handler.send_response(302)
    handler.send_header("location", "http://127.0.0.1:1/")
    handler.end_headers()


def hit(**fields: object) -> bytes:
    whole = {
        "repository": "a", "path": "p", "commit": "c", "id": "err-1", "kind": "error",
        "title": "t", "created": "2026-01-01", "label": "same message", **fields,
    }  # fmt: skip
    return json.dumps({"hits": [whole]}).encode()


LIES: dict[str, Callable[[Handler], None]] = {
    "an error": lambda handler: handler.send_error(500),
    "no JSON": lambda handler: handler.answer(b"<html>"),
    "another form": lambda handler: handler.answer(b'{"hits": [5]}'),
    "far too many": lambda handler: handler.answer(
        json.dumps({"hits": [json.loads(hit())["hits"][0]] * 4}).encode()
    ),
    "a title without end": lambda handler: handler.answer(hit(title="x" * 100_000)),
    "a body without end": lambda handler: handler.answer(b" " * (1 << 20)),
    "a way elsewhere": leads_away,
    "nothing at all": lambda handler: handler.connection.close(),
    "drops": drips,
}


@pytest.mark.parametrize("lie", LIES)
def test_a_hub_that_lies_or_is_late_changes_no_answer(mine: "Checkout", lie: str) -> None:
    alone = run(mine, "hint", stdin=TEXT)
    with scripted(LIES[lie]) as server:
        assert ask(mine, server.url, "t", "hint")[:2] == alone[:2]
        assert len(server.asked) == 1
        told = ask(mine, server.url, "t", "search")
        assert told[:2] == run(mine, "search", stdin=TEXT)[:2]


def test_control_characters_of_a_hub_reach_no_terminal(mine: "Checkout") -> None:
    awkward = hit(title="\x1b[2J\x1b]0;own\x07 title\nsecond", repository="a\x1b[31m\nb")
    with scripted(lambda handler: handler.answer(awkward)) as server:
        out = ask(mine, server.url, "t", "hint").out
    assert "title" in out
    assert "\x1b" not in out
    assert "\x07" not in out


def test_a_dead_hub_is_asked_three_times_and_then_left_alone(mine: "Checkout") -> None:
    alone = run(mine, "hint", stdin=TEXT)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{door.getsockname()[1]}"
        for _ in range(3):
            assert ask(mine, nobody, "t", "hint")[:2] == alone[:2]
    with scripted(lambda handler: handler.answer(hit())) as server:
        assert ask(mine, server.url, "t", "hint")[:2] == alone[:2]
        assert server.asked == []


def test_a_repository_names_no_hub(mine: "Checkout") -> None:
    with scripted(lambda handler: handler.answer(hit())) as server:
        settings = f"format: 1\nsettings:\n  hub.url: {server.url}\n  hub.send: words\n"
        mine.add(".memory/gitmem.yaml", settings)
        run(mine, "hint", stdin=TEXT)
        run(mine, "search", "pool")
        assert server.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://hub.example.com", "ftp://127.0.0.1", "hub.example.com", "https://", "http://127.1",
        "https://user@hub.example.com", "https://hub.example.com/?a=b", "https://h:port",
    ],
)  # fmt: skip
def test_only_addresses_that_others_cannot_read_are_asked(url: str) -> None:
    with pytest.raises(UsageError):
        Address(url)


def test_every_face_tells_it_and_nobody_waits_for_a_hub_that_is_down(
    hub: Hub, make_repo: "Callable[..., Checkout]", mine: "Checkout"
) -> None:
    publishing(theirs := make_repo("api"))
    hub.run("add", "payments/api", str(theirs))
    hub.run("sync")
    token = hub.run("token", "ada", "--see", "payments/api").strip()
    (mine / "build.log").write_text(TEXT)
    with hub.serving() as url:
        for told in faces(mine, url, token):
            assert "payments/api" in told, told
            assert TITLE in told, told
    for told in faces(mine, url, token):
        assert TITLE not in told


def faces(repo: "Checkout", url: str, token: str) -> "Iterator[str]":
    """Give what an assistant's tool, its hook, a job of CI and its summary tell of a failure."""
    call = {"name": "gitmem_hint", "arguments": {"text": TEXT}}
    requests = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call},
    ]
    changes = {"GITMEM_HUB_URL": url, "GITMEM_HUB_TOKEN": token}
    with subprocess.Popen(
        [COMMAND, "mcp"], cwd=repo, env=environment(changes), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        process.stdin.write("".join(f"{json.dumps(request)}\n" for request in requests))
        process.stdin.flush()
        process.stdout.readline()
        yield process.stdout.readline()
        process.stdin.close()
    failed = payload_of("claude", "red", str(repo), "make", TEXT, 1)
    yield ask(repo, url, token, "assistant-hook", "claude", text=json.dumps(failed)).out
    summary = repo / "summary.md"
    summary.unlink(missing_ok=True)
    yield ask(repo, url, token, "ci", "build.log", "--summary", str(summary)).out
    yield summary.read_text()
    yield ask(repo, url, token, "ci", "build.log", "--json").out
