"""A hint while lines of a fix are being changed, and none on code at rest."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
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
