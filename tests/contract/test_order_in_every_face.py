"""One failure, one order: every face tells what is known of it in the same order.

First what was tried on the same error, what helped before what did not; then on errors with the
same message, those that say just the same first; then what a pack advises, where nothing else is.
"""

import re
from typing import TYPE_CHECKING

import pytest

from gitmem.matching.parse import parse
from gitmem.memory import Memory
from gitmem.render.match_markdown import match_text
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
PACKS = {"GITMEM_PACKS_OFF": ""}
TRACE = """\
Traceback (most recent call last):
  File "{}.py", line 1, in {}
    import {module}
ModuleNotFoundError: No module named '{module}'
"""


def failure(file: str, function: str, module: str) -> str:
    return TRACE.format(file, function, module=module)


def hover(repo: "Path", text: str) -> str:
    """Give what an editor shows where a failure shows, which waits for no index."""
    with Memory.open(str(repo)) as memory:
        memory.checks.without_sync()
        (match,) = memory.failures.known(parse(text))
        return match_text(memory.failures.attempt_reader().tell(match))


def fill(repo: "Checkout") -> list[str]:
    """Record three errors and the attempts on them; give the ids of fixes in the order wanted."""
    ok(repo, "init")
    repo.add("app.py", "import tabulate\n")
    repo.commit("first")
    with Memory.open(str(repo)) as memory:

        def record(text: str) -> str:
            (error,) = memory.failures.capture([text], command="python app.py", record=True).written
            return str(error)

        elsewhere = record(failure("tool", "show", "tabulate"))
        same_text = memory.resolve(elsewhere, {"approach": "add it to the requirements"}).id
        like = record(failure("report", "load", "tabulate_fast"))
        other_text = memory.resolve(like, {"approach": "rename the import"}).id
        same = record(failure("app", "main", "tabulate"))
        worked = memory.resolve(same, {"approach": "pip install it"}).id
        tried = {"approach": "vendor a copy", "outcome": "failed"}
        failed = memory.resolve(same, tried).id
    return [worked, failed, same_text, other_text]


def fixes_in(text: str, wanted: list[str]) -> list[str]:
    """Give the ids of fixes in the order in which a text first names them."""
    named = dict.fromkeys(re.findall(r"fix-[0-9a-z]{10}", text))
    return [fix for fix in named if fix in wanted]


def test_what_is_known_of_a_failure_has_one_order(repo: "Checkout") -> None:
    wanted = fill(repo)
    text = failure("app", "main", "tabulate")
    (repo / "fails.txt").write_text(text)
    texts = {
        "run": run(repo, "run", "--", "sh", "-c", "cat fails.txt; exit 1").err,
        "hint": ok(repo, "hint", stdin=text),
        "search": ok(repo, "search", text),
        **_of_assistants(repo, text),
    }
    orders = {face: fixes_in(shown, wanted) for face, shown in texts.items()}
    assert orders == dict.fromkeys(texts, wanted)
    # A hover names what is beside the failure by the errors that it was tried on.
    shown = hover(repo, text)
    titles = ["pip install it", "vendor a copy", "add it to the requirements", "rename the import"]
    places = [shown.find(title) for title in titles]
    assert places == sorted(places)
    assert -1 not in places


def test_where_nothing_is_known_every_face_gives_the_same_advice(repo: "Checkout") -> None:
    fill(repo)
    text = (
        "Traceback (most recent call last):\n  File \"app.py\", line 3, in go\n    json.loads('')\n"
    )
    text += "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n"
    (repo / "fails.txt").write_text(text)
    texts = {
        "run": run(repo, "run", "--", "sh", "-c", "cat fails.txt; exit 1", env=PACKS).err,
        "hint": ok(repo, "hint", stdin=text, **PACKS),
        "search": ok(repo, "search", text, **PACKS),
    }
    named = {face: re.findall(r"err-[0-9a-z]{10}", shown)[:1] for face, shown in texts.items()}
    assert named["hint"], texts
    assert named == dict.fromkeys(texts, named["hint"])
    assert all("general advice, pack python" in shown for shown in texts.values())


def _of_assistants(repo: "Path", text: str) -> dict[str, str]:
    texts: dict[str, str] = {}

    async def conversation() -> None:
        async with piped(repo) as client:
            texts["MCP hint"] = await said(client, "gitmem_hint", text=text)
            texts["MCP search"] = await said(client, "gitmem_search", query=text)
            texts["MCP errors"] = await said(client, "coding_search_errors", query=text)

    talk(conversation)
    return texts
