"""What views of an editor ask the language server, over its real pipes."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.capture.learnt import Draft
from gitmem.memory import Memory
from tests.answers import derived_folder
from tests.depth import amount, deep
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.running import run as gitmem
from tests.e2e.test_lsp_known import MESSAGE, PATCH, TEXT, diagnostic, run, text_of
from tests.e2e.test_lsp_known import world as known_world
from tests.e2e.test_lsp_robust import ends_calmly, plant_many

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
world = known_world
OUTPUT = f"{{root}}/typed.py:8:7 - error: {MESSAGE} (reportUndefinedVariable)\n"
TRACE = """\
Traceback (most recent call last):
  File "{root}/made.py", line 3, in <module>
    start(None)
TypeError: can't start with nothing, token={token}
"""
ROW = {"id", "kind", "title", "status", "created", "author", "patch", "uri"}


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in rows]


def no_message(editor: Editor) -> None:
    """Nothing popped up: what comes next is the answer to a request."""
    run(editor, "overview")
    assert not [m for m in editor._aside if m.get("method") == "window/showMessage"]


# --- lists and numbers --------------------------------------------------------------------------


def test_a_list_is_given_in_pages_and_counted(world: "Checkout", editor: Editor) -> None:
    plant_many(world, 25)
    editor.initialize(world)
    wait_until(lambda: run(editor, "overview")["total"] == 28)
    pages = [run(editor, "list", {"filters": "kind:note", "offset": at, "limit": 10})
             for at in (0, 10, 20, 30)]  # fmt: skip
    assert [len(one["rows"]) for one in pages] == [10, 10, 5, 0]
    assert {one["total"] for one in pages} == {25}
    assert len({row["id"] for one in pages for row in one["rows"]}) == 25
    (first,) = run(editor, "list", {"filters": "kind:fix status:worked"})["rows"]
    assert set(first) == ROW
    assert (first["kind"], first["status"], first["author"]) == ("fix", "worked", "Ada Lovelace")
    assert first["id"] in Path(first["uri"].removeprefix("file://")).read_text()
    titles = [one["title"] for one in run(editor, "list", {"sort": "title", "limit": 500})["rows"]]
    assert titles == sorted(titles, key=str.lower)


def test_the_overview_counts_and_follows_what_changes(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    seen = run(editor, "overview")
    assert (seen["total"], seen["problems"], seen["session"]) == (3, 0, None)
    assert seen["folder"] == str(world / ".memory")
    assert seen["kinds"] == [
        {"kind": "error", "count": 1, "states": [{"name": "resolved", "count": 1}]},
        {"kind": "fix", "count": 2,
         "states": [{"name": "failed", "count": 1}, {"name": "worked", "count": 1}]},
    ]  # fmt: skip
    with Memory.open(str(world)) as memory:
        note = memory.add("note", {"body": "tagged", "tags": ["time"]})
        memory.add("note", {"body": "x", "links": {"relates": ["note-0000000000"]}})
        session = memory.sessions.start("mend it")
    wait_until(lambda: run(editor, "overview")["total"] == 5)
    seen = run(editor, "overview")
    assert seen["tags"] == [{"name": "time", "count": 1}]
    assert (seen["problems"], seen["session"]["id"]) == (1, session.id)
    assert ids(run(editor, "list", {"filters": "tag:time"})["rows"]) == [note.id]


def test_views_are_told_of_changes_only_if_they_want_to_be(
    world: "Checkout", editor: Editor
) -> None:
    def told(client: Editor) -> dict[str, Any]:
        with Memory.open(str(world)) as memory:
            memory.add("note", {"body": "new"})
        return client.wait_for(lambda m: m.get("method") == "gitmem/changed")

    editor.initialize(world, options={"changes": True})
    run(editor, "overview")
    assert told(editor)["params"] == {"folder": str(world / ".memory")}
    other = Editor(world)
    try:
        other.initialize(world)
        before = run(other, "overview")["total"]
        told(editor)
        wait_until(lambda: run(other, "overview")["total"] > before)
        assert not [m for m in other._aside if m.get("method") == "gitmem/changed"]
    finally:
        other.close()


@deep
def test_while_the_index_is_made_views_wait_and_nothing_pops_up(
    world: "Checkout", editor: Editor
) -> None:
    count = amount(share=1_000, ci=3_000, whole=3_000)
    plant_many(world, count)
    shutil.rmtree(derived_folder(world))
    editor.initialize(world)
    asked = [
        editor.ask("workspace/executeCommand", {"command": f"gitmem.{name}", "arguments": [given]})
        for name, given in (
            ("list", {"filters": "kind:note"}), ("overview", {}), ("session", {}),
            ("about", {"uri": (world / "typed.py").as_uri()}), ("lastRun", {}), ("branch", {}),
        )
    ]  # fmt: skip
    answers = [editor.answer(number)["result"] for number in asked]
    assert (answers[0]["total"], answers[1]["total"]) == (count, count + 3)
    assert len(answers[3]["errors"]) == 1
    assert (answers[2], answers[4]) == (None, None)
    assert answers[5]["total"] == count
    no_message(editor)
    ends_calmly(editor)


# --- one file, one record -----------------------------------------------------------------------


def test_what_concerns_a_file(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        old = memory.add("decision", {"title": "old", "decision": "x", "governs": ["*.py"]})
        new = memory.supersede(old.id, {"title": "new", "decision": "y", "governs": ["*.py"]})
        lone = memory.add("fix", {"approach": "tidied up", "patch": PATCH, "outcome": "worked"})
        other = {"title": "elsewhere", "message": "m", "location": {"file": "sub/typed.py"}}
        memory.add("error", other)
        memory.checks.catch_up()
    editor.initialize(world)
    seen = run(editor, "about", {"uri": (world / "typed.py").as_uri()})
    assert ids(seen["decisions"]) == [new.id]
    assert [one["title"] for one in seen["errors"]] == [MESSAGE]
    assert [one["title"] for one in seen["fixes"]] == [
        "tidied up", "call first instead", "ignore the rule",
    ]  # fmt: skip
    assert seen["fixes"][0]["id"] == lone.id
    nothing: dict[str, Any] = {"decisions": [], "errors": [], "fixes": []}
    assert run(editor, "about", {"uri": (world.parent / "x.py").as_uri()}) == nothing


def test_marks_wait_for_matching_and_count_what_is_known(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        memory.add("decision", {"title": "types", "decision": "x", "governs": ["*.py"]})
        memory.checks.catch_up()
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic(), diagnostic(line=2, message="nobody knows"))
    wait_until(lambda: run(editor, "marks", {"uri": path.as_uri()})["known"] == 1)
    # The server may still be looking up what is said of the file itself.
    wait_until(lambda: len(run(editor, "marks", {"uri": path.as_uri()})["lines"]) > 1)
    seen = run(editor, "marks", {"uri": path.as_uri()})
    assert [(one["line"], one["text"]) for one in seen["lines"]] == [
        (0, "1 decision"), (7, "fixed before: call first instead"),
    ]  # fmt: skip
    assert all(one["ids"] for one in seen["lines"])


def test_general_advice_is_no_error_like_a_past_one(
    world: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("GITMEM_PACKS_OFF")
    editor = Editor(world)
    editor.initialize(world)
    path = world / "typed.ts"
    editor.open(path, "const stock = misspelled;\n")
    said = {"source": "ts", "code": 2304, "message": "Cannot find name 'misspelled'."}
    editor.forward(path, diagnostic(line=0, start=14, end=24, **said))
    wait_until(lambda: "general advice" in text_of(editor.hover(path, 0, 15)))
    marks = run(editor, "marks", {"uri": path.as_uri()})
    assert (marks["known"], marks["similar"]) == (0, 0)
    editor.close()


def test_a_record_is_given_as_a_page(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world, options={"commandLinks": True})
    (error,) = run(editor, "list", {"filters": "kind:error"})["rows"]
    page = run(editor, "page", error["id"][:8])
    assert {name: page[name] for name in ("id", "kind", "title", "uri")} == {
        name: error[name] for name in ("id", "kind", "title", "uri")
    }
    assert page["patch"] is False
    commit = world.git("log", "-1", "--format=%h")
    for part in (
        "## What worked\n\n### worked: call first instead", "+print(first([1]))",
        f"commit {commit} Call first instead", "checked with: pyright",
        "## What did not work\n\n### failed: ignore the rule", "it shows in CI",
        "](command:gitmem.show?%5B%22fix-", "](command:gitmem.apply?%5B%22fix-",
    ):  # fmt: skip
        assert part in page["markdown"], (part, page["markdown"])
    (fix,) = run(editor, "list", {"filters": "kind:fix status:worked"})["rows"]
    page = run(editor, "page", fix["id"])
    assert page["patch"] is True
    assert f"- fixes [{MESSAGE}](command:gitmem.show?" in page["markdown"]


def test_what_was_written_just_now_has_a_page(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    run(editor, "overview")
    for number in range(5):
        with Memory.open(str(world)) as memory:
            made = memory.add("note", {"body": f"number {number}"})
        assert run(editor, "page", made.id)["title"] == f"number {number}"


# --- failures -----------------------------------------------------------------------------------


def test_a_text_is_told_of_as_hovers_tell_of_it(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    text = OUTPUT.format(root=world) + TRACE.format(root=world, token="x")
    seen = run(editor, "tell", "x\n" * 500_000 + text)
    assert (seen["known"], seen["failures"]) == (1, 2)
    for part in ("**gitmem: known error**", "call first instead", "**gitmem: new** · TypeError"):
        assert part in seen["markdown"], (part, seen["markdown"])
    assert run(editor, "tell", "all is well") == {"markdown": "", "known": 0, "failures": 0}


def test_the_failures_of_the_run_observed_last(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    assert run(editor, "lastRun") is None
    world.add("said.txt", OUTPUT.format(root=world))
    assert gitmem(world, "run", "--", "sh", "-c", "cat said.txt; exit 3").code == 3
    seen = run(editor, "lastRun")
    assert (seen["command"], seen["exit_code"]) == ("sh -c 'cat said.txt; exit 3'", 3)
    assert "call first instead" in seen["markdown"]
    assert gitmem(world, "run", "--", "true").code == 0
    seen = run(editor, "lastRun")
    assert (seen["command"], seen["exit_code"], seen["markdown"]) == ("true", 0, "")


def test_a_text_is_recorded_once_and_without_its_secrets(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    uri = (world / "typed.py").as_uri()
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    text = OUTPUT.format(root=world) + TRACE.format(root=world, token=token)
    made = run(editor, "recordText", {"uri": uri, "text": text, "command": "python made.py"})
    (new,), (known,) = made["ids"], made["known"]
    with Memory.open(str(world)) as memory:
        shown = memory.show(new)
        error: Any = shown.record
        assert token.encode() not in shown.text
        assert (error.error_type, error.command) == ("TypeError", "python made.py")
        assert error.frames[0].file == "made.py"
        assert memory.show(known).record.title == MESSAGE
    again = run(editor, "recordText", {"uri": uri, "text": text})
    assert again["ids"] == []
    assert set(again["known"]) == {new, known}


def test_a_text_in_which_nothing_is_recognised_becomes_one_error(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world)
    text = "\x1b[31mstarting\x1b[0m\r\nthe gizmo has failed to turn\r\nbye\r\n"
    (made,) = run(editor, "recordText", {"text": text})["ids"]
    with Memory.open(str(world)) as memory:
        error: Any = memory.show(made).record
    assert error.title == "the gizmo has failed to turn"
    assert error.excerpt == "starting\nthe gizmo has failed to turn\nbye"
    (plain,) = run(editor, "recordText", {"text": "only this\nand that"})["ids"]
    with Memory.open(str(world)) as memory:
        assert memory.show(plain).record.title == "only this"


# --- sessions and branches ----------------------------------------------------------------------


def test_the_live_session_with_its_newest_events(world: "Checkout", editor: Editor) -> None:
    editor.initialize(world)
    assert run(editor, "session") is None
    live = run(editor, "session.start", "mend it")
    with Memory.open(str(world)) as memory:
        for number in range(201):
            memory.sessions.log("note", f"event {number}")
        memory.sessions.log("change", "", path="typed.py", reason="it was\nwrong")
    seen = run(editor, "session")
    assert (seen["id"], seen["goal"]) == (live["id"], "mend it")
    assert seen["started"] <= seen["events"][0]["at"]
    assert [one["text"] for one in seen["events"]] == [
        *(f"event {number}" for number in range(2, 201)), "typed.py: it was wrong",
    ]  # fmt: skip
    assert seen["events"][-1]["kind"] == "change"


PYTEST = """\
F..                                                                      [100%]
=================================== FAILURES ===================================
________________________________ test_discount _________________________________

    def test_discount():
>       assert price(10) == 9
E       assert 10 == 9
E        +  where 10 = price(10)

test_shop.py:5: AssertionError
=========================== short test summary info ============================
FAILED test_shop.py::test_discount - assert 10 == 9
1 failed, 2 passed in 0.02s
"""


def test_a_row_of_the_session_names_the_test_that_failed(world: "Checkout", editor: Editor) -> None:
    """Counts of everything came first, zeros included: a narrow column ended before the name."""
    editor.initialize(world)
    run(editor, "session.start", "mend it")
    with Memory.open(str(world)) as memory:
        memory.failures.assistant_began("1")
        memory.failures.assistant_ended("1", "pytest -q test_shop.py", PYTEST, 1)
    told = [one["text"] for one in run(editor, "session")["events"]]
    assert told[-1] == "1 failed: test_discount; 2 passed"


def test_what_a_branch_adds(world: "Checkout", editor: Editor) -> None:
    world.git("switch", "-qc", "feature")
    with Memory.open(str(world)) as memory:
        committed = memory.add("note", {"body": "committed"})
        world.commit("note")
        staged = memory.add("note", {"body": "staged"})
        world.git("add", "-A")
        new = memory.add("note", {"body": "new"})
    editor.initialize(world)
    seen = run(editor, "branch")
    assert ids(seen["rows"]) == [new.id, staged.id, committed.id]
    assert seen["total"] == 3
    world.git("switch", "-q", "main")
    wait_until(lambda: run(editor, "branch")["total"] == 2)


def test_what_a_branch_changes_and_removes(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        changed, removed, moved, kept = (
            memory.add("note", {"body": name}) for name in ("changed", "removed", "moved", "kept")
        )
        paths = {one.id: world / ".memory" / memory.find(one.id).path
                 for one in (changed, removed, moved, kept)}  # fmt: skip
    world.commit("notes")
    world.git("switch", "-qc", "feature")
    path = paths[changed.id]
    path.write_text(path.read_text().replace("body: changed", "body: changed on the branch"))
    paths[removed.id].unlink()
    world.commit("work")
    paths[moved.id].rename(paths[moved.id].with_name(f"{moved.id}.yaml"))
    editor.initialize(world)
    wait_until(lambda: len(run(editor, "branch")["changed"]) == 2)
    seen = run(editor, "branch")
    assert (ids(seen["rows"]), seen["total"]) == ([], 0)
    assert ids(seen["changed"]) == [moved.id, changed.id]
    assert seen["changed"][0]["gist"] == ""
    gone = str(paths[removed.id].relative_to(world / ".memory"))
    assert seen["removed"] == [gone]
    assert kept.id not in str(seen)


def test_what_deserves_a_look(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        (known,) = memory.list("kind:error")
        often = [memory.add("error", {"title": "often", "error_type": "KeyError", "message": "k"})
                 for _ in range(3)]  # fmt: skip
        once = memory.add("error", {"title": "once", "error_type": "OSError", "message": "o"})
        decision = memory.add("decision", {"title": "in force", "decision": "d"})
        over = memory.add("decision", {"title": "over", "decision": "d", "status": "rejected"})
        for name in ("older", "newer"):
            memory.failures.drafts.add(
                Draft(name, "s", {"title": f"{name} draft"}, [], [], ["why"])
            )
    editor.initialize(world)
    wait_until(lambda: run(editor, "overview")["total"] == 9)
    assert "attention" not in run(editor, "overview")
    seen = run(editor, "overview", {"details": True})["attention"]
    assert [(one["title"], one["seen"]) for one in seen["errors"]] == [("often", 3), ("once", 1)]
    assert seen["errors"][0]["id"] in {one.id for one in often}
    assert seen["errors"][0]["first"] <= seen["errors"][0]["created"]
    assert seen["errors"][1]["id"] == once.id
    (worked,), (failed,) = seen["worked"], seen["failed"]
    assert (worked["status"], failed["status"]) == ("worked", "failed")
    assert ids(worked["errors"]) == ids(failed["errors"]) == [known.id]
    assert ids(seen["decisions"]) == [decision.id]
    assert over.id not in str(seen)
    assert seen["drafts"] == [{"id": "newer", "title": "newer draft"},
                              {"id": "older", "title": "older draft"}]  # fmt: skip
    refused = run(editor, "overview", {"details": "all"})
    assert refused["error"] == "details must be true or false"
    no_message(editor)


def test_records_that_belong_to_the_staged_change(world: "Checkout", editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        place = {"title": "spoke", "decision": "d", "anchors": [{"path": "typed.py"}]}
        spoke = memory.add("decision", place)
        fixed = memory.resolve(error.id, {"approach": "again"})
        patched = memory.add("fix", {"approach": "by patch", "patch": PATCH, "outcome": "worked"})
        staged = memory.add("note", {"body": "n", "anchors": [{"path": "typed.py"}]})
        other = memory.add("note", {"body": "o", "anchors": [{"path": "other.py"}]})
        world.git("add", ".memory/notes")
        loose = memory.add("note", {"body": "loose"})
        memory.sessions.start("mend it")
        mine = memory.add("note", {"body": "mine"})
    editor.initialize(world)
    uris = [(world / "typed.py").as_uri()]
    wait_until(lambda: run(editor, "list", {})["total"] == 10)
    seen = set(ids(run(editor, "belonging", {"uris": uris})["rows"]))
    assert seen == {spoke.id, fixed.id, patched.id, mine.id}
    assert not seen & {staged.id, other.id, loose.id}
    assert run(editor, "belonging", {"uris": []}) == {"rows": [], "total": 0}


# --- making a memory ----------------------------------------------------------------------------


def test_a_memory_is_made_where_there_is_none_and_known_at_once(repo: "Checkout") -> None:
    editor = Editor(repo)
    try:
        editor.initialize(repo)
        assert set(run(editor, "overview")) == {"error", "hint"}
        made = run(editor, "init", {"uri": repo.as_uri()})
        assert made["folder"] == str(repo / ".memory")
        assert "gitmem.yaml" in made["created"]
        assert run(editor, "overview")["total"] == 0
        again = run(editor, "init", {"uri": repo.as_uri()})
        assert (again["folder"], again["created"]) == (made["folder"], [])
        said = [editor.wait_for(lambda m: m.get("method") == "window/showMessage") for _ in "12"]
        assert "already" in said[1]["params"]["message"]
        refused = run(editor, "init", {"uri": (repo / "nowhere").as_uri()})
        assert set(refused) == {"error", "hint"}
    finally:
        editor.close()


# --- what can't be done -------------------------------------------------------------------------

WRONG: list[Any] = [None, 7, "x", [], {}, {"uri": 3}, {"uri": "untitled:a"}, {"uri": "file:///\0"}]


def test_views_get_what_was_wrong_and_nothing_pops_up(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    asked: list[tuple[str, Any]] = [
        *(("list", {name: wrong}) for name, wrong in (
            ("filters", 7), ("filters", "words"), ("filters", "kind:poem"), ("sort", "size"),
            ("sort", []), ("offset", -1), ("offset", True), ("offset", 2**40), ("limit", "9"),
            ("limit", 501), ("limit", 1.5),
        )),
        *(("about", wrong) for wrong in WRONG), *(("marks", wrong) for wrong in WRONG),
        ("belonging", {}), ("belonging", {"uris": [3]}), ("belonging", {"uris": "file:///x"}),
    ]  # fmt: skip
    for command, arguments in asked:
        with subtests.test(command, arguments=arguments):
            assert set(run(editor, command, arguments)) == {"error", "hint"}
            no_message(editor)
    ends_calmly(editor)


def test_what_a_user_asked_for_and_can_not_be_is_said_in_a_line(
    world: "Checkout", editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    before = world.git("status", "--porcelain")
    asked: list[tuple[str, list[Any]]] = [
        ("page", ["err-0000000000"]), ("page", []), ("page", [7]), ("page", [""]),
        ("tell", []), ("tell", [" "]), ("recordText", [{}]), ("recordText", [{"text": " \n"}]),
        ("recordText", [{"text": "-- --"}]), ("recordText", [{"text": "x", "command": 7}]),
        ("init", []), ("init", [{"uri": 7}]), ("init", [{"uri": "untitled:x"}]),
    ]  # fmt: skip
    for command, arguments in asked:
        with subtests.test(command, arguments=arguments):
            assert set(run(editor, command, *arguments)) == {"error", "hint"}
            said = editor.wait_for(lambda m: m.get("method") == "window/showMessage")
            assert "\n" not in said["params"]["message"]
            assert set(run(editor, command, *arguments, {"quiet": True})) == {"error", "hint"}
            no_message(editor)
            assert world.git("status", "--porcelain") == before
    ends_calmly(editor)
