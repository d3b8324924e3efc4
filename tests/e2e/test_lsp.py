"""The language server over its real pipes: diagnostics, hover, and no process left behind."""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.lsp_editor import SECONDS, Editor, is_running, wait_until

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
Range = tuple[int, int, int]


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


def is_said(editor: Editor, path: Path, at: tuple[int, int], text: str) -> bool:
    return text in str(editor.hover(path, *at))


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


@sampled(2)
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
        wait_until(partial(is_said, editor, path, (1, character), "aware"))
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
    wait_until(lambda: "resolved" in str(editor.hover(path, 0, 5)))
    with Memory.open(str(world)) as memory:
        memory.resolve(error, {"approach": "another way"})
        wait_until(lambda: "another way" in str(editor.hover(path, 0, 5)))
        memory.forget(error)
    wait_until(lambda: editor.hover(path, 0, 5) is None)


HOSTILE = (
    "<script>alert(1)</script>", "[click](command:workbench.action.quit)", "![x](https://evil/x.png)",
    "**bold** `code` # head", "\u202eright to left", "<img src=x onerror=y>", "a | b\\",
)  # fmt: skip


@sampled(3)
@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_record_is_never_markup(world: Path, editor: Editor, text: str) -> None:
    with Memory.open(str(world)) as memory:
        made = memory.add("error", {"title": text, "message": f"```\n{text}\n````\n# out\n~~~"})
        memory.resolve(made.id, {"title": text, "approach": text})
    editor.initialize(world)
    path = world / "main.py"
    editor.open(path, f"# {made.id}\n")
    wait_until(lambda: "worked" in str(editor.hover(path, 0, 5)))
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
    assert editor.log() == ""


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
            editor = Editor(world, real=True)
            editor.initialize(world)
            told.with_suffix(".new").write_text(str(editor.process.pid))
            told.with_suffix(".new").rename(told)
            time.sleep(SECONDS)
        finally:
            os._exit(1)
    wait_until(told.exists)
    server = int(told.read_text())
    os.kill(client, signal.SIGKILL)
    os.waitpid(client, 0)
    wait_until(lambda: not is_running(server))


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
