"""Which records touched a line: through renames, moves, picks and squashed branches."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import GitmemError, InvalidError, NotFoundError
from gitmem.git.blame import blame
from gitmem.memory import Memory
from gitmem.render import history as plain
from gitmem.render.history_json import history as as_json
from gitmem.render.text import Painter
from tests.depth import sampled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.answers.places import FileHistory
    from tests.conftest import Checkout

PATH = "src/shop.py"
CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add(PATH, CODE)
    repo.commit("start")
    return repo


def add(shop: "Path", kind: str = "decision", **fields: Any) -> str:
    made = {"title": f"A {kind}", **({"decision": "x"} if kind == "decision" else {}), **fields}
    with Memory.open(str(shop)) as memory:
        return memory.add(kind, made).id


def asked(shop: "Path", place: str) -> "FileHistory":
    with Memory.open(str(shop)) as memory:
        return memory.history.blame(place)


def touched(shop: "Path", place: str) -> dict[str, str]:
    return {one.row.id: one.why for one in asked(shop, place).touches}


def change(shop: "Checkout", number: int, text: str = "", path: str = PATH) -> None:
    """Rewrite a line of the code."""
    lines = (shop / path).read_text().splitlines()
    lines[number - 1] = text or f"value_{number} = improved_computation(of={number})"
    shop.add(path, "\n".join(lines) + "\n")


def test_the_reasons(shop: "Checkout") -> None:
    anchored = add(shop, anchors=[{"path": PATH, "lines": [4, 6]}])
    ruled = add(shop, governs=["src/**"])
    add(shop, governs=["doc/**"])
    shop.commit("rules")
    assert asked(shop, PATH).governing[0].why == "governs this file"
    error = add(shop, "error", message="boom")
    change(shop, 5)
    with Memory.open(str(shop)) as memory:
        fix = memory.resolve(error, {"approach": "improve it"}).id
    commit = shop.commit("improve")
    found = asked(shop, f"{PATH}:5")
    assert touched(shop, f"{PATH}:5")[fix] == "same commit"
    assert touched(shop, f"{PATH}:5")[error] == "same commit"
    assert [one.row.id for one in found.governing] == [ruled]
    assert found.lines[0].commit == commit
    # The place that the rule speaks of changed, but for its first line.
    assert touched(shop, f"{PATH}:4") == {anchored: "anchored here"}


def test_lines_that_moved_and_a_file_that_was_renamed(shop: "Checkout") -> None:
    anchored = add(shop, anchors=[{"path": PATH, "lines": [7, 7]}])
    named = add(shop, title="By name", governs=[PATH])
    shop.commit("a rule")
    note = add(shop, "note", body="why so")
    change(shop, 9)
    shop.commit("nine")
    shop.add(PATH, "# one\n# two\n" + (shop / PATH).read_text())
    shop.git("mv", PATH, "src/store.py")
    shop.commit("rename")
    assert touched(shop, "src/store.py:9") == {anchored: "anchored here"}
    assert touched(shop, "src/store.py:11") == {note: "same commit"}
    assert touched(shop, "src/store.py:10") == {}
    assert [one.row.id for one in asked(shop, "src/store.py").governing] == [named]
    with pytest.raises(NotFoundError, match="no file"):
        asked(shop, PATH)


def test_a_function_that_moved_to_another_file_brings_its_records(shop: "Checkout") -> None:
    lines = CODE.splitlines(keepends=True)
    anchored = add(shop, anchors=[{"path": PATH, "lines": [12, 12]}])
    note = add(shop, "note", body="why twelve to sixteen")
    shop.add(PATH, "".join(lines[:11]) + "".join(
        f"def step_{number}(): return compute_all_of_it({number})\n" for number in range(12, 17)
    ) + "".join(lines[16:]))  # fmt: skip
    shop.commit("steps")
    later = add(shop, anchors=[{"path": PATH, "lines": [13, 13]}])
    shop.commit("a rule")
    moved = (shop / PATH).read_text().splitlines(keepends=True)
    shop.add("src/steps.py", "".join(moved[11:16]))
    shop.add(PATH, "".join(moved[:11] + moved[16:]))
    shop.commit("move them")
    found = {one.row.id: (one.why, one.detail) for one in asked(shop, "src/steps.py:2").touches}
    assert found.pop(later) == ("anchored here", f"moved from {PATH}")
    assert {why for why, _ in found.values()} == {"same commit"}
    assert found.keys() == {note, anchored}
    assert later not in touched(shop, "src/steps.py:3")


def test_a_cherry_picked_change_brings_what_its_equal_brought(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    change(shop, 5)
    rule = add(shop)
    shop.commit("improve, with its record")
    shop.git("checkout", "-q", "main")
    shop.git("cherry-pick", "--no-commit", "work")
    shop.git("rm", "-q", "--cached", "-r", ".memory/decisions")
    for path in (shop / ".memory/decisions").rglob("*.yaml"):
        path.unlink()
    shop.commit("improve, without it")
    shop.git("checkout", "-q", "work", "--", ".memory")
    shop.commit("the records of work")
    assert touched(shop, f"{PATH}:5") == {rule: "same change"}
    assert touched(shop, f"{PATH}:6") == {}


def test_a_squashed_branch_that_is_still_there(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    change(shop, 5)
    first = add(shop, title="First")
    shop.commit("one")
    change(shop, 15)
    second = add(shop, title="Second")
    shop.commit("two")
    shop.git("checkout", "-q", "main")
    shop.add("other.py", "x\n")
    shop.commit("meanwhile")
    shop.git("merge", "-q", "--squash", "work")
    shop.git("reset", "-q", ".memory")
    for path in (shop / ".memory/decisions").rglob("*.yaml"):
        path.unlink()
    shop.commit("both")
    shop.git("checkout", "-q", "work", "--", ".memory")
    shop.commit("the records of work")
    assert touched(shop, f"{PATH}:5") == {first: "squashed", second: "squashed"}
    assert touched(shop, f"{PATH}:6") == {}
    shop.git("branch", "-q", "-D", "work")
    assert touched(shop, f"{PATH}:5") == {}


def test_rebase_and_revert(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    change(shop, 5)
    rule = add(shop)
    shop.commit("improve")
    shop.git("checkout", "-q", "main")
    shop.add("other.py", "x\n")
    shop.commit("meanwhile")
    shop.git("rebase", "-q", "main", "work")
    assert touched(shop, f"{PATH}:5") == {rule: "same commit"}
    kept = add(shop, title="Kept")
    shop.commit("another record")
    shop.git("revert", "--no-edit", "HEAD~1")
    assert touched(shop, f"{PATH}:5") == {}
    with Memory.open(str(shop)) as memory:
        assert [row.id for row in memory.list()] == [kept]


def test_a_patch_that_added_just_this_line(shop: "Checkout") -> None:
    change(shop, 5)
    patch = shop.git("diff") + "\n"
    shop.commit("improve")
    error = add(shop, "error", message="boom")
    with Memory.open(str(shop)) as memory:
        fix = memory.resolve(error, {"approach": "improve it", "patch": patch}).id
        memory.resolve(error, {"approach": "no", "patch": patch, "outcome": "failed"})
    shop.commit("written down later")
    assert touched(shop, f"{PATH}:5") == {fix: "its patch added this line", error: "fixed here"}
    assert touched(shop, f"{PATH}:6") == {}
    # Where the line is there twice, nobody knows which one it added.
    change(shop, 9, "value_5 = improved_computation(of=5)")
    shop.commit("the same elsewhere")
    assert touched(shop, f"{PATH}:5") == {}


def test_ranges_of_a_file(shop: "Checkout") -> None:
    anchored = add(shop, anchors=[{"path": PATH, "lines": [4, 6]}])
    shop.commit("a rule")
    note = add(shop, "note", body="ten")
    change(shop, 10)
    commit = shop.commit("ten")
    found = asked(shop, PATH)
    spans = [(one.first, one.last, [touch.row.id for touch in one.touches])
             for one in found.lines if one.touches]  # fmt: skip
    assert spans == [(4, 6, [anchored]), (10, 10, [note])]
    assert sum(one.last - one.first + 1 for one in found.lines) == 20
    text = "\n".join(plain.blame(found, Painter()))
    assert f"{PATH}:4-6" in text
    assert f"{PATH}:10  {commit[:10]}" in text
    data = json.loads(json.dumps(as_json(found)))
    assert [(one["first"], one["last"]) for one in data["lines"]] == [(4, 6), (10, 10)]
    assert data["lines"][1]["records"][0]["why"] == "same commit"


def test_what_can_not_be_placed_is_withheld_and_said(shop: "Checkout") -> None:
    rule = add(shop, anchors=[{"path": PATH, "lines": [4, 4]}])
    shop.commit("a rule")
    change(shop, 4)
    commit = shop.commit("four")
    found = asked(shop, f"{PATH}:4")
    assert found.touches == []
    assert [(one.wanted.row.id, one.reason) for one in found.withheld] == [
        (rule, f"the line changed in {commit[:10]}")
    ]
    assert "withheld" in "\n".join(plain.why(found, Painter()))


def test_lines_in_no_commit_and_files_that_git_does_not_know(shop: "Checkout") -> None:
    change(shop, 3)
    assert asked(shop, f"{PATH}:3").lines[0].commit == ""
    shop.add("new.py", "x = 1\n")
    rule = add(shop, governs=["new.py"])
    found = asked(shop, "new.py:1")
    assert [one.row.id for one in found.governing] == [rule]
    assert found.notes == ["new.py is in no commit yet"]


@pytest.mark.parametrize(
    ("place", "kind", "words"),
    [
        (f"{PATH}:99", NotFoundError, "has no line 99"),
        (f"{PATH}:0", InvalidError, "not a line number"),
        (f"{PATH}:x", InvalidError, "not a line number"),
        ("nowhere.py:3", NotFoundError, "no file"),
        ("blob.bin:1", InvalidError, "binary"),
        ("src:1", NotFoundError, "no file"),
    ],
)
def test_places_that_are_none(
    shop: "Checkout", place: str, kind: type[GitmemError], words: str
) -> None:
    shop.add("blob.bin", b"\0\1\2\n")
    with pytest.raises(kind, match=words):
        asked(shop, place)


@pytest.mark.parametrize(
    "path", ["odd name.py", "-dash.py", "a:12", "tab\tin.py", "dé.py", '"q".py']
)
def test_odd_names(shop: "Checkout", path: str) -> None:
    shop.add(path, CODE)
    note = add(shop, "note", body="odd")
    shop.commit("odd")
    assert touched(shop, path + ":3") == {note: "same commit"}
    with Memory.open(str(shop)) as memory:
        assert memory.workspace.site.git_dirs
        assert {one.path for one in blame(memory.workspace.site.git_dirs, path)} == {path}


def test_in_a_shallow_clone_the_oldest_commit_is_not_blamed(
    shop: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    add(shop, "note", body="old")
    change(shop, 3)
    shop.commit("old")
    new = add(shop, "note", body="new")
    change(shop, 4)
    shop.commit("new")
    clone = make_repo("clone", commit=False)
    clone.git("fetch", "-q", "--depth", "2", f"file://{shop}", "main")
    clone.git("checkout", "-q", "FETCH_HEAD")
    assert touched(clone, f"{PATH}:4") == {new: "same commit"}
    found = asked(clone, f"{PATH}:3")
    assert found.touches == []
    assert "shallow" in found.notes[0]


def test_in_a_conflict_on_a_detached_head_and_with_other_line_ends(shop: "Checkout") -> None:
    note = add(shop, "note", body="three")
    change(shop, 3)
    shop.commit("three")
    shop.git("checkout", "-q", "-b", "work")
    change(shop, 18, "theirs = 1")
    shop.commit("theirs")
    shop.git("checkout", "-q", "main")
    change(shop, 18, "ours = 1")
    shop.commit("ours")
    shop.git("merge", "-q", "work", code=1)
    assert touched(shop, f"{PATH}:3") == {note: "same commit"}
    shop.git("merge", "--abort")
    shop.git("checkout", "-q", "--detach")
    shop.git("config", "core.autocrlf", "true")
    (shop / PATH).write_bytes((shop / PATH).read_bytes().replace(b"\n", b"\r\n"))
    assert touched(shop, f"{PATH}:3") == {note: "same commit"}


def test_a_memory_of_a_package(repo: "Checkout") -> None:
    (repo / "pkg").mkdir()
    Memory.init(str(repo / "pkg"), here=True)
    repo.add("pkg/a.py", CODE)
    rule = add(repo / "pkg", anchors=[{"path": "a.py", "lines": [3, 3]}])
    repo.commit("all")
    assert touched(repo / "pkg", "a.py:3") == {rule: "anchored here"}
    assert touched(repo / "pkg", "a.py:4") == {rule: "same commit"}
    repo.git("mv", "pkg/a.py", "pkg/b.py")
    repo.commit("rename")
    assert touched(repo / "pkg", "b.py:3") == {rule: "anchored here"}


def test_a_record_whose_file_was_only_moved_did_not_come_with_the_commit(shop: "Checkout") -> None:
    rule = add(shop)
    shop.commit("a rule")
    (path,) = (shop / ".memory/decisions").rglob("*.yaml")
    path.rename(path.with_name(f"renamed-{path.name}"))
    change(shop, 5)
    kept = add(shop, "note", body="with the change")
    shop.commit("move a record, and improve")
    assert rule in {row.id for row in Memory.open(str(shop)).list()}
    assert touched(shop, f"{PATH}:5") == {kept: "same commit"}


def squashed(shop: "Checkout", *, whole: bool = True) -> str:
    """Make a function on a branch, in two commits; squash it; give the id of its record."""
    lines = [f"def step_{number}(): return compute_all_of_it({number})" for number in range(1, 7)]
    shop.git("checkout", "-q", "-b", "work")
    shop.add(PATH, CODE + "\n".join(lines[:3]) + "\n")
    rule = add(shop)
    shop.commit("one")
    shop.add(PATH, CODE + "\n".join(lines) + "\n")
    shop.commit("two")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--squash", "work")
    shop.git("rm", "-q", "-r", "--cached", ".memory/decisions")
    for path in (shop / ".memory/decisions").rglob("*.yaml"):
        path.unlink()
    if not whole:
        shop.add("src/more.py", "more = 1\n")
    shop.commit("both")
    shop.git("checkout", "-q", "work", "--", ".memory")
    shop.commit("the records of work")
    return rule


def move_steps(shop: "Checkout", old: str, new: str) -> None:
    lines = (shop / old).read_text().splitlines(keepends=True)
    there = [line for line in lines if line.startswith("def step_")]
    shop.add(old, "".join(line for line in lines if line not in there))
    shop.add(new, "import all_of_it\n" + "".join(there))
    shop.commit(f"move to {new}")


@sampled(1)
@pytest.mark.parametrize("rename", [False, True])
def test_squashed_and_then_moved_twice(shop: "Checkout", *, rename: bool) -> None:
    rule = squashed(shop)
    assert touched(shop, f"{PATH}:22") == {rule: "squashed"}
    move_steps(shop, PATH, "src/first.py")
    assert touched(shop, "src/first.py:3") == {rule: "squashed"}
    last = "src/second.py"
    if rename:
        shop.git("mv", "src/first.py", last)
        shop.commit("rename")
    else:
        move_steps(shop, "src/first.py", last)
    assert touched(shop, f"{last}:3") == {rule: "squashed"}
    assert touched(shop, f"{last}:1") == {}
    assert touched(shop, f"{PATH}:5") == {}


def test_a_squash_with_more_in_it_than_the_branch_is_withheld(shop: "Checkout") -> None:
    """Then it is not the same change, and nobody knows which of it the records were about."""
    squashed(shop, whole=False)
    assert touched(shop, f"{PATH}:22") == {}
    move_steps(shop, PATH, "src/first.py")
    assert touched(shop, "src/first.py:3") == {}
