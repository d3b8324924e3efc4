"""The protocol's rules, alone and in front of another server: every request gets one answer."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.test_lsp_known import TEXT, actions, diagnostic, run, text_of, titled
from tests.e2e.test_lsp_known import world as known_world

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
STUB = (sys.executable, "-m", "tests.e2e.wrapped_stub")
IN_FLIGHT = 200
PARSE_ERROR, METHOD_NOT_FOUND, CANCELLED, INVALID_PARAMS = -32700, -32601, -32800, -32602
REFUSED = frozenset({-32600, -32602, -32603, -32803})
WHERE: dict[str, Any] = {"position": {"line": 7, "character": 10}}


@pytest.fixture(params=["alone", "in front"])
def fresh(
    request: pytest.FixtureRequest, world: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Editor]:
    """Give an editor of ours alone, and of ours in front of another server; nothing is said yet."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    client = Editor(world, wrapping=STUB if request.param == "in front" else ())
    yield client
    client.close()


@pytest.fixture
def editor(world: Path, fresh: Editor) -> Editor:
    """Give the same, initialised."""
    fresh.initialize(world)
    return fresh


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


@pytest.mark.parametrize(
    "body",
    [b"", b"nonsense", b"7", b"null", b"\xff\xfe", b'{"id": NaN', b"[" * 50_000, b'{"a": "\\ud800'],
)
def test_what_is_no_message_is_answered_and_the_next_one_understood(
    world: Path, editor: Editor, body: bytes
) -> None:
    editor.write(body)
    answer = editor.wait_for(lambda m: "error" in m and m.get("id") is None)
    assert answer["error"]["code"] == PARSE_ERROR
    assert run(editor, "status")["folder"] == str(world / ".memory")


@pytest.mark.parametrize(
    "params",
    [{}, [], {"position": 3}, {"textDocument": {}}, {"textDocument": {"uri": 7}, **WHERE},
     {"textDocument": {"uri": "file:///x"}, "position": {"line": "7", "character": {}}}],
)  # fmt: skip
def test_a_request_with_wrong_parameters_is_answered(
    world: Path, editor: Editor, params: Any
) -> None:
    answer = editor.answer(editor.ask("textDocument/hover", params))
    # A server behind ours may be kinder than ours.
    assert "result" in answer or answer["error"]["code"] in REFUSED, answer
    editor.notify("textDocument/didOpen", params)
    editor.notify("textDocument/didChange", params)
    assert run(editor, "status")["folder"] == str(world / ".memory")


@pytest.mark.parametrize("encodings", [(), ("utf-16",), ("utf-8", "utf-16"), ("utf-32", "utf-16")])
def test_columns_count_in_the_units_that_are_announced(
    world: Path, fresh: Editor, encodings: tuple[str, ...]
) -> None:
    said = fresh.initialize(world, *encodings)["capabilities"].get("positionEncoding", "utf-16")
    assert said in (encodings or ("utf-16",))
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
    path, before = world / "notes.txt", "# 😀é "
    units = {"utf-8": len(before.encode()), "utf-16": len(before) + 1, "utf-32": len(before)}
    fresh.open(path, f"{before}{error.id}\n")
    for column in (units[said], units[said] + len(error.id) - 1):
        wait_until(lambda column=column: error.id in text_of(fresh.hover(path, 0, column)))  # type: ignore[misc]
    shown = fresh.hover(path, 0, units[said])
    assert shown
    assert shown["range"]["start"]["character"] == units[said]
    assert shown["range"]["end"]["character"] == units[said] + len(error.id)


def test_folders_come_and_go(
    world: "Checkout", make_repo: "Callable[..., Checkout]", editor: Editor
) -> None:
    other = make_repo("other")
    Memory.init(str(other))
    with Memory.open(str(other)) as memory:
        memory.add("note", {"body": "only in the other one"})
    folder = {"uri": other.as_uri(), "name": "other"}

    def found() -> str:
        return str(run(editor, "list", {"uri": (other / "x.py").as_uri()}))

    def change(**what: Any) -> None:
        event = {"added": [], "removed": [], **what}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    change(added=[folder])
    wait_until(lambda: "only in the other" in found())
    change(removed=[folder])
    change(removed=[folder])
    change(added=[folder, folder])
    wait_until(lambda: "only in the other" in found())


def test_after_shutdown_requests_are_refused_and_exit_ends_it(world: Path, editor: Editor) -> None:
    editor.open(world / "typed.py", TEXT)
    assert editor.request("shutdown") is None
    document = {"textDocument": {"uri": (world / "typed.py").as_uri()}}
    for method, params in (
        ("textDocument/hover", {**document, **WHERE}), ("textDocument/completion", document),
        ("workspace/executeCommand", {"command": "gitmem.status"}), ("shutdown", None),
    ):  # fmt: skip
        answer = editor.answer(editor.ask(method, params))
        # What a server behind ours still answers is its own affair.
        assert "result" in answer or answer["error"]["code"] in REFUSED, (method, answer)
    editor.forward(world / "typed.py", diagnostic())
    editor.notify("exit")
    assert editor.gone() == 0


def test_an_exit_without_shutdown_is_no_success(editor: Editor) -> None:
    editor.notify("exit")
    assert editor.gone() == 1


CELL = "vscode-notebook-cell"


@pytest.mark.parametrize("form", ["untitled", CELL])
def test_texts_that_are_no_files_are_served_too(world: Path, editor: Editor, form: str) -> None:
    """A text that was never saved, and a cell of a notebook: each has lines, and no file."""
    uri = "untitled:Untitled-1" if form == "untitled" else f"{CELL}:{world}/work.ipynb#X1sZmlsZQ"
    item = {"uri": uri, "languageId": "python", "version": 1, "text": TEXT}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    new = diagnostic(line=4, start=4, end=10, message='"items" is odd', code="reportOdd")
    said = {"uri": uri, "version": 1, "diagnostics": [diagnostic(), new]}
    editor.notify("gitmem/diagnostics", said)
    where = {"textDocument": {"uri": uri}, **WHERE}
    wait_until(lambda: "call first" in text_of(editor.request("textDocument/hover", where)))
    span = {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 9}}
    asked = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": []}}
    titles = {one["title"] for one in editor.request("textDocument/codeAction", asked) or ()}
    assert not {one for one in titles if one.startswith("Record a decision")}, "about which file?"
    place = {"uri": uri, "line": 4, "character": 4}
    written: dict[str, Any] = {}

    def recorded() -> bool:
        # What a server behind ours reports takes the place of what was handed on before.
        editor.notify("gitmem/diagnostics", said)
        written.update(run(editor, "recordError", place))
        return "id" in written

    wait_until(recorded)
    with Memory.open(str(world)) as memory:
        error: Any = memory.show(written["id"]).record
    assert (error.location.file if error.location else "") == ("work.ipynb" if form == CELL else "")
    refused = run(editor, "recordDecision", {**place, "decision": "x", "rationale": "y"})
    assert "error" in refused


def test_of_several_memories_none_is_meant_by_a_text_without_a_file(
    world: "Checkout", make_repo: "Callable[..., Checkout]", fresh: Editor
) -> None:
    other = make_repo("other")
    Memory.init(str(other))
    folders = [{"uri": one.as_uri(), "name": one.name} for one in (world, other)]
    fresh.request("initialize", {"processId": None, "rootUri": None, "capabilities": {},
                                 "workspaceFolders": folders})  # fmt: skip
    fresh.notify("initialized", {})
    before = [one.git("status", "--porcelain") for one in (world, other)]
    place = {"uri": "untitled:Untitled-1", "text": "ValueError: odd", "line": 0, "character": 0}
    for command in ("recordText", "recordError"):
        assert run(fresh, command, place)["lacks"] == "memory"
    assert run(fresh, "session.start", "mend it", place)["lacks"] == "memory"
    assert [one.git("status", "--porcelain") for one in (world, other)] == before


def test_actions_are_whole_and_completing_one_changes_nothing(world: Path, editor: Editor) -> None:
    path = world / "typed.py"
    editor.open(path, TEXT)
    wait_until(lambda: bool(titled(actions(editor, path, diagnostic()), "Apply past fix")))
    (apply,) = titled(actions(editor, path, diagnostic()), "Apply past fix")
    assert apply["edit"]
    answer = editor.answer(editor.ask("codeAction/resolve", apply))
    assert answer.get("result", apply) == apply
    # Nobody announced it alone; a client that asks all the same is told so.
    assert "result" in answer or answer["error"]["code"] == METHOD_NOT_FOUND


def test_pulled_diagnostics_of_the_server_behind_are_known(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    editor = Editor(world, wrapping=(*STUB, "--pulled"))
    try:
        editor.initialize(world)
        path = world / "typed.py"
        editor.open(path, TEXT)
        assert "call first" not in text_of(editor.hover(path, 7, 10))
        document = {"textDocument": {"uri": path.as_uri()}}
        pulled = editor.request("textDocument/diagnostic", document)
        assert [one["code"] for one in pulled["items"]] == ["reportUndefinedVariable"]
        wait_until(lambda: "call first" in text_of(editor.hover(path, 7, 10)))
    finally:
        editor.close()


def test_alone_nobody_announces_what_is_not_answered(world: Path) -> None:
    editor = Editor(world)
    try:
        can = editor.initialize(world)["capabilities"]
        for name, method in (
            ("diagnosticProvider", "textDocument/diagnostic"),
            ("renameProvider", "textDocument/rename"),
            ("documentFormattingProvider", "textDocument/formatting"),
        ):  # fmt: skip
            assert name not in can
            answer = editor.answer(editor.ask(method, {"textDocument": {"uri": "file:///x"}}))
            assert answer["error"]["code"] in {METHOD_NOT_FOUND, INVALID_PARAMS}
    finally:
        editor.close()
