"""How many times the language server opens one memory, seen from outside."""

import os
import sys
from collections.abc import Iterator

import pytest

from gitmem.memory import Memory
from gitmem.sync.folder import CATALOG
from tests.conftest import Checkout
from tests.e2e.lsp_editor import Editor, wait_until

pytestmark = [
    pytest.mark.usefixtures("sealed_git"),
    pytest.mark.skipif(sys.platform != "linux", reason="open files are listed in /proc"),
]
MESSAGE = '"undefined_name" is not defined'
DIAGNOSTIC = {
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 14}},
    "severity": 1, "source": "Pyright", "message": MESSAGE, "code": "reportUndefinedVariable",
}  # fmt: skip


@pytest.fixture
def editor(repo: Checkout) -> Iterator[Editor]:
    client = Editor(repo, real=True)
    yield client
    client.close()


def times_open(process: int, path: str) -> int:
    """Count how many times a process has a file open; each connection to it opens it once."""
    count = 0
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            count += os.readlink(f"/proc/{process}/fd/{name}") == path
        except FileNotFoundError:
            continue  # closed meanwhile
    return count


def test_at_most_two_memories_are_open_for_a_folder(repo: Checkout, editor: Editor) -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        decision = memory.add("decision", {
            "title": "Say items, not list", "decision": "x", "rationale": "y", "status": "accepted",
        })  # fmt: skip
        memory.failures.capture([f"{repo}/a.py:1:1 - error: {MESSAGE} (reportUndefinedVariable)\n"],
                       command="pyright", record=True)  # fmt: skip
        memory.checks.catch_up()
        catalog = os.path.realpath(os.path.join(memory.workspace.site.derived or "", CATALOG))
    repo.add("a.py", "undefined_name\n")
    text = f"undefined_name\n# {decision.id}\n# dec-\n"
    editor.initialize(repo, options={"codeLens": True, "inlayHints": True})
    path = repo / "a.py"
    editor.open(path, text)
    editor.forward(path, DIAGNOSTIC)
    wait_until(lambda: editor.hover(path, 0, 3) is not None)
    assert decision.title in str(editor.hover(path, 1, 6))
    document = {"textDocument": {"uri": path.as_uri()}}
    assert editor.request("textDocument/documentLink", document)
    at = {**document, "position": {"line": 2, "character": 6}}
    assert editor.request("textDocument/completion", at)["items"]
    assert editor.request("textDocument/codeLens", document)
    for command in ("overview", "list", "session", "search", "status"):
        arguments = ["items"] if command == "search" else [{"uri": path.as_uri()}]
        params = {"command": f"gitmem.{command}", "arguments": arguments}
        answer = editor.request("workspace/executeCommand", params)
        assert "error" not in (answer or {}), command
    # One reads the catalog as it is, the other one catches up with the files.
    assert times_open(editor.process.pid, catalog) == 2
