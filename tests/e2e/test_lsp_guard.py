"""A hint while lines of a fix are being changed, and none on code at rest."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from gitmem.render.guarded import heading, reason
from tests.e2e.lsp_editor import Editor

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
BROKEN = "def share(total, people):\n    paid = round(total)\n    return paid / people\n"
FIXED = BROKEN.replace("    return", "    if people < 1:\n        return paid\n    return")


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", FIXED)
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "division by zero", "message": "division by zero"})
        memory.resolve(error.id, {"approach": "ask", "patch": repo.git("diff") + "\n"})
        memory.checks.catch_up()
    repo.commit("fixed")
    return repo


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


def test_a_hint_comes_with_the_change_and_goes_with_it(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        (fix,), (error,) = memory.list("kind:fix"), memory.list("kind:error")
    editor.initialize(world)
    path = world / "cart.py"
    editor.open(path, "import os\n\n" + FIXED)
    editor.change(path, "import os\n\n" + BROKEN, version=2)
    (hint,) = editor.diagnostics(path)
    assert (hint["severity"], hint["source"], hint["code"]) == (4, "gitmem", fix.id)
    assert hint["range"]["start"] == {"line": 4, "character": 0}
    first, second = hint["message"].split("\n")
    assert first == f"takes back {fix.id} ask"
    assert second.startswith(f"sure: {error.id}: division by zero, seen ")
    editor.change(path, FIXED, version=3)
    assert editor.diagnostics(path) == []


def test_what_a_rule_matches_is_a_hint_as_guard_tells_it(world: "Checkout", editor: Editor) -> None:
    pytest.importorskip("ast_grep_py")
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        rule = {"language": "python", "pattern": "eval($A)"}
        fix = memory.resolve(error.id, {"approach": "parse it", "guard": rule}).id
        memory.checks.catch_up()
    world.commit("a rule")
    editor.initialize(world)
    path = world / "calc.py"
    text = "def total(words):\n    return eval(words)\n"
    editor.open(path, "")
    editor.change(path, text, version=2)
    (hint,) = editor.diagnostics(path)
    path.write_text(text)
    world.git("add", "calc.py")
    with Memory.open(str(world)) as memory:
        (taken,) = memory.history.guard().taken_back
    assert (hint["code"], hint["range"]["start"]["line"]) == (fix, taken.change.line - 1)
    assert hint["message"] == f"{heading(taken)}\n{reason(taken)}"
    assert "its rule matches here: eval($A)" in hint["message"]
    editor.change(path, text.replace("eval", "int"), version=3)
    assert editor.diagnostics(path) == []
