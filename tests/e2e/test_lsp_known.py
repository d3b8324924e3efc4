"""What the language server knows about other servers' diagnostics, over its real pipes."""

import difflib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from gitmem.errors import NotFoundError
from gitmem.memory import Memory
from gitmem.render.match_markdown import STILL_READING
from gitmem.system import lock
from tests.answers import derived_folder
from tests.depth import sampled
from tests.e2e.lsp_editor import Editor, wait_until

if TYPE_CHECKING:
    from gitmem.records.kinds import Decision, Fix
    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
TEXT = "import os\n\n\ndef first(items):\n    return items[0]\n\n\nprint(undefined_name)\n"
MESSAGE = '"undefined_name" is not defined'
FIXED = TEXT.replace("undefined_name", "first([1])")
PATCH = "diff --git a/typed.py b/typed.py\n" + "".join(
    difflib.unified_diff(TEXT.splitlines(keepends=True), FIXED.splitlines(keepends=True),
                         "a/typed.py", "b/typed.py")
)  # fmt: skip


def diagnostic(line: int = 7, start: int = 6, end: int = 20, **changes: Any) -> dict[str, Any]:
    places = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    given = {"range": places, "severity": 1, "source": "Pyright", "message": MESSAGE,
             "code": "reportUndefinedVariable"}  # fmt: skip
    return {**given, **changes}


def call_first(repo: "Checkout") -> None:
    """Make a past error, a fix that failed and one that was verified."""
    Memory.init(str(repo))
    repo.add("typed.py", TEXT)
    log = f"{repo}/typed.py:8:7 - error: {MESSAGE} (reportUndefinedVariable)\n"
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([log], command="pyright", record=True).written
        memory.resolve(error, {
            "approach": "ignore the rule", "outcome": "failed", "why_failed": "it shows in CI",
        })  # fmt: skip
        memory.resolve(error, {
            "approach": "call first instead", "patch": PATCH,
            "verification": {"command": "pyright", "before": {"result": "failed"},
                             "after": {"result": "passed"}},
        })  # fmt: skip
        memory.checks.catch_up()
    repo.commit("Call first instead")


@pytest.fixture
def world(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a repository with a past error, a fix that failed and one that was verified."""
    return built(repo, call_first)


@pytest.fixture
def editor(world: Path) -> Iterator[Editor]:
    client = Editor(world)
    yield client
    client.close()


def text_of(shown: dict[str, Any] | None) -> str:
    return shown["contents"]["value"] if shown else ""


def test_hover_on_a_diagnostic_tells_what_worked_and_what_failed(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    shown = editor.hover(path, 7, 10)
    assert shown
    assert shown["range"] == diagnostic()["range"]
    text = text_of(shown)
    commit = world.git("log", "-1", "--format=%h")
    for part in (
        "known error", "seen once", "Ada Lovelace", "**worked**: call first instead",
        "+print(first([1]))", "-print(undefined_name)", f"commit {commit} Call first instead",
        "**failed**: ignore the rule", "why: it shows in CI", "checked with: pyright",
    ):  # fmt: skip
        assert part in text, (part, text)
    order = ["✓ **gitmem: fixed before** · Ada Lovelace", "call first instead", "+print(first",
             "✗ **failed**", "known error"]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places), "what fixed it comes first, what it is last"
    assert "@@" not in text
    assert "+++" not in text, "who hovers sees where it is"
    assert editor.hover(path, 4, 5) is None


@sampled(1)
@pytest.mark.parametrize("mode", ["auto", "off"])
def test_a_hover_names_the_commit_as_soon_as_it_is_made(
    world: "Checkout", mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_WATCH_MODE", mode)
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "name it elsewhere"})
    client = Editor(world)
    try:
        client.initialize(world)
        path = world / "typed.py"
        client.open(path, TEXT)
        client.forward(path, diagnostic())
        wait_until(lambda: "name it elsewhere" in text_of(client.hover(path, 7, 10)))
        assert "What came next" not in text_of(client.hover(path, 7, 10))
        world.commit("What came next")
        wait_until(lambda: "What came next" in text_of(client.hover(path, 7, 10)))
        world.git("reset", "-q", "--soft", "HEAD~1")
        wait_until(lambda: "What came next" not in text_of(client.hover(path, 7, 10)))
    finally:
        client.close()


def test_nothing_known_is_no_hover(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic(message='"other" is not accessed', code="reportUnused"))
    editor.forward(path, diagnostic(), version=2)
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    editor.forward(path, diagnostic(message='"other" is not accessed', code="x"), version=2)
    assert editor.hover(path, 7, 10) is None


def test_what_was_noted_for_an_older_version_is_passed_over(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.change(path, TEXT, 5)
    editor.forward(path, diagnostic(), version=4)
    editor.forward(path, diagnostic(line=0, start=0, end=3), version=5)
    editor.forward(path, diagnostic(), version=4)
    wait_until(lambda: editor.hover(path, 0, 1) is not None)
    assert editor.hover(path, 7, 10) is None


def test_a_hover_moves_with_edits_above_it_and_goes_with_its_text(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    start = {"line": 0, "character": 0}
    edit(editor, path, 2, start, start, "# 😀\n# two\n")
    shown = editor.hover(path, 9, 10)
    assert shown
    assert shown["range"] == diagnostic(line=9)["range"]
    assert editor.hover(path, 7, 10) is None
    at = {"line": 9, "character": 10}
    edit(editor, path, 3, at, at, "x")
    assert editor.hover(path, 9, 10) is None


def edit(
    editor: Editor, path: Path, version: int, start: dict[str, int], end: dict[str, int], text: str
) -> None:
    change = {"range": {"start": start, "end": end}, "text": text}
    document = {"uri": path.as_uri(), "version": version}
    params = {"textDocument": document, "contentChanges": [change]}
    editor.notify("textDocument/didChange", params)


def test_links_run_commands_only_for_clients_that_want_them(world: Path, editor: Editor) -> None:
    editor.initialize(world, options={"commandLinks": True})
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    text = text_of(editor.hover(path, 7, 10))
    for command in ("show", "apply", "helpful", "unhelpful"):
        assert f"](command:gitmem.{command}?%5B%22fix-" in text
    assert "](command:gitmem.show?%5B%22err-" in text
    assert not re.search(r"(fix|err)-\w{10}", re.sub(r"\]\([^)]*\)", "", text)), (
        "ids are behind links"
    )
    with Memory.open(str(world)) as memory:
        memory.resolve(memory.list("kind:error")[0].id, {"approach": "without a patch"})
    wait_until(lambda: "without a patch" in text_of(editor.hover(path, 7, 10)))
    assert text_of(editor.hover(path, 7, 10)).count("](command:gitmem.apply?") == 1


@pytest.mark.parametrize(
    ("command", "said"), [("helpful", "helped"), ("unhelpful", "did not help")]
)
def test_a_verdict_is_answered_where_it_is_seen(
    world: Path, editor: Editor, command: str, said: str
) -> None:
    editor.initialize(world)
    with Memory.open(str(world)) as memory:
        fix = memory.list("kind:fix status:worked")[0]
    asked = {"command": f"gitmem.{command}", "arguments": [fix.id]}
    editor.request("workspace/executeCommand", asked)
    shown = editor.wait_for(lambda m: m.get("method") == "window/showMessage")
    assert shown["params"]["message"].endswith(f"this {said}: {fix.title}")


# --- code actions -------------------------------------------------------------------------------

CAN_EDIT = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {
            "documentChanges": True, "resourceOperations": ["create", "rename", "delete"],
            "changeAnnotationSupport": {},
        },
    },
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
}  # fmt: skip


def actions(
    editor: Editor,
    path: Path,
    *given: dict[str, Any],
    line: int = 7,
    only: list[str] | None = None,
    selected: int = 0,
) -> list[Any]:
    here = {
        "start": {"line": line, "character": 6},
        "end": {"line": line, "character": 6 + selected},
    }
    limits = {"only": only} if only is not None else {}
    params = {"textDocument": {"uri": path.as_uri()}, "range": here,
              "context": {"diagnostics": list(given), **limits}}  # fmt: skip
    found = editor.request("textDocument/codeAction", params) or []
    assert isinstance(found, list)
    return found


def titled(found: list[Any], start: str) -> list[Any]:
    return [one for one in found if one["title"].startswith(start)]


def known(editor: Editor, path: Path, *given: dict[str, Any]) -> list[Any]:
    wait_until(lambda: bool(titled(actions(editor, path, *given), "Show past fix")))
    return actions(editor, path, *given)


def carried_out(text: str, edits: list[dict[str, Any]]) -> str:
    """Do to a text what edits say; they count in UTF-16."""
    data = text.encode("utf-16-le")
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]

    def offset(at: dict[str, int]) -> int:
        return sum(map(len, lines[: at["line"]])) + 2 * at["character"]

    for one in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = offset(one["range"]["start"]), offset(one["range"]["end"])
        data = data[:start] + one["newText"].encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def test_an_editor_that_only_asks_for_code_actions_is_served_too(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    found = known(editor, path, diagnostic())
    (show,) = titled(found, "Show past fix (worked): call first instead")
    assert show["command"]["command"] == "gitmem.show"
    assert show["diagnostics"] == [diagnostic()]
    assert titled(found, "Record what fixed it")
    (apply,) = titled(found, "Apply past fix (worked)")
    (edits,) = apply["edit"]["changes"].values()
    assert carried_out(TEXT, edits) == FIXED
    assert editor.hover(path, 7, 10) is not None


FIXES = ["Apply past fix", "Show past fix", "Record what fixed it"]


@pytest.mark.parametrize(
    ("only", "starts"),
    [
        (["quickfix"], FIXES),
        (["source.fixAll", "quickfix"], FIXES),
        ([""], [*FIXES, "Record a decision here"]),
        (["source"], []),
        (["quickfix.ruff"], []),
        (["quick"], []),
        (["refactor.extract"], []),
    ],
)  # fmt: skip
def test_an_editor_that_wants_only_some_kinds_gets_those(
    world: Path, editor: Editor, only: list[str], starts: list[str]
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    known(editor, path, diagnostic())
    found = actions(editor, path, diagnostic(), only=only, selected=4)
    assert [one["title"].partition(" (")[0] for one in found] == starts


def test_a_decision_is_offered_for_what_is_selected_and_puts_no_bulb_elsewhere(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    assert actions(editor, path, line=4) == []
    (offered,) = actions(editor, path, line=4, selected=3)
    assert offered["title"] == "Record a decision here"


def test_what_no_longer_fits_exactly_asks_before_it_is_applied(world: Path, editor: Editor) -> None:
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    editor.open(path, TEXT.replace("    return items[0]", "    return items[-1]"))
    (apply,) = titled(known(editor, path, diagnostic()), "Apply past fix")
    assert apply["edit"]["changeAnnotations"]["gitmem"]["needsConfirmation"] is True
    assert apply["edit"]["documentChanges"][0]["edits"][0]["annotationId"] == "gitmem"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_past_fix_is_applied_to_the_text_in_the_editor_not_to_the_file(
    world: Path, editor: Editor, end: str
) -> None:
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    moved = ("# 😀 new\n# lines\n" + TEXT).replace("\n", end)
    editor.open(path, moved)
    (apply,) = titled(known(editor, path, diagnostic()), "Apply past fix")
    (change,) = apply["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": path.as_uri(), "version": 1}
    wanted = ("# 😀 new\n# lines\n" + FIXED).replace("\n", end)
    assert carried_out(moved, change["edits"]) == wanted
    assert "changeAnnotations" not in apply["edit"], "one file that fits is changed at once"
    assert path.read_text() == TEXT


def test_a_fix_that_does_not_apply_is_shown_but_not_offered(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT.replace("print(undefined_name)", "log(undefined_name)"))
    found = known(editor, path, diagnostic())
    assert titled(found, "Apply past fix") == []
    editor.change(path, FIXED)
    assert titled(known(editor, path, diagnostic()), "Apply past fix") == []


OTHER_FILES = """\
diff --git a/made.py b/made.py
new file mode 100644
--- /dev/null
+++ b/made.py
@@ -0,0 +1 @@
+made = 1
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-gone = 1
"""


def test_a_fix_of_several_files_makes_and_deletes_files(world: "Checkout", editor: Editor) -> None:
    world.add("gone.py", "gone = 1\n")
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "all over", "patch": PATCH + OTHER_FILES})
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    editor.open(path, TEXT)
    wait_until(lambda: len(titled(actions(editor, path, diagnostic()), "Apply")) == 2)
    (apply,) = titled(actions(editor, path, diagnostic()), "Apply past fix (worked): all over")
    edited, created, written, deleted = apply["edit"]["documentChanges"]
    assert edited["textDocument"]["uri"] == path.as_uri()
    assert (created["kind"], created["uri"]) == ("create", (world / "made.py").as_uri())
    assert written["edits"][0]["newText"] == "made = 1\n"
    assert (deleted["kind"], deleted["uri"]) == ("delete", (world / "gone.py").as_uri())
    asked = apply["edit"]["changeAnnotations"]["gitmem"]
    assert asked["needsConfirmation"] is True
    assert asked["description"].endswith("makes made.py, deletes gone.py, changes typed.py")
    assert all(
        part.get("annotationId", part.get("edits", [{}])[0].get("annotationId")) == "gitmem"
        for part in apply["edit"]["documentChanges"]
    )


RENAMED = """\
diff --git a/old.py b/sub/new.py
similarity index 60%
rename from old.py
rename to sub/new.py
--- a/old.py
+++ b/sub/new.py
@@ -1,2 +1,2 @@
 kept = 1
-old = 1
+new = 1
"""


def plant_rename(world: "Checkout") -> None:
    """Put a file into a repository, and a past fix that renames it."""
    world.add("old.py", "kept = 1\nold = 1\n")
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "call it new", "patch": RENAMED})


def test_a_fix_that_renames_a_file_edits_it_and_then_renames_it(
    world: "Checkout", editor: Editor
) -> None:
    plant_rename(world)
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    editor.open(path, TEXT)
    wait_until(lambda: len(titled(actions(editor, path, diagnostic()), "Apply")) == 2)
    (apply,) = titled(actions(editor, path, diagnostic()), "Apply past fix (worked): call it new")
    edited, renamed = apply["edit"]["documentChanges"]
    old = (world / "old.py").as_uri()
    assert edited["textDocument"]["uri"] == old
    assert carried_out("kept = 1\nold = 1\n", edited["edits"]) == "kept = 1\nnew = 1\n"
    assert (renamed["kind"], renamed["oldUri"]) == ("rename", old)
    assert renamed["newUri"] == (world / "sub" / "new.py").as_uri()
    (world / "sub").mkdir()
    (world / "sub" / "new.py").write_text("in the way\n")
    assert len(titled(actions(editor, path, diagnostic()), "Apply")) == 1


def test_a_client_that_can_not_rename_is_not_offered_what_renames(
    world: "Checkout", editor: Editor
) -> None:
    plant_rename(world)
    edits = {"documentChanges": True, "resourceOperations": ["create", "delete"]}
    editor.initialize(world, capabilities={"workspace": {"workspaceEdit": edits}})
    path = world / "typed.py"
    editor.open(path, TEXT)
    wait_until(lambda: len(titled(actions(editor, path, diagnostic()), "Show past fix")) == 2)
    assert len(titled(actions(editor, path, diagnostic()), "Apply")) == 1


@sampled(3)
@pytest.mark.parametrize(
    "name", ["../outside.py", "/etc/passwd", ".git/config", "link/x.py", ".memory/gitmem.yaml"]
)
def test_a_patch_never_leads_out_of_the_repository(
    world: "Checkout", editor: Editor, name: str
) -> None:
    outside = world.parent / "elsewhere"
    outside.mkdir()
    (world / "link").symlink_to(outside)
    patch = f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n"
    with Memory.open(str(world)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "evil", "patch": patch})
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    editor.open(path, TEXT)
    wait_until(lambda: len(titled(actions(editor, path, diagnostic()), "Show past fix")) == 2)
    assert [one["title"] for one in titled(actions(editor, path, diagnostic()), "Apply")] == [
        "Apply past fix (worked): call first instead"
    ]


def test_an_error_that_nobody_knows_can_be_recorded_and_then_is_known(
    world: Path, editor: Editor
) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    new = diagnostic(message='Import "flask" could not be resolved', code="reportMissingImports")
    wait_until(lambda: bool(titled(actions(editor, path, new), "Record this error")))
    (record,) = titled(actions(editor, path, new), "Record this error")
    made = editor.request("workspace/executeCommand", {
        "command": record["command"]["command"], "arguments": record["command"]["arguments"],
    })  # fmt: skip
    with Memory.open(str(world)) as memory:
        error: Any = memory.show(made["id"]).record
    assert (error.tool, error.code) == ("pyright", "reportMissingImports")
    assert (error.location.file, error.location.line) == ("typed.py", 8)
    wait_until(lambda: "flask" in text_of(editor.hover(path, 7, 10)))


@pytest.mark.parametrize(
    ("start", "kind"), [("Record what fixed it", "fixes"), ("Record a decision here", "decisions")]
)
def test_what_a_person_has_to_say_is_opened_as_a_new_file_and_not_written(
    world: "Checkout", editor: Editor, start: str, kind: str
) -> None:
    editor.initialize(world, capabilities=CAN_EDIT)
    path = world / "typed.py"
    editor.open(path, TEXT)
    known(editor, path, diagnostic())
    (record,) = titled(actions(editor, path, diagnostic(), selected=4), start)
    before = world.git("status", "--porcelain")
    made = editor.request("workspace/executeCommand", {
        "command": record["command"]["command"], "arguments": record["command"]["arguments"],
    })  # fmt: skip
    asked = editor.wait_for(lambda m: m.get("method") == "workspace/applyEdit")
    created, written = asked["params"]["edit"]["documentChanges"]
    assert created["uri"] == made["uri"]
    assert f"/.memory/{kind}/" in made["uri"]
    assert world.git("status", "--porcelain") == before
    text = written["edits"][0]["newText"]
    target = Path(made["uri"].removeprefix("file://"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    with Memory.open(str(world)) as memory:
        problems = memory.checks.files(secrets=False)
        assert problems, "what is still to be filled in is no record"
        assert {"is not filled in yet" in each.message for each in problems} == {True}
        with pytest.raises(NotFoundError):
            memory.show(made["id"])
    target.write_text(text.replace("…", "said by a person"))
    editor.send({"id": asked["id"], "result": {"applied": True}})
    shown = editor.wait_for(lambda m: m.get("method") == "window/showDocument")
    assert shown["params"]["uri"] == made["uri"]
    with Memory.open(str(world)) as memory:
        assert memory.checks.files(secrets=False) == []
        assert memory.show(made["id"]).record.id == made["id"]


# --- places -------------------------------------------------------------------------------------


def test_lines_that_records_speak_of_have_hovers_and_lenses(world: Path, editor: Editor) -> None:
    with Memory.open(str(world)) as memory:
        anchor = {"path": "typed.py", "lines": [4, 4], "quote": "def first(items):"}
        first = {"title": "first is enough", "decision": "no last", "anchors": [anchor]}
        memory.add("decision", first)
        memory.add("decision", {"title": "types everywhere", "decision": "x", "governs": ["*.py"]})
        at = {"file": "typed.py", "line": 5, "code": "print(undefined_name)"}
        memory.add("error", {"title": "it broke", "message": "broken", "location": at})
        memory.checks.catch_up()
    options = {"codeLens": True, "inlayHints": True}
    editor.initialize(world, options=options)
    path = world / "typed.py"
    editor.open(path, "# 😀\n" + TEXT)
    wait_until(lambda: "first is enough" in text_of(editor.hover(path, 4, 3)))
    assert editor.hover(path, 3, 0) is None
    # What takes longer than a hover may take is shown the next time.
    wait_until(lambda: "types everywhere" in text_of(editor.hover(path, 0, 0)))
    wait_until(lambda: "**went wrong here**: it broke" in text_of(editor.hover(path, 8, 0)))
    document = {"textDocument": {"uri": path.as_uri()}}
    lenses = editor.request("textDocument/codeLens", document)
    told = {one["range"]["start"]["line"]: one["command"]["title"] for one in lenses}
    assert told == {0: "1 decision", 4: "1 decision", 8: "1 past error"}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    hints = editor.request("textDocument/inlayHint", {**document, "range": whole})
    assert [(one["position"], one["label"]) for one in hints] == [
        ({"line": 0, "character": 4}, "1 decision"), ({"line": 4, "character": 17}, "1 decision"),
    ]  # fmt: skip


def test_a_lens_warns_before_a_fragile_file_is_changed(world: Path, editor: Editor) -> None:
    (world / "money.py").write_text("def add():\n    return x + 1\n")
    at = {"file": "money.py", "line": 2, "code": "return x + 1"}
    fields = {"error_type": "NameError", "message": "name 'x' is not defined", "location": at}
    with Memory.open(str(world)) as memory:
        error = memory.add("error", fields)
        failed = memory.resolve(error.id, {"approach": "import it", "outcome": "failed"})
        memory.checks.catch_up()
    editor.initialize(world, options={"codeLens": True})
    path = world / "money.py"
    document = {"textDocument": {"uri": path.as_uri()}}

    def warnings() -> list[tuple[str, list[str]]]:
        lenses = editor.request("textDocument/codeLens", document) or []
        commands = [lens["command"] for lens in lenses if lens["range"]["start"]["line"] == 0]
        return [(command["title"], command["arguments"]) for command in commands]

    editor.open(path, path.read_text())
    wait_until(lambda: warnings() == [("1 attempt failed", [failed.id])])
    with Memory.open(str(world)) as memory:
        memory.resolve(error.id, {"approach": "name it", "outcome": "worked"})
        again = memory.add("error", {**fields, "links": {"duplicates": [error.id]}})
        assert memory.find(error.id).status == "regressed"
    both = "1 failure came back · 1 attempt failed"
    wait_until(lambda: [text for text, _ in warnings()] == [both])
    assert warnings()[0][1][0] in (error.id, again.id)


def test_lenses_and_hints_are_off_until_somebody_wants_them(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    path = world / "typed.py"
    editor.open(path, TEXT)
    editor.forward(path, diagnostic())
    wait_until(lambda: editor.hover(path, 7, 10) is not None)
    document = {"textDocument": {"uri": path.as_uri()}}
    assert not editor.request("textDocument/codeLens", document)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"gitmem": {"codeLens": True}}})
    assert editor.request("textDocument/codeLens", document)


# --- commands -----------------------------------------------------------------------------------


def run(editor: Editor, command: str, *arguments: Any) -> Any:
    params = {"command": f"gitmem.{command}", "arguments": list(arguments)}
    return editor.request("workspace/executeCommand", params)


def test_commands_do_what_the_command_line_does(world: Path, editor: Editor) -> None:
    editor.initialize(world, capabilities=CAN_EDIT)
    hits = run(editor, "search", "undefined_name")["hits"]
    assert hits[0]["kind"] == "error"
    (fix,) = [one for one in hits[0]["attempts"] if one["status"] == "worked"]
    shown = run(editor, "show", fix["id"])
    assert "call first instead" in shown["markdown"]
    assert Path(shown["uri"].removeprefix("file://")).is_file()
    assert editor.wait_for(lambda m: m.get("method") == "window/showDocument")
    assert run(editor, "hint", f"typed.py:8:7 - error: {MESSAGE} (reportUndefinedVariable)")
    assert run(editor, "helpful", fix["id"])["helpful"] is True
    assert run(editor, "helpful", "--not", fix["id"])["helpful"] is False
    live = run(editor, "session.start", "mend it")
    assert run(editor, "status")["session"] == live
    assert run(editor, "session.log", "it works") == {"logged": True}
    assert run(editor, "session.end", "done", True)["id"] == live["id"]
    applied = run(editor, "apply", fix["id"])
    asked = editor.wait_for(lambda m: m.get("method") == "workspace/applyEdit")
    (change,) = asked["params"]["edit"]["documentChanges"]
    assert carried_out(TEXT, change["edits"]) == FIXED
    assert applied["files"] == [str(world / "typed.py")]


def test_what_a_command_can_not_do_it_says_in_a_line(
    world: Path, editor: Editor, subtests: pytest.Subtests
) -> None:
    editor.initialize(world)
    asked: list[tuple[str, list[Any]]] = [
        ("show", ["err-0000000000"]), ("show", []), ("show", [7]), ("search", [None]),
        ("apply", ["err-0000000000"]), ("session.end", []), ("recordError", [{"uri": 3}]),
        ("recordFix", []), ("recordDecision", [[]]), ("helpful", [""]),
    ]  # fmt: skip
    for command, arguments in asked:
        with subtests.test(command, arguments=arguments):
            told = run(editor, command, *arguments)
            assert set(told) == {"error", "hint"}
            said = editor.wait_for(lambda m: m.get("method") == "window/showMessage")
            assert said["params"]["message"].startswith("gitmem: ")
            assert "\n" not in said["params"]["message"]


# --- several folders ------------------------------------------------------------------------------


def test_each_folder_of_the_workspace_answers_from_its_own_memory(
    world: "Checkout", make_repo: "Callable[..., Checkout]", editor: Editor
) -> None:
    """A second repository, and a linked work tree of the first one with another branch."""
    other = make_repo("other")
    Memory.init(str(other))
    with Memory.open(str(other)) as memory:
        made = memory.add("error", {"title": "only in the other one", "message": "m"})
    linked = world.parent / "linked"
    world.git("worktree", "add", "-q", "-b", "side", str(linked))
    with Memory.open(str(linked)) as memory:
        (error,) = memory.list("kind:error")
        memory.resolve(error.id, {"approach": "only in the linked tree"})
    folders = [{"uri": one.as_uri(), "name": one.name} for one in (world, other)]
    editor.request("initialize", {
        "processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders,
    })  # fmt: skip
    editor.notify("initialized", {})
    for one in (world, linked):
        editor.open(one / "typed.py", TEXT)
        editor.forward(one / "typed.py", diagnostic())
    editor.open(other / "x.py", f"# {made.id} {error.id}\n")
    wait_until(lambda: "only in the other" in text_of(editor.hover(other / "x.py", 0, 5)))
    assert editor.hover(other / "x.py", 0, 20) is None
    there = "only in the linked tree"
    wait_until(lambda: there in text_of(editor.hover(linked / "typed.py", 7, 10)))
    wait_until(lambda: "call first" in text_of(editor.hover(world / "typed.py", 7, 10)))
    assert there not in text_of(editor.hover(world / "typed.py", 7, 10))
    event = {"added": [{"uri": linked.as_uri(), "name": "linked"}], "removed": folders[1:]}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert "only in the other" in text_of(editor.hover(other / "x.py", 0, 5))
    found = editor.request("workspace/symbol", {"query": "undefined"})
    places = {one["location"]["uri"].partition("/.memory/")[0] for one in found}
    assert {world.as_uri(), linked.as_uri()} <= places


WRITES: list[tuple[str, list[Any]]] = [
    ("session.start", ["mend it"]), ("session.log", ["x"]), ("session.end", ["done", True]),
    ("recordText", []), ("recordError", []), ("recordDecision", []),
]  # fmt: skip


def test_nothing_is_written_into_the_memory_of_another_folder(
    world: "Checkout", make_repo: "Callable[..., Checkout]", editor: Editor
) -> None:
    bare = make_repo("bare")
    folders = [{"uri": one.as_uri(), "name": one.name} for one in (world, bare)]
    editor.request("initialize", {
        "processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders,
    })  # fmt: skip
    editor.notify("initialized", {})
    for path in (world / "typed.py", world):
        assert run(editor, "overview", {"uri": path.as_uri()})["total"] == 3
    assert run(editor, "recordText", {"uri": world.as_uri(), "text": "ValueError: odd"})["ids"]
    before = world.git("status", "--porcelain")
    place = {"uri": (bare / "a.py").as_uri(), "text": "ValueError: odd", "line": 0, "character": 0}
    for command, arguments in WRITES:
        told = run(editor, command, *arguments, place)
        assert told["lacks"] == "memory", (command, told)
        assert "gitmem init" in told["hint"]
    assert run(editor, "overview", {"uri": place["uri"]})["lacks"] == "memory"
    assert world.git("status", "--porcelain") == before
    with Memory.open(str(world)) as memory:
        assert memory.sessions.current() is None
    run(editor, "init", {"uri": bare.as_uri()})
    assert run(editor, "session.start", "mend it", place)["goal"] == "mend it"


def test_a_folder_that_was_removed_is_searched_no_more(
    world: "Checkout", make_repo: "Callable[..., Checkout]", editor: Editor
) -> None:
    other = make_repo("other")
    Memory.init(str(other))
    with Memory.open(str(other)) as memory:
        memory.add("note", {"body": "only in the other one"})
    folders = [{"uri": one.as_uri(), "name": one.name} for one in (world, other)]
    editor.request("initialize", {
        "processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders,
    })  # fmt: skip
    editor.notify("initialized", {})

    def found() -> str:
        return str(editor.request("workspace/symbol", {"query": "only in the other"}))

    assert "only in the other one" in found()
    event = {"added": [], "removed": folders[1:]}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert "only in the other one" not in found()


def test_a_fix_is_recorded_in_one_step_with_what_was_edited(
    world: "Checkout", editor: Editor
) -> None:
    editor.initialize(world, capabilities=CAN_EDIT)
    world.add("typed.py", FIXED)
    world.add("made.py", "x = 1\n")
    with Memory.open(str(world)) as memory:
        error = memory.add("error", {"title": "open", "message": "odd"}).id
    given = {"uri": (world / "typed.py").as_uri(), "approach": "call first", "outcome": "worked",
             "command": "pyright", "patch": True}  # fmt: skip
    made = run(editor, "recordFix", error, given)
    assert made["patch"] is True
    with Memory.open(str(world)) as memory:
        fix = cast("Fix", memory.show(made["id"]).record)
        assert memory.list("kind:error status:open") == []
    assert fix.verification
    assert (fix.approach, fix.outcome, fix.verification.command) == (
        "call first",
        "worked",
        "pyright",
    )
    assert "-print(undefined_name)\n+print(first([1]))" in fix.patch
    assert "+++ b/made.py" in fix.patch
    assert ".memory" not in fix.patch
    failed = {"uri": given["uri"], "approach": "sleep", "outcome": "failed", "why_failed": "slow"}
    other = run(editor, "recordFix", error, failed)
    with Memory.open(str(world)) as memory:
        attempt = cast("Fix", memory.show(other["id"]).record)
    assert (attempt.outcome, attempt.why_failed, attempt.patch) == ("failed", "slow", "")


def test_a_decision_is_recorded_in_one_step(world: Path, editor: Editor) -> None:
    editor.initialize(world)
    said = {"decision": "One function takes the first.", "rationale": "It is read often."}
    place = {"first": 3, "last": 4, "quote": "def first(items):"}
    given = {"uri": (world / "typed.py").as_uri(), **place, **said}
    made = run(editor, "recordDecision", given)
    with Memory.open(str(world)) as memory:
        record = cast("Decision", memory.show(made["id"]).record)
    assert (record.decision, record.rationale) == (given["decision"], given["rationale"])
    assert (record.anchors[0].lines, record.anchors[0].symbol) == ((4, 5), "first")
    empty = run(editor, "recordFix", "err-0000000000", {"uri": given["uri"], "approach": " "})
    assert empty["error"]


def test_a_first_hover_says_that_it_is_still_reading_and_not_that_there_is_no_fix(
    repo: "Checkout",
) -> None:
    """What was recorded since the index was made was told to be missing."""
    Memory.init(str(repo))
    repo.add("typed.py", TEXT)
    path = repo / "typed.py"
    log = f"{path}:8:7 - error: {MESSAGE} (reportUndefinedVariable)\n"
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([log], command="pyright", record=True).written
        memory.checks.catch_up()
    folder = derived_folder(repo)
    shutil.copytree(folder, repo / "before")
    with Memory.open(str(repo)) as memory:
        memory.resolve(error, {"approach": "call first instead"})
    shutil.rmtree(folder)
    shutil.copytree(repo / "before", folder)
    client = Editor(repo)
    try:
        with lock(str(folder / "lock"), 0):
            client.initialize(repo)
            client.open(path, TEXT)
            client.forward(path, diagnostic())
            shown = ""

            def is_told() -> bool:
                nonlocal shown
                shown = text_of(client.hover_now(path, 7, 10))
                assert "No fix is recorded yet" not in shown
                return "undefined" in shown and STILL_READING in shown

            wait_until(is_told)
        wait_until(lambda: "call first instead" in text_of(client.hover(path, 7, 10)))
        assert STILL_READING not in text_of(client.hover_now(path, 7, 10))
    finally:
        client.close()
