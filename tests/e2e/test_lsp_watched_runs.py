"""Commands in an editor's terminals, which tell that they begin and how they ended, are watched."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import run as gitmem
from tests.e2e.test_lsp_known import run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
LINE = "python shop/till.py"
CODE = "def total(items):\n    return items[0]\n\n\nprint(total([]))\n"
TRACE = """\
Traceback (most recent call last):
  File "{root}/shop/till.py", line 5, in <module>
    print(total([]))
  File "{root}/shop/till.py", line 2, in total
    return items[0]
IndexError: list index out of range
"""


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory that knows nothing yet."""
    Memory.init(str(repo))
    repo.add("shop/till.py", CODE)
    repo.commit()
    return repo


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    try:
        client.initialize(world)
        yield client
    finally:
        client.close()


def begin(editor: Editor, folder: Path, call: str, line: str = LINE) -> Any:
    return run(editor, "runBegan", {"uri": folder.as_uri(), "line": line, "call": call})


def end(
    editor: Editor, folder: Path, call: str, exit_code: int, output: str = "", line: str = LINE
) -> Any:
    named = {"uri": folder.as_uri(), "line": line, "call": call}
    return run(editor, "runEnded", {**named, "output": output, "exit_code": exit_code, "ms": 10})


def watched(world: Path) -> list[tuple[tuple[str, ...], int]]:
    with Memory.open(str(world)) as memory:
        return [(one.command, one.exit_code) for one in memory.failures.runs()]


def test_what_failed_in_a_terminal_and_then_passed_is_learnt(
    world: "Checkout", editor: Editor
) -> None:
    begin(editor, world, "1")
    first = end(editor, world, "1", 1, TRACE.format(root=world))
    assert first["run"]
    assert first["drafts"] == []
    last = run(editor, "lastRun")
    assert (last["command"], last["exit_code"]) == (LINE, 1)
    assert "IndexError" in last["markdown"]
    world.add("shop/till.py", CODE.replace("total([])", "total([1])"))
    begin(editor, world, "2")
    second = end(editor, world, "2", 0, "1\n")
    (draft,) = second["drafts"]
    with Memory.open(str(world)) as memory:
        assert "+print(total([1]))" in memory.failures.drafts.find(draft).fixes[-1]["patch"]
    assert watched(world) == [(tuple(LINE.split()), 0), (tuple(LINE.split()), 1)]


def test_what_only_looks_around_is_no_run(world: Path, editor: Editor) -> None:
    for call, line, code in (("1", "grep nothing shop/till.py", 1), ("2", "ls", 0)):
        begin(editor, world, call, line)
        assert end(editor, world, call, code, line=line) == {"run": None, "drafts": []}
    begin(editor, world, "3")
    stopped = end(editor, world, "3", 130, TRACE.format(root=world))
    assert stopped["run"] is None, "the user stopped it"
    assert watched(world) == []


def test_a_run_that_is_watched_already_counts_once(world: Path, editor: Editor) -> None:
    line = "gitmem run -- sh -c 'cat said.txt; exit 1'"
    (world / "said.txt").write_text(TRACE.format(root=world))
    begin(editor, world, "1", line)
    done = gitmem(world, "run", "--", "sh", "-c", "cat said.txt; exit 1")
    assert done.code == 1
    told = {"uri": world.as_uri(), "line": line, "call": "1", "exit_code": 1, "ms": 60_000,
            "output": TRACE.format(root=world)}  # fmt: skip
    assert run(editor, "runEnded", told)["run"] is None
    assert len(watched(world)) == 1


def test_a_terminal_in_a_folder_below_runs_there(world: Path, editor: Editor) -> None:
    below = world / "shop"
    begin(editor, below, "1", "python till.py")
    assert end(editor, below, "1", 1, TRACE.format(root=world), "python till.py")["run"]
    assert watched(world) == [(("bash", "-c", "cd shop && python till.py"), 1)]
    assert run(editor, "lastRun")["command"] == "cd shop && python till.py"
    # Of one whose folder the editor does not know, it names the file in focus.
    file = world / "shop" / "till.py"
    begin(editor, file, "2")
    assert end(editor, file, "2", 1, TRACE.format(root=world))["run"]
    assert watched(world)[0] == (tuple(LINE.split()), 1)


def test_elsewhere_nothing_is_watched_and_nobody_is_told(
    tmp_path: Path, world: Path, editor: Editor
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    begin(editor, elsewhere, "1")
    answer = end(editor, elsewhere, "1", 1, TRACE.format(root=elsewhere))
    assert answer["lacks"] == "memory"
    assert "error" in end(editor, world, "1", 1, line=" ")
    run(editor, "overview")
    assert not [m for m in editor._aside if m.get("method") == "window/showMessage"]
    assert watched(world) == []
