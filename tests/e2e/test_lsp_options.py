"""Options that a client changes while the server runs: what they switch shows, or goes, at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.test_lsp_known import TEXT, diagnostic
from tests.e2e.test_lsp_known import world as known_world

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
CAN_REFRESH = {
    "workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}
}


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


def switch(editor: Editor, **options: bool) -> None:
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitmem": options}})


def asked_again(editor: Editor) -> str:
    """Answer what the server asks for, and give its name."""
    message = editor.wait_for(lambda m: str(m.get("method", "")).endswith("/refresh"))
    editor.send({"id": message["id"], "result": None})
    return str(message["method"])


def test_lenses_and_hints_are_switched_while_the_server_runs(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world, capabilities=CAN_REFRESH)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    document = {"textDocument": {"uri": path.as_uri()}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    switch(editor, codeLens=True, inlayHints=False)
    assert asked_again(editor) == "workspace/codeLens/refresh"
    assert editor.request("textDocument/codeLens", document)
    switch(editor, codeLens=False, inlayHints=True)
    asked = {asked_again(editor), asked_again(editor)}
    assert asked == {"workspace/codeLens/refresh", "workspace/inlayHint/refresh"}
    assert not editor.request("textDocument/codeLens", document)
    assert editor.request("textDocument/inlayHint", {**document, "range": whole})


def test_what_does_not_change_is_not_asked_for_again(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world, capabilities=CAN_REFRESH, options={"codeLens": True})
    switch(editor, codeLens=True, commandLinks=True)
    editor.request("workspace/executeCommand", {"command": "gitmem.overview", "arguments": []})
    switch(editor, codeLens=True, inlayHints=True)
    assert asked_again(editor) == "workspace/inlayHint/refresh"
