"""The language server over its real pipes: diagnostics, hover, and no process left behind."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

_SECONDS = 30
pytestmark = pytest.mark.usefixtures("sealed_git")
Range = tuple[int, int, int]


class Editor:
    """A client that speaks JSON-RPC to one server process."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gitmem", "lsp"],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._said: queue.Queue[dict[str, Any]] = queue.Queue()
        self._aside: list[dict[str, Any]] = []
        self._number = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        while header := self.process.stdout.readline():
            length = int(header.partition(b":")[2])
            while self.process.stdout.readline().strip():
                pass
            self._said.put(json.loads(self.process.stdout.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait_for(self, meets: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Give the first message that meets a condition; keep the others for later."""
        for message in self._aside:
            if meets(message):
                self._aside.remove(message)
                return message
        end = time.monotonic() + _SECONDS
        while True:
            message = self._said.get(timeout=max(0.01, end - time.monotonic()))
            if meets(message):
                return message
            self._aside.append(message)

    def request(self, method: str, params: Any = None) -> Any:
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method} | ({} if params is None else {"params": params}))
        answer = self.wait_for(lambda m: m.get("id") == number and "method" not in m)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method} | ({} if params is None else {"params": params}))

    def initialize(self, folder: Path, *encodings: str) -> dict[str, Any]:
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        where = {"processId": os.getpid(), "rootUri": folder.as_uri()}
        result = self.request("initialize", {**where, "capabilities": general})
        self.notify("initialized", {})
        assert isinstance(result, dict)
        return result

    def open(self, path: Path, text: str) -> None:
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

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
        document = {"uri": path.as_uri()}
        position = {"line": line, "character": character}
        shown = self.request("textDocument/hover", {"textDocument": document, "position": position})
        assert shown is None or isinstance(shown, dict)
        return shown

    def gone(self) -> int:
        """Wait until the process is gone; give its exit code."""
        return self.process.wait(_SECONDS)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory: an error, a fix that failed and one that worked."""
    Memory.init(str(repo))
    repo.commit()
    return repo


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


@pytest.fixture
def error(world: Path) -> str:
    with Memory.open(str(world)) as memory:
        made = memory.add("error", {"title": "naïve 😀 datetime", "message": "can't compare"})
        memory.resolve(made.id, {"approach": "sleep a little", "outcome": "failed"})
        memory.resolve(made.id, {"approach": "use aware datetimes"})
    return made.id


def span(found: dict[str, Any]) -> Range:
    start, end = found["range"]["start"], found["range"]["end"]
    assert start["line"] == end["line"]
    return start["line"], start["character"], end["character"]


GOOD = """\
schema: 1
id: note-7k3m9q2d4x
kind: note
title: t
created: '2026-01-01T00:00:00Z'
author:
  name: Ann
"""
NAME = "notes/2026/01/t-note-7k3m9q2d4x.yaml"


# --- diagnostics --------------------------------------------------------------------------------


def test_a_broken_record_gets_a_diagnostic_where_it_is_broken_and_loses_it_when_mended(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / ".memory" / NAME
    editor.open(path, GOOD + "type: poem\n")
    (found,) = editor.diagnostics(path)
    assert span(found) == (7, 0, 10)
    assert (found["severity"], found["source"], found["code"]) == (1, "gitmem", "invalid-field")
    assert "poem" in found["message"]
    editor.change(path, GOOD)
    assert editor.diagnostics(path) == []
    editor.change(path, GOOD.replace("title: t", "title: 't"), 3)
    (found,) = editor.diagnostics(path)
    assert found["code"] == "yaml-syntax"
    editor.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    assert editor.diagnostics(path) == []


@pytest.mark.parametrize(
    "encodings",
    [
        (),
        ("utf-16",),
        ("utf-8", "utf-16"),
        ("utf-32", "utf-16"),
    ],
)
def test_columns_count_in_the_units_that_were_agreed_on(
    world: Path, editor: Editor, encodings: tuple[str, ...]
) -> None:
    agreed = editor.initialize(world, *encodings)["capabilities"].get("positionEncoding", "utf-16")
    path = world / ".memory" / NAME
    before = "😀é: 1"
    editor.open(path, GOOD + f"{{{before}, b: &x 1}}\n".replace("{", "c: {", 1))
    (found,) = editor.diagnostics(path)
    text = f"c: {{{before}, b: "
    units = {"utf-8": len(text.encode()), "utf-16": len(text) + 1, "utf-32": len(text)}
    assert span(found)[:2] == (7, units[agreed])


def test_a_file_whose_name_says_another_id_is_told_apart(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / ".memory" / "notes/2026/01/t-note-7k3m9q2d4z.yaml"
    editor.open(path, GOOD)
    assert [found["code"] for found in editor.diagnostics(path)] == ["id-mismatch"]


def test_other_files_get_no_diagnostics(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    for name in ("main.py", "x.yaml", ".memory/gitmem.yaml", ".memory/attachments/x.yaml"):
        editor.open(world / name, "a: [")
    last = world / ".memory" / NAME
    editor.open(last, GOOD)
    assert editor.diagnostics(last) == []
    published = [m for m in editor._aside if m.get("method") == "textDocument/publishDiagnostics"]
    assert published == []


# --- hover --------------------------------------------------------------------------------------


def test_hover_on_an_id_shows_the_record_and_the_fix_that_worked(
    world: Path, editor: Editor, error: str
) -> None:
    editor.initialize(world)
    path = world / "main.py"
    line = f"# 😀 see {error}, once more"
    editor.open(path, f"import os\n{line}\n")
    start = len("# 😀 see ") + 1
    for character in (start, start + 3, start + len(error)):
        shown = editor.hover(path, 1, character)
        assert shown is not None
        assert span(shown) == (1, start, start + len(error))
        text = shown["contents"]["value"]
        assert shown["contents"]["kind"] == "markdown"
        for part in ("naïve 😀 datetime", "error resolved", error, "can't compare"):
            assert part in text
        assert "worked: use aware datetimes" in text
        assert "failed: sleep a little" in text


def test_hover_elsewhere_shows_nothing(world: Path, editor: Editor, error: str) -> None:
    editor.initialize(world)
    path = world / "main.py"
    unknown = "err-0000000000"
    editor.open(path, f"x = 1  # {error}\n{unknown} {error}x x{error} {error.upper()}\n")
    for line, character in ((0, 0), (0, 5), (1, 3), (1, 20), (1, 40), (1, 60), (2, 0), (99, 0)):
        assert editor.hover(path, line, character) is None


def test_a_hover_after_a_record_was_added_or_deleted_is_fresh(
    world: Path, editor: Editor, error: str
) -> None:
    editor.initialize(world)
    path = world / "main.py"
    editor.open(path, f"# {error}\n")
    assert "resolved" in str(editor.hover(path, 0, 5))
    with Memory.open(str(world)) as memory:
        memory.resolve(error, {"approach": "another way"})
        assert "another way" in str(editor.hover(path, 0, 5))
        memory.forget(error)
    assert editor.hover(path, 0, 5) is None


HOSTILE = (
    "<script>alert(1)</script>", "[click](command:workbench.action.quit)", "![x](https://evil/x.png)",
    "**bold** `code` # head", "\u202eright to left", "<img src=x onerror=y>", "a | b\\",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_record_is_never_markup(world: Path, editor: Editor, text: str) -> None:
    with Memory.open(str(world)) as memory:
        made = memory.add("error", {"title": text, "message": f"```\n{text}\n````\n# out\n~~~"})
        memory.resolve(made.id, {"title": text, "approach": text})
    editor.initialize(world)
    path = world / "main.py"
    editor.open(path, f"# {made.id}\n")
    shown = editor.hover(path, 0, 5)
    assert shown is not None
    outside, inside = unfenced(shown["contents"]["value"])
    assert "\u202e" not in outside + inside
    assert text.replace("\u202e", "\ufffd") in inside
    for opening in ("<", "](", "![", "`", "| "):
        assert opening not in outside.replace("\\" + opening[0], ""), opening
    assert "# out" not in outside


def unfenced(markdown: str) -> tuple[str, str]:
    """Split Markdown into what is outside and what is inside of code fences."""
    outside: list[str] = []
    inside: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if not fence and len(ticks) >= 3:
            fence = ticks
        elif fence and line.strip() and not line.strip("`") and len(line) >= len(fence):
            fence = ""
        else:
            (inside if fence else outside).append(line)
    assert not fence
    return "\n".join(outside), "\n".join(inside)


def test_outside_of_any_memory_the_server_is_silent(
    editor: Editor, world: Path, tmp_path: Path
) -> None:
    editor.initialize(world)
    path = tmp_path / "elsewhere.py"
    editor.open(path, "# err-0000000000\n")
    assert editor.hover(path, 0, 5) is None


# --- the end ------------------------------------------------------------------------------------


def test_shutdown_and_exit_end_the_process_with_success(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    editor.open(world / ".memory" / NAME, GOOD)
    assert editor.request("shutdown") is None
    editor.notify("exit")
    assert editor.gone() == 0
    assert editor.process.stderr
    assert b"Traceback" not in editor.process.stderr.read()


def test_a_client_that_closes_its_end_leaves_no_process(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    assert editor.process.stdin
    editor.process.stdin.close()
    editor.gone()


def test_killing_the_client_leaves_no_process(world: Path, tmp_path: Path) -> None:
    """A client in a process of its own starts the server, tells its id, and is killed."""
    told = tmp_path / "server"
    client = os.fork()
    if client == 0:
        try:
            editor = Editor(world)
            editor.initialize(world)
            told.with_suffix(".new").write_text(str(editor.process.pid))
            told.with_suffix(".new").rename(told)
            time.sleep(_SECONDS)
        finally:
            os._exit(1)
    wait_until(told.exists)
    server = int(told.read_text())
    os.kill(client, signal.SIGKILL)
    os.waitpid(client, 0)
    wait_until(lambda: not is_running(server))


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


@pytest.mark.parametrize("nonsense", [b"Content-Length: 3\r\n\r\n{}x", b"hello\r\n\r\n"])
def test_nonsense_on_the_wire_does_not_hang_the_server(
    world: Path, editor: Editor, nonsense: bytes
) -> None:
    editor.initialize(world)
    assert editor.process.stdin
    editor.process.stdin.write(nonsense)
    editor.process.stdin.flush()
    editor.process.stdin.close()
    editor.gone()
