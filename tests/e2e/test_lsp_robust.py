"""The language server against bad clients, bad luck, and memories that change under it."""

import itertools
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.answers import derived_folder
from tests.depth import deep, only_deep, sampled
from tests.e2e.lsp_editor import SECONDS, Editor, is_running, wait_until
from tests.e2e.test_lsp import is_said
from tests.e2e.test_lsp_known import MESSAGE, TEXT, diagnostic, edit, text_of
from tests.e2e.test_lsp_known import world as known_world

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
START = {"line": 0, "character": 0}
NOT_INITIALIZED, INVALID_REQUEST, PARSE_ERROR, NO_METHOD, INVALID_PARAMS, CANCELLED = (
    -32002, -32600, -32700, -32601, -32602, -32800,
)  # fmt: skip


@pytest.fixture(params=[False, True], ids=["stdio", "tcp"])
def either(world: Path, request: pytest.FixtureRequest) -> Iterator[Editor]:
    client = Editor(world, tcp=request.param)
    yield client
    client.close()


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


def code_of(editor: Editor, number: int | None) -> int:
    answer = editor.wait_for(lambda m: "method" not in m and m.get("id") == number)
    code = answer["error"]["code"]
    assert isinstance(code, int)
    return code


def open_anew(editor: Editor, path: Path) -> None:
    """Open a document that may be open: what was said of it before is forgotten."""
    editor.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    editor.open(path, TEXT)


def still_works(editor: Editor, path: Path) -> None:
    editor.forward(path, diagnostic(), version=None)
    wait_until(lambda: "known error" in text_of(editor.hover(path, 7, 10)))


def ends_calmly(editor: Editor) -> None:
    """Shut down, and look at the log: no trace of a fault is in it."""
    editor.request("shutdown")
    editor.notify("exit")
    assert editor.gone() == 0
    assert "Traceback" not in editor.log(), editor.log()
    assert "fault" not in editor.log(), editor.log()


# --- bad input, in the order of the list of such input --------------------------------------------


def test_malformed_json_is_answered_and_the_next_message_is_understood(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    bodies = [b"{", b"", b"nonsense", b"[]", b"7", b"null", b"\xff\xfe", b'{"id": NaN',
              b"[" * 100_000, b'{"a": "\\ud800']  # fmt: skip
    for body in bodies:
        with subtests.test(repr(body[:12])):
            editor.write(body)
            assert code_of(editor, None) == PARSE_ERROR
            open_anew(editor, world / "typed.py")
            still_works(editor, world / "typed.py")
    ends_calmly(editor)


def test_a_wrong_header_is_passed_over(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    headers = [
     b"Content-Length: -5\r\n\r\n", b"Content-Length: x\r\n\r\n",
     b"Content-Length: 2\r\n\r\n{}}}\r\n",
     b"Content-Length: 999999999999\r\nContent-Length: 2\r\n\r\n{}", b"\r\n\r\n\r\n",
     b"content-length:2\r\nContent-Type: x\r\n\r\n{}", b"X" * 20_000 + b"\r\n"]  # fmt: skip
    for header in headers:
        with subtests.test(repr(header[:30])):
            editor.raw(header)
            open_anew(editor, world / "typed.py")
            still_works(editor, world / "typed.py")
    ends_calmly(editor)


def hover_body(number: int, path: Path) -> bytes:
    params = {"textDocument": {"uri": path.as_uri()}, "position": START}
    request = {"jsonrpc": "2.0", "id": number, "method": "textDocument/hover", "params": params}
    return json.dumps(request).encode()


@pytest.mark.parametrize(
    "header",
    [b"Content-Length: 20", b"Content-Length: 0", b"Content-Length: +9", b"Content-Length: many",
     b"Content-Type: json", b"Content-Length: %d" % (512 << 20)],
    ids=["too short", "zero", "signed", "words", "missing", "beyond all limits"],
)  # fmt: skip
def test_after_a_header_that_is_wrong_the_next_message_is_answered(
    world: Path, either: Editor, header: bytes
) -> None:
    either.initialize(world)
    either.raw(header + b"\r\n\r\n" + hover_body(1001, world / "typed.py"))
    open_anew(either, world / "typed.py")
    still_works(either, world / "typed.py")
    assert code_of(either, None) == PARSE_ERROR
    ends_calmly(either)
    assert either.has_logged("the length of a message was wrong"), either.log()


@pytest.mark.parametrize("more", [1, 3, 17, 40, 300, 100_000_000])
def test_after_a_length_that_is_too_long_no_message_is_lost(
    world: Path, either: Editor, more: int
) -> None:
    either.initialize(world)
    path = world / "typed.py"
    body = hover_body(1001, path)
    either.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body) + more, body))
    either.write(hover_body(1002, path))
    for number in (1001, 1002):
        assert either.answer(number)["result"] is None
    open_anew(either, path)
    still_works(either, path)
    ends_calmly(either)
    assert f"wrong: {len(body) + more}, where it has {len(body)} bytes" in either.log()


def test_a_content_length_beyond_the_end_ends_the_server(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    editor.raw(b"Content-Length: 99999999999999\r\n\r\n{}")
    editor.to.close()
    editor.gone()
    assert "Traceback" not in editor.log()


def test_a_wrong_request_is_answered_with_what_is_wrong(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    wrong: list[tuple[dict[str, Any], int]] = [
        ({"method": "no/such/method"}, NO_METHOD),
        ({"method": "$/unknown", "params": {}}, NO_METHOD),
        ({"method": 7}, INVALID_REQUEST),
        ({"method": "initialize", "params": {"capabilities": {}}}, INVALID_REQUEST),
        ({"method": "textDocument/hover"}, INVALID_PARAMS),
        ({"method": "textDocument/hover", "params": []}, INVALID_PARAMS),
        ({"method": "textDocument/hover", "params": {"position": 3}}, INVALID_PARAMS),
        ({"method": "workspace/executeCommand", "params": {"command": "rm"}}, INVALID_PARAMS),
        ({"method": "textDocument/hover", "jsonrpc": "1.0"}, INVALID_REQUEST),
    ]
    for number, (message, code) in enumerate(wrong):
        with subtests.test(str(message)):
            mine = f"mine {number}"
            editor.write(json.dumps({"jsonrpc": "2.0", "id": mine, **message}).encode())
            answer = editor.wait_for(lambda m, mine=mine: m.get("id") == mine)  # type: ignore[misc]
            assert answer["error"]["code"] == code, answer
            editor.notify("no/such/notification", {})
            editor.notify("textDocument/didOpen", {"textDocument": 3})
    ends_calmly(editor)


def test_before_initialize_nothing_else_is_taken(world: Path, editor: Editor) -> None:
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    number = editor.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()},
                                               "position": START})  # fmt: skip
    assert code_of(editor, number) == NOT_INITIALIZED
    assert code_of(editor, editor.ask("shutdown")) == NOT_INITIALIZED
    editor.initialize(world)
    editor.open(path, TEXT)
    still_works(editor, path)
    ends_calmly(editor)


def test_positions_outside_of_the_document_and_inside_of_a_pair_are_no_fault(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, "# 😀 err-0000000000\n" + TEXT)
    record = world / ".memory/notes/2026/01/t-note-7k3m9q2d4x.yaml"
    editor.open(record, "kind: note\ntags: [😀")
    for line, character in ((0, 3), (0, 2**31 - 1), (2**31 - 1, 0), (50, 50), (0, 0), (2, 0)):
        for one in (path, record):
            editor.hover(one, line, character)
            here = {"textDocument": {"uri": one.as_uri()},
                    "position": {"line": line, "character": character}}  # fmt: skip
            editor.request("textDocument/completion", here)
            editor.request("textDocument/definition", here)
            editor.request("textDocument/references",
                           {**here, "context": {"includeDeclaration": True}})  # fmt: skip
    far = {"line": 2**31 - 1, "character": 2**31 - 1}
    editor.forward(path, diagnostic(line=99, start=3, end=2), diagnostic(line=0, start=3, end=3),
                   {**diagnostic(), "range": {"start": far, "end": far}})  # fmt: skip
    editor.hover(path, 99, 3)
    params = {"textDocument": {"uri": path.as_uri()}, "range": {"start": far, "end": far},
              "context": {"diagnostics": []}}  # fmt: skip
    editor.request("textDocument/codeAction", params)
    edit(editor, path, 2, {"line": 0, "character": 3}, far, "\ud83d half a pair")
    edit(editor, path, 3, far, far, "end")
    editor.hover(path, 0, 3)
    editor.forward(path, diagnostic(message="half \udc00 a pair"), version=3)
    editor.hover(path, 7, 10)
    ends_calmly(editor)


def test_a_document_of_ten_megabytes(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, "x = 1\n" * 1_750_000)
    still_works(editor, path)
    start = {"line": 0, "character": 0}
    edit(editor, path, 2, start, start, "\n")
    assert "known error" in text_of(editor.hover(path, 8, 10))
    ends_calmly(editor)


def test_a_thousand_open_files(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    for number in range(1000):
        path = world / f"many/{number}.py"
        editor.open(path, TEXT)
        editor.forward(path, diagnostic())
    for number in (0, 999):
        path = world / f"many/{number}.py"
        wait_until(partial(is_said, editor, path, (7, 10), "same message"))
    editor.open(world / "typed.py", TEXT)
    still_works(editor, world / "typed.py")
    for number in range(1000):
        uri = (world / f"many/{number}.py").as_uri()
        editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    ends_calmly(editor)


MISSING = ("range", "message", "code", "source", "severity")


def test_diagnostics_with_missing_and_odd_fields(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    values: list[object] = ["gone", None, [], {}, 7, "x"]
    for field, value in itertools.product(MISSING, values):
        with subtests.test(field, value=value):
            taken_with(editor, world / "typed.py", field, value)
    ends_calmly(editor)


def taken_with(editor: Editor, path: Path, field: str, value: object) -> None:
    """Hand on a diagnostic with an odd field beside a good one, which is known."""
    open_anew(editor, path)
    odd = {**diagnostic(), field: value}
    if value == "gone":
        del odd[field]
    editor.forward(path, odd, diagnostic(line=0))
    wait_until(lambda: "known error" in text_of(editor.hover(path, 0, 10)))
    here = diagnostic()["range"]
    params = {"textDocument": {"uri": path.as_uri()}, "range": here,
              "context": {"diagnostics": [odd, diagnostic()]}}  # fmt: skip

    def offered() -> bool:
        found = editor.request("textDocument/codeAction", params) or []
        return any(one["title"].startswith("Show past fix") for one in found)

    wait_until(offered)


def test_versions_out_of_order_are_ignored(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.change(path, "one\n" + TEXT, 9)
    editor.change(path, "old\n", 3)
    editor.forward(path, diagnostic(line=8), version=9)
    wait_until(lambda: "known error" in text_of(editor.hover(path, 8, 10)))
    editor.forward(path, diagnostic(line=2), version=8)
    assert editor.hover(path, 2, 10) is None
    editor.change(world / "never-opened.py", "x", 2)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.py"}})
    ends_calmly(editor)


def test_after_shutdown_requests_are_refused_and_exit_ends_it(world: Path, either: Editor) -> None:
    either.initialize(world)
    path = world / "typed.py"
    either.open(path, TEXT)
    either.request("shutdown")
    number = either.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()},
                                               "position": START})  # fmt: skip
    assert code_of(either, number) == INVALID_REQUEST
    assert code_of(either, either.ask("shutdown")) == INVALID_REQUEST
    either.forward(path, diagnostic())
    either.notify("exit")
    assert either.gone() == 0
    assert "Traceback" not in either.log()


# --- over TCP, and the end ------------------------------------------------------------------------


def test_over_a_connection_all_is_the_same(world: Path, either: Editor) -> None:
    either.initialize(world)
    path = world / "typed.py"
    either.open(path, TEXT)
    still_works(either, path)
    ends_calmly(either)


def test_a_connection_that_is_dropped_ends_the_server(world: Path) -> None:
    client = Editor(world, tcp=True, real=True)
    try:
        client.initialize(world)
        assert client.socket
        client.socket.shutdown(2)
        client.gone()
        assert "Traceback" not in client.log()
    finally:
        client.close()


def test_a_server_whose_pipes_stay_open_dies_with_the_editor(world: Path) -> None:
    """Another process holds the pipes' other ends; only the editor's id tells that it is gone."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    client = Editor(world, real=True)
    try:
        where = {"processId": process.pid, "rootUri": world.as_uri(), "capabilities": {}}
        client.request("initialize", where)
        client.notify("initialized", {})
        process.kill()
        process.wait(SECONDS)
        assert client.gone() == 1
    finally:
        client.close()
        assert process.stdin
        process.stdin.close()


def test_an_editor_that_dies_while_the_index_is_made_leaves_no_process(world: "Checkout") -> None:
    plant_many(world, 3_000)
    client = Editor(world, real=True)
    try:
        client.initialize(world)
        client.open(world / "typed.py", TEXT)
        number = client.process.pid
        client.to.close()
        client.gone()
        wait_until(lambda: not is_running(number))
    finally:
        client.close()


def test_making_the_index_is_shown_as_progress_and_hovers_do_not_wait_for_it(
    world: "Checkout", editor: Editor
) -> None:
    """What is over before the client has answered is not shown, so there are many files."""
    plant_many(world, 12_000)
    shutil.rmtree(derived_folder(world))
    editor.initialize(world, capabilities={"window": {"workDoneProgress": True}})
    path = world / "typed.py"
    editor.open(path, TEXT)
    asked = editor.wait_for(lambda m: m.get("method") == "window/workDoneProgress/create")
    editor.send({"id": asked["id"], "result": None})
    editor.hover(path, 7, 10)
    token = asked["params"]["token"]
    for kind in ("begin", "end"):
        said = editor.wait_for(
            lambda m, kind=kind: (
                m.get("method") == "$/progress"  # type: ignore[misc]
                and m["params"]["value"]["kind"] == kind
            )
        )
        assert said["params"]["token"] == token
    still_works(editor, path)
    ends_calmly(editor)


def plant_many(world: "Checkout", count: int) -> None:
    """Write so many notes without reading them: the index has to be made."""
    folder = world / ".memory/notes/2026/01"
    folder.mkdir(parents=True, exist_ok=True)
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    draw = random.Random(7)
    for number in range(count):
        name = "note-" + "".join(draw.choice(alphabet) for _ in range(10))
        text = (
            f"schema: 1\nid: {name}\nkind: note\ntitle: note {number}\n"
            "created: '2026-01-01T00:00:00Z'\nauthor:\n  name: Ann\nbody: words to be found\n"
        )
        (folder / f"n-{name}.yaml").write_text(text)


# --- a memory that changes under it ---------------------------------------------------------------


@sampled(2)
@pytest.mark.parametrize("how", ["garbage", "empty", "gone", "folder"])
def test_a_broken_index_is_mended_while_hovers_are_answered(
    world: "Checkout", editor: Editor, how: str
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    still_works(editor, path)
    (catalog,) = derived_folder(world).rglob("catalog.sqlite")
    if how in ("gone", "folder"):
        # At once: the server begins to make it anew while a tree is being removed.
        gone = catalog.parent.rename(world.parent / "gone")
        if how == "folder":
            catalog.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(gone)
    else:
        catalog.write_bytes(b"garbage" * 9_999 if how == "garbage" else b"")
    for _ in range(5):
        editor.hover(path, 7, 10)
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "after the damage"})
    editor.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    wait_until(lambda: "after the damage" in text_of(editor.hover(path, 7, 10)))
    ends_calmly(editor)


def test_an_index_that_can_not_be_used_for_a_while_is_used_again_afterwards(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    still_works(editor, path)
    (lock,) = derived_folder(world).glob("lock")
    lock.unlink()
    lock.mkdir()
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "while it was barred"})
    wait_until(lambda: editor.has_logged("index not usable"))
    lock.rmdir()
    wait_until(lambda: "while it was barred" in text_of(editor.hover(path, 7, 10)))
    ends_calmly(editor)


def test_a_memory_that_is_removed_is_silent_and_one_that_comes_back_is_known(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    still_works(editor, path)
    (world / ".memory").rename(world / "aside")
    wait_until(lambda: editor.hover(path, 7, 10) is None)
    editor.forward(path, diagnostic())
    editor.request("textDocument/codeAction", {
        "textDocument": {"uri": path.as_uri()}, "range": diagnostic()["range"],
        "context": {"diagnostics": [diagnostic()]},
    })  # fmt: skip
    (world / "aside").rename(world / ".memory")
    editor.notify("gitmem/diagnostics", {})

    def comes_back() -> bool:
        editor.forward(path, diagnostic())
        return "known error" in text_of(editor.hover(path, 7, 10))

    wait_until(comes_back)
    ends_calmly(editor)


def test_other_settings_of_the_team_are_taken_at_once(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    other = diagnostic(message='"undefined_zebra" is not defined')
    editor.forward(path, other)
    editor.hover(path, 7, 10)
    rule = (
        "format: 1\nsettings:\n  fingerprint.rules:\n    - name: undefined\n"
        "      pattern: 'undefined_[a-z]{1,12}'\n      mask: '<name>'\n      why: a test\n"
    )
    (world / ".memory/gitmem.yaml").write_text(rule)

    def known() -> bool:
        editor.forward(path, other)
        return "known error" in text_of(editor.hover(path, 7, 10))

    wait_until(known)
    ends_calmly(editor)


@deep
@only_deep
def test_a_branch_with_five_thousand_other_files_is_switched_to_while_hovering(
    world: "Checkout", editor: Editor
) -> None:
    """Hovers go on, and in the end they say what the branch that is checked out says."""
    world.git("switch", "-q", "-c", "other")
    plant_many(world, 5_000)
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "only on the other branch"})
    world.commit("much more")
    world.git("switch", "-q", "main")
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    still_works(editor, path)
    there = "only on the other branch"
    wait_until(lambda: there not in text_of(editor.hover(path, 7, 10)))
    world.git("switch", "-q", "other")
    wait_until(lambda: there in text_of(editor.hover(path, 7, 10)))
    world.git("switch", "-q", "main")
    wait_until(lambda: there not in text_of(editor.hover(path, 7, 10)))
    ends_calmly(editor)


def test_where_no_index_can_be_kept_all_is_known_and_nothing_is_left_behind(
    world: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a read-only disk without a home: in neither place can a folder be made."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    shutil.rmtree(derived_folder(world))
    derived_folder(world).write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(derived_folder(world)))
    (error,) = (path.stem[-14:] for path in world.glob(".memory/errors/*/*/*.yaml"))
    client = Editor(world)
    try:
        client.initialize(world)
        path = world / "typed.py"
        client.open(path, f"{TEXT}# {error}\n")
        still_works(client, path)
        document = {"textDocument": {"uri": path.as_uri()}}
        (link,) = client.request("textDocument/documentLink", document)
        assert link["target"].endswith(f"{error}.yaml")
        at = {"line": 8, "character": 8}
        offered = client.request("textDocument/completion", {**document, "position": at})
        assert [one["label"] for one in offered["items"]] == [error]
        assert len(list(temporary.iterdir())) == 1
        ends_calmly(client)
    finally:
        client.close()
    assert list(temporary.iterdir()) == []


# --- a storm --------------------------------------------------------------------------------------


class Storm:
    """Random messages to one server, and what its answers must be in the end.

    Args:
        world: the repository.
        editor: the client.
        seed: of the dice.

    """

    def __init__(self, world: Path, editor: Editor, seed: int) -> None:
        self.editor = editor
        self.dice = random.Random(seed)
        record = ".memory/notes/2026/01/t-note-7k3m9q2d4x.yaml"
        names = ("typed.py", "b.ts", "c 😀.c", ".memory/x.yaml", record)
        self.paths = [world / name for name in names]
        self.versions = dict.fromkeys(self.paths, 1)
        self.asked: dict[int, tuple[str, dict[str, Any]]] = {}

    def text(self) -> str:
        words = [
            "x", "😀", "\n", "\r\n", "err-0000000000", "\ud83d", "\x00", " " * 9, "é", TEXT,
            "kind: fix\n", "links:\n  fixes:\n  - err-", "tags: [a, ", "<<<<<<< a\n", "&a *a",
        ]  # fmt: skip
        return "".join(self.dice.choice(words) for _ in range(self.dice.randrange(12)))

    def point(self) -> dict[str, int]:
        far = 2**31 - 1 if self.dice.random() < 0.05 else 12
        return {"line": self.dice.randint(0, far), "character": self.dice.randint(0, far)}

    def range(self) -> dict[str, Any]:
        ends = sorted((self.point(), self.point()), key=lambda p: (p["line"], p["character"]))
        return {"start": ends[0], "end": ends[1]}

    def diagnostic(self) -> Any:
        junk: list[Any] = [None, 7, [], {}, "x" * 100_000, True, "\udc00"]
        if self.dice.random() < 0.1:
            return self.dice.choice(junk)
        made = {**diagnostic(), "range": self.range()}
        if self.dice.random() < 0.5:
            made["message"] = self.text()
        for field in MISSING:
            if self.dice.random() < 0.08:
                made[field] = self.dice.choice(junk)
            if self.dice.random() < 0.05:
                made.pop(field, None)
        return made

    def answer(self, number: int) -> dict[str, Any]:
        try:
            return self.editor.answer(number)
        except queue.Empty:
            raise AssertionError(f"no answer to {self.asked[number]}") from None

    def browsing(self, document: dict[str, Any]) -> dict[str, Any]:
        """Ask what views ask, with what they give, and with junk."""
        names = ("list", "overview", "about", "marks", "page", "session", "tell", "lastRun",
                 "branch", "belonging", "recordText", "init")  # fmt: skip
        given: list[Any] = [document, {"filters": self.text()}, {"uris": [document["uri"]]},
                            {"limit": self.dice.choice([0, -1, 10**30, "x", True])},
                            {**document, "text": self.text()}, self.text(), None,
                            7]  # fmt: skip
        some = self.dice.sample(given, self.dice.randrange(3))
        return {"command": f"gitmem.{self.dice.choice(names)}", "arguments": some}

    def step(self) -> None:
        path = self.dice.choice(self.paths)
        document = {"uri": path.as_uri()}
        here = {"textDocument": document, "position": self.point()}
        whole = {"textDocument": document, "range": self.range()}
        some = [self.diagnostic() for _ in range(self.dice.randrange(5))]
        requests: list[tuple[str, dict[str, Any]]] = [
            ("textDocument/hover", here),
            ("textDocument/codeAction", {**whole, "context": {"diagnostics": some}}),
            ("textDocument/codeLens", {"textDocument": document}),
            ("textDocument/inlayHint", whole),
            ("textDocument/completion", here),
            ("textDocument/definition", here),
            ("textDocument/references", {**here, "context": {"includeDeclaration": True}}),
            ("textDocument/documentSymbol", {"textDocument": document}),
            ("textDocument/foldingRange", {"textDocument": document}),
            ("textDocument/documentLink", {"textDocument": document}),
            ("workspace/symbol", {"query": self.text()}),
            ("workspace/executeCommand", {"command": "gitmem.hint", "arguments": [self.text()]}),
            ("workspace/executeCommand", self.browsing(document)),
        ]
        roll = self.dice.random()
        if roll < 0.5:
            asked = self.dice.choice(requests)
            self.asked[self.editor.ask(*asked)] = asked
            if self.dice.random() < 0.3:
                number = self.dice.choice(list(self.asked))
                self.editor.notify("$/cancelRequest", {"id": number})
        elif roll < 0.7:
            self.versions[path] += self.dice.choice([1, 1, 1, 5, -2])
            change: dict[str, Any] = {"text": self.text()}
            if self.dice.random() < 0.7:
                change["range"] = self.range()
            versioned = {**document, "version": self.versions[path]}
            params = {"textDocument": versioned, "contentChanges": [change]}
            self.editor.notify("textDocument/didChange", params)
        elif roll < 0.75:
            self.editor.notify("textDocument/didClose", {"textDocument": document})
            self.editor.open(path, self.text())
            self.versions[path] = 1
        else:
            version = self.dice.choice([None, "x", self.versions[path], self.versions[path] - 1])
            noted: dict[str, Any] = {**document, "version": version, "diagnostics": some}
            self.editor.notify("gitmem/diagnostics", noted)


@sampled(2)
@pytest.mark.parametrize("seed", range(int(os.environ.get("GITMEM_STORMS", "4"))))
def test_a_storm_of_random_messages_leaves_no_fault_and_no_stale_answer(
    world: Path, editor: Editor, seed: int
) -> None:
    editor.initialize(world, options={"codeLens": True, "inlayHints": True})
    storm = Storm(world, editor, seed)
    for path in storm.paths:
        editor.open(path, TEXT)
    for _ in range(400):
        storm.step()
    answers = [storm.answer(number) for number in storm.asked]
    codes = {one["error"]["code"] for one in answers if "error" in one}
    assert codes <= {CANCELLED}, codes
    path = world / "typed.py"
    editor.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    editor.open(path, TEXT)
    editor.forward(path, diagnostic(), diagnostic(line=2, message="nobody knows of this"))
    wait_until(lambda: "known error" in text_of(editor.hover(path, 7, 10)))
    assert editor.hover(path, 2, 10) is None
    assert MESSAGE in text_of(editor.hover(path, 7, 10))
    ends_calmly(editor)


def test_a_stopped_editor_does_not_stop_the_server_from_ending(world: Path) -> None:
    """An editor that reads nothing any more, and is killed then."""
    told = world.parent / "server"
    client = os.fork()
    if client == 0:
        try:
            editor = Editor(world, real=True)
            editor.initialize(world)
            told.with_suffix(".new").write_text(str(editor.process.pid))
            told.with_suffix(".new").rename(told)
            time.sleep(SECONDS)
        finally:
            os._exit(1)
    wait_until(told.exists)
    server = int(told.read_text())
    os.kill(client, signal.SIGSTOP)
    os.kill(client, signal.SIGKILL)
    os.waitpid(client, 0)
    wait_until(lambda: not is_running(server))
