"""Another language server behind ours: all of it passes, and what the memory knows joins it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp_server.wrapping.envelope import Envelope, envelope_of
from tests.e2e.lsp_editor import Editor, is_running, wait_until
from tests.e2e.running import COMMAND
from tests.e2e.test_lsp_known import CAN_EDIT, TEXT, actions, run, text_of, titled
from tests.e2e.test_lsp_known import world as known_world

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
STUB = (sys.executable, "-m", "tests.e2e.wrapped_stub")
ROOT = Path(__file__).parents[2]
Wrapped = Callable[..., Editor]
# Some servers report only to who says so.
CAN = {**CAN_EDIT, "textDocument": {"publishDiagnostics": {}}}


@pytest.fixture
def wrapped(world: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wrapped]:
    """Give what starts ours in front of another server."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    editors: list[Editor] = []

    def start(*command: str, **options: Any) -> Editor:
        editors.append(Editor(world, wrapping=command or STUB, answering=bool(command)))
        editors[-1].initialize(world, capabilities=CAN, **options)
        return editors[-1]

    yield start
    for editor in editors:
        editor.close()


def stubs(editor: Editor) -> list[int]:
    """Give the processes of the stub that this editor's server started."""
    done = subprocess.run(["pgrep", "-P", str(editor.process.pid)], capture_output=True, text=True,
                          check=False)  # fmt: skip
    return [int(word) for word in done.stdout.split()]


def test_hovers_actions_and_commands_of_both_are_joined(world: Path, wrapped: Wrapped) -> None:
    editor = wrapped()
    path = world / "typed.py"
    editor.open(path, TEXT)
    (found,) = editor.diagnostics(path)
    assert found["source"] == "Pyright", "what it publishes reaches the editor"
    # Nobody forwarded anything: ours read the diagnostics as they passed.
    wait_until(lambda: "call first instead" in text_of(editor.hover(path, 7, 10)))
    said = text_of(editor.hover(path, 7, 10))
    assert said.index("call first instead") < said.index("from the stub")
    assert "from the stub" in text_of(editor.hover(path, 4, 5))
    assert "call first" not in text_of(editor.hover(path, 4, 5))
    wait_until(lambda: bool(titled(actions(editor, path), "Apply past fix")))
    both = actions(editor, path)
    assert {one["title"].partition(" (")[0] for one in both} >= {"Apply past fix", "of the stub"}
    starts = [one["title"].partition(" (")[0] for one in both]
    assert starts.index("Apply past fix") < starts.index("of the stub")
    assert starts.index("of the stub") < starts.index("Record what fixed it")
    (ours,) = titled(both, "Apply past fix")
    assert editor.request("codeAction/resolve", ours) == ours
    (other,) = titled(both, "of the stub")
    assert editor.request("codeAction/resolve", other)["resolved"] == "by the stub"
    assert run(editor, "status")["session"] is None
    texts = {"command": "stub.texts", "arguments": []}
    assert editor.request("workspace/executeCommand", texts) == {path.as_uri(): TEXT}
    assert len(editor.request("textDocument/completion", at(path))) == 2000


def at(path: Path, line: int = 4) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": 5}}


def test_what_both_announce_is_announced(world: Path, wrapped: Wrapped) -> None:
    editor = Editor(world, wrapping=STUB)
    try:
        said = editor.initialize(world, "utf-8", "utf-16")
    finally:
        editor.close()
    can = said["capabilities"]
    assert said["serverInfo"]["name"] == "stub"
    assert can["textDocumentSync"] == 1
    assert can["positionEncoding"] == "utf-16"
    assert can["codeLensProvider"]
    assert {"stub.die", "gitmem.search"} <= set(can["executeCommandProvider"]["commands"])
    assert can["codeActionProvider"]["resolveProvider"] is True
    assert "renameProvider" not in can


def test_options_of_ours_are_in_a_part_of_their_own(world: Path, wrapped: Wrapped) -> None:
    editor = wrapped(options={"gitmem": {"codeLens": True}})
    path = world / "typed.py"
    editor.open(path, TEXT)
    document = {"textDocument": {"uri": path.as_uri()}}
    wait_until(lambda: bool(editor.request("textDocument/codeLens", document)))


def test_it_survives_the_other_one_and_tells_the_next_what_it_missed(
    world: Path, wrapped: Wrapped
) -> None:
    editor = wrapped()
    path = world / "typed.py"
    editor.open(path, "x = 1\n")
    editor.change(path, TEXT)
    (first,) = stubs(editor)
    refused = editor.answer(
        editor.ask("workspace/executeCommand", {"command": "stub.die", "arguments": []})
    )
    assert "not running" in refused["error"]["message"]
    wait_until(lambda: stubs(editor) not in ([], [first]))
    texts = {"command": "stub.texts", "arguments": []}

    def taken_in() -> bool:
        answer = editor.answer(editor.ask("workspace/executeCommand", texts))
        return answer.get("result") == {path.as_uri(): TEXT}

    wait_until(taken_in)
    wait_until(lambda: "call first instead" in text_of(editor.hover(path, 7, 10)))
    assert "from the stub" in text_of(editor.hover(path, 7, 10))


def test_without_the_other_one_it_goes_on_alone(world: Path, wrapped: Wrapped) -> None:
    editor = wrapped("no-such-language-server", "--stdio")
    shown = editor.wait_for(lambda m: m.get("method") == "window/showMessage")
    assert "no-such-language-server could not be started" in shown["params"]["message"]
    assert run(editor, "status")["folder"] == str(world / ".memory")


def test_one_that_keeps_stopping_is_given_up(world: Path, wrapped: Wrapped) -> None:
    editor = wrapped(sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(7)")
    shown = editor.wait_for(lambda m: m.get("method") == "window/showMessage")
    assert "goes on without it" in shown["params"]["message"]
    assert run(editor, "status")["folder"] == str(world / ".memory")


@pytest.mark.parametrize("how", ["exit", "stream", "kill"])
def test_both_end_together(world: Path, wrapped: Wrapped, how: str) -> None:
    editor = wrapped()
    (other,) = stubs(editor)
    if how == "exit":
        assert editor.request("shutdown") is None
        editor.notify("exit")
        assert editor.gone() == 0
    elif how == "stream":
        editor.to.close()
        editor.gone()
    else:
        editor.process.kill()
    wait_until(lambda: not is_running(other))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--with"], "which language server?"), (["pylsp"], "unexpected argument"),
     (["--", "pylsp"], "unexpected argument")],
)  # fmt: skip
def test_a_command_without_its_other_half_is_a_usage_error(
    world: Path, arguments: list[str], words: str
) -> None:
    done = subprocess.run([COMMAND, "lsp", *arguments], cwd=world, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"id":9}}', Envelope(7, "a/b")),
        (b'{"jsonrpc":"2.0","method":"a/b","params":{"id":9}}', Envelope(None, "a/b")),
        (b'{"jsonrpc":"2.0","method":"a/b"}', Envelope(None, "a/b")),
        (b'{"id":"x","jsonrpc":"2.0","result":null}', Envelope("x", "")),
        (b'{"jsonrpc":"2.0","result":{"id":1,"method":"no"},"id":3}', Envelope(3, "")),
        (b'{ "result" : [ 1 ] , "jsonrpc" : "2.0" , "id" : 4 }', Envelope(4, "")),
        (b'{"params":{"id":5},"method":"m","id":6,"jsonrpc":"2.0"}', Envelope(6, "m")),
        (b'{"jsonrpc":"2.0","error":{"message":"\\",\\"id\\":5}"},"id":8}', Envelope(8, "")),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":1}}', Envelope(None, "")),
        (b'{"jsonrpc":"2.0","method":"caf\\u00e9","id":1}', Envelope(1, "caf\xe9")),
        (b"[1]", None), (b"", None), (b'{"id":', None), (b'{"id":true,"method":"m"}', None),
        (b'{"id":{"a":1},"method":"m"}', None), (b'{"method":7}', None), (b"\xff{}", None),
    ],
)  # fmt: skip
def test_what_a_message_is_is_read_off_its_ends(body: bytes, wanted: Envelope | None) -> None:
    assert envelope_of(body) == wanted
