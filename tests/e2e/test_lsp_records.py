"""The language server on record files: what is wrong, what to do about it, what may be typed."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from gitmem.records.schema import schemas
from tests.depth import sampled
from tests.e2e.lsp_editor import Editor, wait_until

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
CURSOR = "¦"
FIX = """\
schema: 1
id: fix-7k3m9q2d4x
kind: fix
title: t
created: '2026-01-01T00:00:00Z'
author:
  name: Ann
"""
NAME = "fixes/2026/01/t-fix-7k3m9q2d4x.yaml"
# Made up, in the form of a provider's token; put together so that no scanner takes it for one.
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


class World:
    """An editor with one record file open."""

    def __init__(self, root: "Checkout", editor: Editor) -> None:
        self.root = root
        self.editor = editor
        self.path = Path(root, ".memory", NAME)
        self.version = 0

    @property
    def document(self) -> dict[str, str]:
        return {"uri": self.path.as_uri()}

    def show(self, text: str, path: Path | None = None) -> tuple[int, int]:
        """Open a text or change to it; give the place of the cursor in it, in UTF-16 units."""
        self.path = path or self.path
        before, _, after = text.partition(CURSOR)
        self.version += 1
        if self.version == 1 or path:
            self.editor.open(self.path, before + after)
        else:
            self.editor.change(self.path, before + after, self.version)
        line = before.rpartition("\n")[2]
        return before.count("\n"), len(line.encode("utf-16-le")) // 2

    def ask(self, method: str, at: tuple[int, int] | None = None, **more: Any) -> Any:
        where = {"position": {"line": at[0], "character": at[1]}} if at else {}
        params = {"textDocument": self.document, **where, **more}
        return self.editor.request(f"textDocument/{method}", params)

    def problems(self, text: str) -> list[dict[str, Any]]:
        self.show(text)
        return self.editor.diagnostics(self.path)

    def until(self, *codes: str) -> list[dict[str, Any]]:
        """Wait until just these problems are told of the open file."""
        found = self.editor.diagnostics(self.path)
        while sorted(one["code"] for one in found) != [*codes]:
            found = self.editor.diagnostics(self.path)
        return found

    def labels(self, text: str) -> list[str]:
        """Give what is offered at the cursor."""
        found = self.ask("completion", self.show(text))
        return [item["label"] for item in found["items"]] if found else []

    def fixes(self, text: str, line: int) -> dict[str, str]:
        """Give the quick fixes on a line: their titles, and the text after each."""
        found = self.problems(text)
        whole = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        context = {"diagnostics": [one for one in found if one["range"]["start"]["line"] == line]}
        offered = self.ask("codeAction", range=whole, context=context) or []
        edited = {}
        for action in offered:
            if action["kind"] == "quickfix" and self.document["uri"] in action.get("edit", {}).get(
                "changes", {}
            ):
                assert action["diagnostics"][0]["source"] == "gitmem"
                changes = action["edit"]["changes"][self.document["uri"]]
                edited[action["title"]] = applied(text, changes)
        return edited


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """Carry out text edits, as an editor does that counts in UTF-16."""
    lines = text.split("\n")

    def offset(position: dict[str, int]) -> int:
        line = lines[position["line"]]
        units = line.encode("utf-16-le")[: 2 * position["character"]]
        before = sum(len(one) + 1 for one in lines[: position["line"]])
        return before + len(units.decode("utf-16-le"))

    spans = [(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.fixture
def error(repo: "Checkout", built: "Built") -> str:
    """Make a memory with an error and a decision; give the error's id."""
    (record,) = built(repo, naive).glob(".memory/errors/*/*/*.yaml")
    return record.stem[-len("err-0000000000") :]


def naive(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.commit()
    with Memory.open(str(repo)) as memory:
        memory.add(
            "error", {"title": "naïve 😀 datetime", "message": "m", "tags": ["time", "naïve"]}
        )
        memory.add("decision", {"title": "use UTC", "decision": "d", "tags": ["time"]})
        memory.checks.catch_up()


@pytest.fixture
def world(repo: "Checkout", error: str) -> Iterator[World]:
    client = Editor(repo)
    linked = {"textDocument": {"definition": {"linkSupport": True}}}
    client.initialize(repo, capabilities=linked)
    yield World(repo, client)
    client.close()


def span(found: dict[str, Any]) -> tuple[int, int, int]:
    start, end = found["range"]["start"], found["range"]["end"]
    assert start["line"] == end["line"]
    return start["line"], start["character"], end["character"]


# --- diagnostics --------------------------------------------------------------------------------


def test_a_link_to_nothing_is_told_at_the_link_and_goes_when_the_record_comes(
    world: World, error: str
) -> None:
    text = f"{FIX}links:\n  fixes:\n  - {error}\n  - err-0000000000\n"
    world.show(text)
    (found,) = world.until("dangling-link")
    assert span(found) == (10, 4, 18)
    with Memory.open(str(world.root)) as memory:
        memory.add("error", {"id": "err-0000000000", "title": "t", "message": "m"})
    world.until()


def test_a_link_to_another_kind_is_told(world: World, error: str) -> None:
    world.show(f"{FIX}links:\n  supersedes: [{error}]\n")
    (found,) = world.until("wrong-kind")
    assert found["severity"] == 1
    assert "another kind: error" in found["message"]


def test_a_circle_of_supersedes_is_told_at_the_link_that_closes_it(
    world: World, error: str
) -> None:
    with Memory.open(str(world.root)) as memory:
        (decision,) = memory.list("kind:decision")
        first = {"title": "newer", "decision": "d", "links": {"supersedes": [decision.id]}}
        middle = memory.add("decision", first)
        shown = memory.show(decision.id)
        memory.checks.catch_up()
    text = shown.text.decode() + f"links:\n  supersedes: [{middle.id}]\n"
    world.show(text, world.root / ".memory" / shown.row.path)
    (found,) = world.until("supersedes-cycle")
    assert text.split("\n")[span(found)[0]] == f"  supersedes: [{middle.id}]"
    world.show(shown.text.decode())
    world.until()


def test_a_session_without_a_record_is_mentioned(world: World) -> None:
    world.show(FIX + "session: ses-0000000000\n")
    (found,) = world.until("unwritten-session")
    assert found["severity"] == 3


def test_an_id_that_another_file_has_is_told(world: World, error: str) -> None:
    with Memory.open(str(world.root)) as memory:
        row = memory.find(error)
        text = memory.show(error).text.decode()
    world.show(text, world.root / ".memory" / row.path.replace("naive", "other"))
    (found,) = world.until("duplicate-id")
    assert span(found)[0] == 1
    assert row.path in found["message"]


def test_a_secret_is_told_where_it_stands_and_can_be_taken_out(world: World) -> None:
    text = f"{FIX}approach: 😀 use {TOKEN} now\nnotes: fine\n"
    (found,) = world.problems(text)
    start = len("approach: 😀 use ") + 1
    assert (found["code"], found["severity"], span(found)[:2]) == ("secret", 1, (7, start))
    assert TOKEN not in found["message"]
    ((title, after),) = world.fixes(text, 7).items()
    assert title == "Remove the secrets from this file"
    assert TOKEN not in after
    assert after.startswith(f"{FIX}approach: 😀 use <redacted:")
    assert after.endswith(" now\nnotes: fine\n")
    assert world.problems(after) == []


def test_markers_of_a_merge_are_told_and_one_side_can_be_kept(world: World) -> None:
    ours, theirs = "notes: ours\n", "notes: theirs\n"
    text = f"{FIX}<<<<<<< HEAD\n{ours}||||||| base\nnotes: old\n=======\n{theirs}>>>>>>> other\n"
    (found,) = world.problems(text)
    assert (found["code"], span(found)[0]) == ("conflict-marker", 7)
    assert world.fixes(text, 7) == {
        "Keep the first side": FIX + ours,
        "Keep the second side": FIX + theirs,
    }


# --- quick fixes --------------------------------------------------------------------------------


def test_a_slip_in_a_fields_name_is_told_and_mended(world: World) -> None:
    text = f"{FIX}outcom: worked\n"
    (found,) = world.problems(text)
    assert (found["code"], found["severity"], span(found)[:2]) == ("unknown-field", 2, (7, 0))
    assert world.fixes(text, 7) == {"Rename outcom to outcome": f"{FIX}outcome: worked\n"}


def test_a_slip_inside_a_part_is_mended_there(world: World) -> None:
    text = f"{FIX}anchors:\n- path: a.py\n  symbl: f\n"
    assert world.fixes(text, 9) == {
        "Rename symbl to symbol": f"{FIX}anchors:\n- path: a.py\n  symbol: f\n"
    }


def test_a_required_field_with_a_slip_is_renamed(world: World) -> None:
    text = FIX.replace("title: t", "titel: t")
    (found,) = world.problems(text)
    assert "title" in found["message"]
    line = found["range"]["start"]["line"]
    assert world.fixes(text, line) == {"Rename titel to title": FIX}


def test_fields_that_are_nobodys_slip_are_left_alone(world: World) -> None:
    assert world.problems(f"{FIX}our_own_field: 1\n") == []


def test_a_word_that_is_not_allowed_is_replaced_the_likeliest_first(world: World) -> None:
    text = f"{FIX}outcome: wroked\n"
    fixes = world.fixes(text, 7)
    assert list(fixes) == [
        f"Replace by {word}" for word in ("worked", "partial", "failed", "unverified")
    ]
    assert fixes["Replace by worked"] == f"{FIX}outcome: worked\n"


def test_a_link_to_nothing_can_be_removed_with_what_stays_empty(world: World, error: str) -> None:
    links = f"links:\n  fixes:\n  - {error}\n  - err-0000000000\n"
    assert world.fixes(FIX + links + "notes: n\n", 10) == {
        "Remove the link to err-0000000000": f"{FIX}links:\n  fixes:\n  - {error}\nnotes: n\n"
    }
    alone = "links:\n  fixes:\n  - err-0000000000\n"
    assert world.fixes(FIX + alone + "notes: n\n", 9) == {
        "Remove the link to err-0000000000": f"{FIX}notes: n\n"
    }


def test_an_id_with_a_slip_can_be_replaced_by_the_one_that_is_there(
    world: World, error: str
) -> None:
    slip = error[:-1] + ("0" if error[-1] != "0" else "1")
    text = f"{FIX}links:\n  fixes:\n  - {slip}\n"
    fixes = world.fixes(text, 9)
    title = f"Replace by {error}: naïve 😀 datetime (open)"
    assert fixes[title] == text.replace(slip, error)


def test_the_id_of_the_files_name_can_be_taken(world: World) -> None:
    text = FIX.replace("id: fix-7k3m9q2d4x", "id: fix-7k3m9q2d4z")
    assert world.fixes(text, 1) == {"Use the id in the file name, fix-7k3m9q2d4x": FIX}


def test_a_last_line_without_an_end_gets_one(world: World) -> None:
    assert world.fixes(FIX + "notes: n", 7) == {"End the last line": FIX + "notes: n\n"}


# --- completion ---------------------------------------------------------------------------------


def test_fields_are_offered_but_those_that_are_there(world: World) -> None:
    labels = world.labels(f"{FIX}{CURSOR}")
    known = {*schemas()["fix.schema.json"]["properties"]}
    assert {*labels} == known - {"schema", "id", "kind", "title", "created", "author"}
    assert {*world.labels(f"{FIX}anchors:\n- path: x\n  {CURSOR}")} == {
        "lines", "symbol", "content_hash", "quote", "commit",
    }  # fmt: skip
    assert "path" in world.labels(f"{FIX}anchors:\n- {CURSOR}")
    assert "fixes" in world.labels(f"{FIX}links:\n  {CURSOR}\nnotes: n\n")


def test_a_field_is_written_with_its_colon_over_what_was_typed(world: World) -> None:
    text = f"{FIX}outc{CURSOR}"
    found = world.ask("completion", world.show(text))
    (item,) = [item for item in found["items"] if item["label"] == "outcome"]
    assert applied(text.replace(CURSOR, ""), [item["textEdit"]]) == f"{FIX}outcome: "
    assert "worked" in item["detail"]


def test_allowed_words_are_offered(world: World) -> None:
    assert world.labels(f"{FIX}outcome: {CURSOR}") == ["worked", "partial", "failed", "unverified"]
    assert world.labels(f"{FIX}applied: {CURSOR}") == ["true", "false"]
    assert world.labels(f"kind: {CURSOR}\n")[:2] == ["error", "fix"]
    assert world.labels(f"{FIX}author:\n  via: {CURSOR}") == ["human", "agent", "tool"]


def test_ids_are_offered_by_what_the_link_takes(world: World, error: str) -> None:
    for text in (
        f"{FIX}links:\n  fixes:\n  - {CURSOR}",
        f"{FIX}links:\n  fixes: [{CURSOR}",
        f"{FIX}links:\n  fixes:\n  - err-{CURSOR}",
        f"{FIX}links:\n  fixes:\n  - {error[:6]}{CURSOR}",
    ):
        assert world.labels(text) == [error], text
    assert len(world.labels(f"{FIX}links:\n  relates:\n  - {CURSOR}")) == 2
    assert world.labels(f"{FIX}reuses: {CURSOR}") == []


def test_tags_are_offered_the_most_used_first(world: World, error: str) -> None:
    assert world.labels(f"{FIX}tags:\n- {CURSOR}") == ["time", "naïve"]
    assert world.labels(f"{FIX}tags: [time, na{CURSOR}]") == ["naïve"]


def test_paths_of_the_repository_are_offered(world: World) -> None:
    (world.root / "src").mkdir()
    (world.root / "src" / "main.py").write_text("")
    assert world.labels(f"{FIX}anchors:\n- path: {CURSOR}") == ["src/"]
    assert world.labels(f"{FIX}anchors:\n- path: src/m{CURSOR}") == ["src/main.py"]
    assert world.labels(f"{FIX}anchors:\n- path: ../{CURSOR}") == []


def test_in_a_block_of_text_only_ids_are_offered(world: World, error: str) -> None:
    assert world.labels(f"{FIX}approach: |\n  some words {CURSOR}") == []
    assert world.labels(f"{FIX}approach: |\n  out{CURSOR}") == []
    assert world.labels(f"{FIX}approach: |\n  😀 see err-{CURSOR}") == [error]


def test_in_code_a_begun_id_is_completed(world: World, error: str) -> None:
    path = world.root / "main.py"
    at = world.show(f"# 😀 see err-{CURSOR} there\n", path)
    found = world.ask("completion", at)
    (item,) = found["items"]
    text = "# 😀 see err- there\n"
    assert applied(text, [item["textEdit"]]) == f"# 😀 see {error} there\n"
    assert not world.ask("completion", (0, 3))


# --- symbols and folding ------------------------------------------------------------------------


def test_fields_are_symbols_within_each_other(world: World) -> None:
    world.show(
        f"{FIX}steps:\n- one\n- 😀 two\nverification:\n  command: make\nnotes: |\n  a\n  b\n"
    )
    found = {one["name"]: one for one in world.ask("documentSymbol")}
    assert [one["name"] for one in found["steps"]["children"]] == ["one", "😀 two"]
    (command,) = found["verification"]["children"]
    assert (command["name"], command["detail"]) == ("command", "make")
    assert found["notes"]["range"]["end"] == {"line": 14, "character": 3}
    for symbol in found.values():
        inside, around = symbol["selectionRange"], symbol["range"]
        assert key(around["start"]) <= key(inside["start"])
        assert key(inside["end"]) <= key(around["end"])


def key(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


def test_what_takes_several_lines_can_be_folded(world: World) -> None:
    world.show(f"{FIX}anchors:\n- path: a\n  symbol: f\n- path: b\nnotes: |\n  a\n\n  b\n\n")
    found = {(one["startLine"], one["endLine"]) for one in world.ask("foldingRange")}
    assert found == {(5, 6), (7, 10), (8, 9), (11, 14)}


def test_records_are_symbols_of_the_workspace(world: World, error: str) -> None:
    world.show(FIX)
    world.editor.diagnostics(world.path)
    assert world.editor.hover(world.path, 0, 0) is None  # caught up
    found = world.editor.request("workspace/symbol", {"query": "datetime"})
    assert [one["name"] for one in found] == ["naïve 😀 datetime"]
    assert error in found[0]["containerName"]
    assert found[0]["location"]["uri"].endswith(f"{error}.yaml")
    assert len(world.editor.request("workspace/symbol", {"query": ""})) == 2


# --- ids in any file ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["main.py", ".git/COMMIT_EDITMSG", f".memory/{NAME}"])
def test_an_id_is_a_link_and_leads_to_its_record(world: World, error: str, name: str) -> None:
    at = world.show(f"# 😀 {CURSOR}{error} and err-0000000000\n", world.root / name)
    (link,) = world.ask("documentLink")
    assert span(link) == (0, 5, 5 + len(error))
    assert link["target"].endswith(f"{error}.yaml")
    assert link["tooltip"] == "error open: naïve 😀 datetime"
    (target,) = world.ask("definition", at)
    assert target["targetUri"] == link["target"]
    assert target["originSelectionRange"] == link["range"]
    assert not world.ask("definition", (0, 5 + len(error) + 5))


def test_a_client_that_knows_no_links_gets_a_location(world: World, error: str) -> None:
    other = Editor(world.root)
    try:
        other.initialize(world.root)
        path = world.root / "main.py"
        other.open(path, f"# {error}\n")
        where = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 4}}
        (target,) = other.request("textDocument/definition", where)
        assert target["uri"].endswith(f"{error}.yaml")
    finally:
        other.close()


def test_a_commit_message_in_a_linked_work_tree_finds_its_memory(
    world: World, error: str, tmp_path: Path
) -> None:
    world.root.commit("records")
    world.root.git("worktree", "add", "-q", str(tmp_path / "linked"))
    world.show(f"see {error}\n", world.root / ".git/worktrees/linked/COMMIT_EDITMSG")
    wait_until(lambda: bool(world.ask("documentLink")))  # nothing was derived there yet
    (link,) = world.ask("documentLink")
    assert link["target"].startswith((tmp_path / "linked").as_uri())


def test_everything_that_names_a_record_is_a_reference(world: World, error: str) -> None:
    with Memory.open(str(world.root)) as memory:
        fix = memory.resolve(error, {"approach": "use aware ones"})
    code = world.root / "src.py"
    code.write_text(f"# 😀 {error}, again {error}\n")
    (world.root / ".gitignore").write_text("ignored.py\n")
    (world.root / "ignored.py").write_text(f"# {error}\n")
    at = world.show(f"see {CURSOR}{error}\n", world.root / "notes.md")
    found = world.ask("references", at, context={"includeDeclaration": True})
    places = [(Path(one["uri"]).name, *span(one)) for one in found]
    assert [place for place in places if place[0] == "src.py"] == [
        ("src.py", 0, 5, 5 + len(error)),
        ("src.py", 0, 13 + len(error), 13 + 2 * len(error)),
    ]
    names = {place[0] for place in places}
    assert any(fix.id in name for name in names)
    assert any(error in name for name in names)
    assert "ignored.py" not in names
    without = world.ask("references", at, context={"includeDeclaration": False})
    assert not any(error in Path(one["uri"]).name for one in without)


# --- changes from outside -----------------------------------------------------------------------


def test_a_branch_switch_outside_reaches_hovers_and_open_record_files(
    world: World, error: str
) -> None:
    world.root.git("switch", "-qc", "other")
    world.root.commit("records")
    world.root.git("switch", "-q", "main")
    world.show(f"{FIX}links:\n  fixes:\n  - {error}\n")
    world.until("dangling-link")
    world.root.git("switch", "-q", "other")
    world.until()
    path = world.root / "main.py"
    world.show(f"# {error}\n", path)
    assert "datetime" in str(world.editor.hover(path, 0, 5))


@sampled(1)
@pytest.mark.parametrize("mode", ["poll", "off"])
def test_without_notices_from_the_system_answers_are_right_too(
    world: World, error: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_WATCH_MODE", mode)
    monkeypatch.setenv("GITMEM_WATCH_POLL_SECONDS", "0.1")
    other = Editor(world.root)
    try:
        other.initialize(world.root)
        path = world.root / "main.py"
        other.open(path, f"# {error}\n")
        wait_until(lambda: "datetime" in str(other.hover(path, 0, 5)))
        record = world.root / ".memory" / NAME
        if mode == "poll":
            other.open(record, f"{FIX}links:\n  fixes:\n  - err-0000000000\n")
            (found,) = other.diagnostics(record)
            assert found["code"] == "dangling-link"
        with Memory.open(str(world.root)) as memory:
            memory.resolve(error, {"approach": "another way"})
            memory.add("error", {"id": "err-0000000000", "title": "t", "message": "m"})
        if mode == "poll":  # nobody asks, and yet it is noticed
            while other.diagnostics(record):
                pass
        wait_until(lambda: "another way" in str(other.hover(path, 0, 5)))
    finally:
        other.close()


def test_nothing_here_ends_up_as_a_fault_in_the_log(world: World, error: str) -> None:
    odd = [
        "",
        "\n",
        ": :\n",
        "- - -\n",
        "a: |\n",
        "\t- x",
        "kind: [",
        "? x\n: y",
        "é: 😀\n- ",
        "{",
        "<<<<<<<",
    ]
    for text in odd:
        world.show(text)
        for line, character in ((0, 0), (0, 99), (99, 0)):
            at = (line, character)
            for method in ("completion", "definition", "hover"):
                world.ask(method, at)
            world.ask("references", at, context={"includeDeclaration": True})
        for method in ("documentSymbol", "foldingRange", "documentLink"):
            world.ask(method)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        world.ask("codeAction", range=whole, context={"diagnostics": []})
    world.editor.request("shutdown")
    world.editor.notify("exit")
    assert "fault" not in world.editor.log()
