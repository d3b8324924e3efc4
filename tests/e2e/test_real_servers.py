"""Real language servers behind ours: those that are here; ``make test-editors`` brings some."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.accounts import HOME
from tests.e2e.lsp_editor import is_running, wait_until
from tests.e2e.test_lsp_known import run, text_of, titled
from tests.e2e.test_lsp_known import world as known_world
from tests.e2e.test_lsp_wrapping import Wrapped, stubs
from tests.e2e.test_lsp_wrapping import wrapped as started

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
wrapped = started


def test_a_real_server_is_wrapped(world: "Checkout", wrapped: Wrapped) -> None:
    """Ruff's: its diagnostics, its actions, its formatting; and what the memory knows of them."""
    editor = wrapped(str(Path(sys.executable).with_name("ruff")), "server")
    path = world / "lint.py"
    text = "import os\n"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    (found,) = editor.diagnostics(path)
    assert found["code"] == "F401"
    start, end = found["range"]["start"], found["range"]["end"]
    place = {"uri": path.as_uri(), **start}
    wait_until(lambda: "id" in run(editor, "recordError", place))
    wait_until(lambda: "imported but unused" in text_of(editor.hover(path, 0, start["character"])))
    params = {"textDocument": {"uri": path.as_uri()}, "range": {"start": start, "end": end},
              "context": {"diagnostics": [found]}}  # fmt: skip
    titles = [one["title"] for one in editor.request("textDocument/codeAction", params)]
    assert "Record what fixed it" in titles
    assert any("Remove unused import" in title for title in titles)
    formatted = editor.request("textDocument/formatting", {
        "textDocument": {"uri": path.as_uri()}, "options": {"tabSize": 4, "insertSpaces": True},
    })  # fmt: skip
    assert not formatted


# Each with a name that nothing defines, and what else makes its project.
REAL: dict[str, tuple[list[str], str, str, dict[str, str]]] = {
    "late.py": (["pylsp"], "python", "print(undefined_name)\n", {}),
    "typed_late.py": (
        ["pyright-langserver", "--stdio"], "python", "print(undefined_name)\n", {},
    ),
    "late.ts": (
        ["typescript-language-server", "--stdio"], "typescript",
        "export const late = undefined_name;\n", {"tsconfig.json": "{}\n"},
    ),
    "late.c": (
        ["clangd", "--log=error"], "c", "int main(void) { return undefined_name; }\n", {},
    ),
    "late.go": (
        ["gopls"], "go", "package late\n\nvar Late = undefined_name\n",
        {"go.mod": "module late\n\ngo 1.21\n"},
    ),
    "src/lib.rs": (
        ["rust-analyzer"], "rust", "pub fn late() -> i32 {\n    undefined_name\n}\n",
        {"Cargo.toml": '[package]\nname = "late"\nversion = "0.1.0"\nedition = "2021"\n'},
    ),
}  # fmt: skip

# What Go and Rust find in a home folder, which tests have none of.
TOOLCHAINS = {"GOCACHE": ".cache/go-build", "GOPATH": "go", "CARGO_HOME": ".cargo",
              "RUSTUP_HOME": ".rustup"}  # fmt: skip


def is_installed(program: str) -> bool:
    found = shutil.which(program)
    if program != "rust-analyzer" or found is None:
        return found is not None
    # What starts it is there with every Rust, it itself is not.
    asked = subprocess.run([found, "--version"], capture_output=True, check=False)
    return asked.returncode == 0


@pytest.mark.parametrize("name", REAL)
def test_other_real_servers_are_wrapped(
    world: "Checkout", wrapped: Wrapped, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What they report is known once it was recorded, and what they answer comes along."""
    command, language, text, project = REAL[name]
    home = HOME
    for variable, folder in TOOLCHAINS.items():
        monkeypatch.setenv(variable, os.environ.get(variable) or str(home / folder))
    if not is_installed(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    for other, content in project.items():
        world.add(other, content)
    path = world.add(name, text)
    editor = wrapped(*command)
    item = {"uri": path.as_uri(), "languageId": language, "version": 1, "text": text}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    reported: list[dict[str, Any]] = []

    def undefined() -> bool:
        published = editor.diagnostics(path)
        reported[:] = [one for one in published if "undefined_name" in one["message"]]
        return bool(reported)

    wait_until(undefined)
    start = reported[0]["range"]["start"]
    written: dict[str, Any] = {}

    def recorded() -> bool:
        written.update(run(editor, "recordError", {"uri": path.as_uri(), **start}))
        return "id" in written

    wait_until(recorded)
    with Memory.open(str(world)) as memory:
        memory.resolve(written["id"], {"approach": "define it first"})
    place = (start["line"], start["character"])
    wait_until(lambda: "define it first" in text_of(editor.hover(path, *place)))
    own = {"textDocument": {"uri": path.as_uri()}}
    assert isinstance(editor.request("textDocument/documentSymbol", own), list), "theirs alone"
    (first,) = stubs(editor)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: stubs(editor) not in ([], [first]))
    wait_until(lambda: "define it first" in text_of(editor.hover(path, *place)))
    here = {"start": start, "end": reported[0]["range"]["end"]}
    asked = {**own, "range": here, "context": {"diagnostics": reported[:1]}}
    wait_until(
        lambda: bool(titled(editor.request("textDocument/codeAction", asked), "Show past fix"))
    )
    (second,) = stubs(editor)
    editor.close()
    wait_until(lambda: not is_running(second))
