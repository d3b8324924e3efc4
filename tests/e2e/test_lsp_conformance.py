"""The protocol's rules, alone and in front of another server: every request gets one answer."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.lsp_editor import Editor
from tests.e2e.test_lsp_known import TEXT
from tests.e2e.test_lsp_known import world as known_world

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
STUB = (sys.executable, "-m", "tests.e2e.wrapped_stub")
IN_FLIGHT = 200
METHOD_NOT_FOUND, CANCELLED = -32601, -32800


@pytest.fixture(params=["alone", "in front"])
def editor(
    request: pytest.FixtureRequest, world: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Editor]:
    """Give an editor of ours alone, and of ours in front of another server."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    client = Editor(world, wrapping=STUB if request.param == "in front" else ())
    client.initialize(world)
    yield client
    client.close()


def asked_at_once(editor: Editor, path: Path) -> list[int | str]:
    """Ask many things before any answer is read; the numbers are numbers and texts."""
    document = {"textDocument": {"uri": path.as_uri()}}
    place = {"position": {"line": 7, "character": 10}}
    span = {"start": {"line": 7, "character": 6}, "end": {"line": 7, "character": 9}}
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("textDocument/hover", {**document, **place}),
        ("textDocument/codeAction", {**document, "range": span, "context": {"diagnostics": []}}),
        ("textDocument/codeLens", document),
        ("textDocument/definition", {**document, **place}),
        ("workspace/executeCommand", {"command": "gitmem.session", "arguments": []}),
    ]
    numbers: list[int | str] = []
    for at in range(IN_FLIGHT):
        method, params = kinds[at % len(kinds)]
        numbers.append(1000 + at if at % 2 else f"number {at}")
        editor.send({"id": numbers[-1], "method": method, "params": params})
    return numbers


def answers(editor: Editor, numbers: list[int | str]) -> dict[int | str, dict[str, Any]]:
    found: dict[int | str, dict[str, Any]] = {}
    times: Counter[int | str] = Counter()
    while len(found) < len(numbers):
        message = editor.wait_for(lambda m: m.get("id") in numbers and "method" not in m)
        times[message["id"]] += 1
        found[message["id"]] = message
    # What came after the last one would be a second answer.
    editor.request("workspace/executeCommand", {"command": "gitmem.session", "arguments": []})
    assert not [m for m in editor._aside if m.get("id") in numbers]
    assert set(times.values()) == {1}
    return found


def test_two_hundred_requests_in_flight_are_answered_once_each(world: Path, editor: Editor) -> None:
    editor.open(world / "typed.py", TEXT)
    found = answers(editor, asked_at_once(editor, world / "typed.py"))
    assert not [one for one in found.values() if "error" in one]


def test_what_is_cancelled_is_answered_too(world: Path, editor: Editor) -> None:
    editor.open(world / "typed.py", TEXT)
    numbers = asked_at_once(editor, world / "typed.py")
    for number in (*numbers[::3], "nobody asked", 7):
        editor.notify("$/cancelRequest", {"id": number})
    for message in answers(editor, numbers).values():
        assert message.get("error", {"code": CANCELLED})["code"] == CANCELLED


def test_what_nobody_knows_is_refused_and_notices_are_ignored(world: Path, editor: Editor) -> None:
    for method in ("$/odd", "gitmem/odd", "textDocument/odd"):
        editor.notify(method, {"x": 1})
    editor.send({"id": 5000, "method": "gitmem/odd", "params": {}})
    assert editor.answer(5000)["error"]["code"] == METHOD_NOT_FOUND
    editor.write(b"{")
    editor.write(b"[1]")
    params = {"command": "gitmem.status", "arguments": []}
    assert editor.request("workspace/executeCommand", params)["folder"] == str(world / ".memory")
