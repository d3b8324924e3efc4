"""One error, whether a test, a program, an editor's squiggle or a lone line shows it."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.contract.test_what_faces_say import hook, mcp
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import environment, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
SHOP = """\
P = {'pear': 4}


def price(item):
    return P[item]


def total(items):
    return sum(map(price, items))
"""
STOCK = SHOP.replace("price", "left").replace("total", "rest")
FIXED = SHOP.replace("P[item]", "P.get(item, 0)")
BY_TEST = """\
Traceback (most recent call last):
  File "test_shop.py", line 5, in test_total
    assert total(["kiwi"]) == 0
  File "shop.py", line 9, in total
    return sum(map(price, items))
  File "shop.py", line 5, in price
    return P[item]
KeyError: 'kiwi'
"""
BY_PROGRAM = """\
Traceback (most recent call last):
  File "main.py", line 7, in main
    print(price("kiwi"))
  File "shop.py", line 5, in price
    return P[item]
KeyError: 'kiwi'
"""
ELSEWHERE = BY_PROGRAM.replace("shop.py", "stock.py").replace("in price", "in left")
CAME_BACK = "the uncommitted edit of `shop.py` may have brought it back"


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Make a memory of an error of a test whose fix was committed, and is edited away."""
    ok(repo, "init")
    repo.add("shop.py", SHOP)
    repo.add("stock.py", STOCK)
    repo.commit("a shop")
    repo.add("shop.py", FIXED)
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([BY_TEST], command="pytest", record=True).written
        memory.resolve(error, {"approach": "nobody knows it", "patch": repo.git("diff") + "\n"})
        memory.checks.catch_up()
    repo.commit("fixed")
    (repo / "shop.py").write_text(SHOP)
    return repo


@pytest.fixture
def editor(repo: "Checkout") -> Iterator[Editor]:
    client = Editor(repo, real=True)
    yield client
    client.close()


def squiggle(message: str, line: int, source: str) -> dict[str, Any]:
    ends = {"start": {"line": line - 1, "character": 0}, "end": {"line": line - 1, "character": 9}}
    return {"range": ends, "severity": 1, "source": source, "message": message}


def hovered(
    editor: Editor, repo: "Checkout", name: str, found: dict[str, Any], text: str = ""
) -> str:
    path, line = repo / name, found["range"]["start"]["line"]
    editor.open(path, text or path.read_text())
    editor.forward(path, found)
    for _ in range(30):  # it answers before it has read all
        if shown := editor.hover(path, line, 0):
            return str(shown["contents"]["value"])
        time.sleep(0.2)
    return ""


def test_what_another_way_leads_to_came_back_in_every_face(
    shop: "Checkout", editor: Editor
) -> None:
    """A site is told by the functions that lead there, and an editor names the line alone."""
    told = ok(shop, "hint", stdin=BY_PROGRAM)
    assert "(same message)" not in told
    assert "came back" in told
    for text in (mcp(shop, "gitmem_hint", text=BY_PROGRAM), hook(shop, "python3 x", BY_PROGRAM)):
        assert "same error" in text
        assert CAME_BACK in text
    editor.initialize(shop)
    shown = hovered(editor, shop, "shop.py", squiggle("KeyError: 'kiwi'", 5, "pytest"))
    assert "gitmem: fixed before" in shown
    assert "came back after" in shown
    assert "your uncommitted edit of shop.py may have brought it back" in shown


def test_what_is_raised_elsewhere_is_the_same_message_and_did_not_come_back(
    shop: "Checkout", editor: Editor
) -> None:
    told = ok(shop, "hint", stdin=ELSEWHERE)
    assert "(same message)" in told
    assert "came back" not in told
    editor.initialize(shop)
    shown = hovered(editor, shop, "stock.py", squiggle("KeyError: 'kiwi'", 5, "pytest"))
    assert "same message, fixed before" in shown
    assert "came back" not in shown
    # Another function of the same file, and a line that is not saved.
    shown = hovered(editor, shop, "shop.py", squiggle("KeyError: 'kiwi'", 9, "pytest"))
    assert "same message, fixed before" in shown
    moved = "import os\n\n" + SHOP
    shown = hovered(editor, shop, "shop.py", squiggle("KeyError: 'kiwi'", 7, "pytest"), moved)
    assert "gitmem: fixed before" in shown


def test_a_lesson_whose_records_are_gone_is_told_by_a_squiggle_too(
    repo: "Checkout", editor: Editor
) -> None:
    """``git revert`` of a fix and its records leaves the lesson in the clone's own journal."""
    ok(repo, "init")
    broken = "def last(path):\n    return path.split(':')[1]\n\n\nlast('x')\n"
    repo.add("cut.py", broken)
    repo.commit("cut")
    assert run(repo, "run", "--", "python3", "cut.py").code == 1
    (repo / "cut.py").write_text(broken.replace("split(':')[1]", "partition(':')[2]"))
    assert "learnt" in run(repo, "run", "--", "python3", "cut.py").err
    shutil.rmtree(repo / ".memory/errors")
    shutil.rmtree(repo / ".memory/fixes")
    (repo / "cut.py").write_text(broken)
    found = "IndexError: list index out of range"
    told = ok(repo, "hint", stdin=f"{found}\n")
    assert "partition" in told
    editor.initialize(repo)
    shown = hovered(editor, repo, "cut.py", squiggle(found, 2, "Python"))
    assert "known error" in shown
    assert "partition" in shown


def test_an_error_is_offered_with_its_type(repo: "Checkout", editor: Editor) -> None:
    ok(repo, "init")
    repo.add("a.py", "x = {}['a']\n")
    editor.initialize(repo)
    found = squiggle("KeyError: 'a'", 1, "pytest")
    hovered(editor, repo, "a.py", found)
    given = {
        "textDocument": {"uri": (repo / "a.py").as_uri()}, "range": found["range"],
        "context": {"diagnostics": [found]},
    }  # fmt: skip
    titles = [each["title"] for each in editor.request("textDocument/codeAction", given)]
    assert "Record this error: KeyError: 'a'" in titles, json.dumps(titles)


def test_of_two_failures_only_that_one_came_back_that_did(shop: "Checkout") -> None:
    """The other one has the same record, and was said to have come back in a job's summary."""
    (shop / "build.log").write_text(BY_PROGRAM + ELSEWHERE)
    told = ok(shop, "ci", "build.log", "--summary", "summary.md")
    for text in (told, ok(shop, "hint", stdin=BY_PROGRAM + ELSEWHERE)):
        first, second = text.split("gitmem: known")[1:]
        assert "came back" in first
        assert "came back" not in second
    assert (shop / "summary.md").read_text().count("came back") == 1


def test_pytest_itself_tells_what_came_back(shop: "Checkout") -> None:
    (shop / "test_shop.py").write_text(
        "from shop import total\n\n\ndef test_total():\n    assert total(['kiwi']) == 0\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "gitmem"]
    done = subprocess.run(
        command,
        cwd=shop,
        env=environment({"CI": None}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "gitmem: known  KeyError: 'kiwi'" in done.stdout
    assert "your uncommitted edit of shop.py may have brought it back" in done.stdout
