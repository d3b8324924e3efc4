"""Every question about history, in every state that a checkout can be in.

One history is made once; then it is looked at from a linked work tree, a submodule, shallow and
partial clones, sparse checkouts, on a detached HEAD, in the middle of a rebase and of a merge,
with line ends of Windows. The answers have to be those of a plain clone. Where a clone lacks what
they rest on, that is said, and nothing is fetched.
"""

import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from tests.conftest import Checkout
from tests.depth import sampled

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row

PATH = "src/shop.py"
CODE = "".join(f"value_{number} = compute_the_value({number})\n" for number in range(1, 31))
OTHER = "docs/notes.txt"


class History(NamedTuple):
    """A repository with a history, and the ids of its records."""

    world: Checkout
    rule: str
    gone: str
    other: str
    error: str
    fix: str


def line(number: int) -> str:
    return f"value_{number} = compute_the_value({number})"


@pytest.fixture
def made(make_repo: Callable[..., Checkout]) -> History:
    """Make a history: rules at v1; a fix, a rename and a rewritten line at v2; a branch."""
    world = make_repo("made")
    Memory.init(str(world))
    world.add(PATH, CODE)
    world.add(OTHER, "The first line of the notes.\nThe second line of the notes.\n")
    world.add("src/big.py", CODE.replace("value", "size"))
    world.commit("code")
    with Memory.open(str(world)) as memory:

        def decide(title: str, path: str, *lines: int) -> str:
            anchors = [{"path": path, "lines": list(lines)}]
            return memory.add("decision", {"title": title, "decision": "x", "anchors": anchors}).id

        rule = decide("About ten", PATH, 10, 11)
        gone = decide("About twenty", PATH, 20, 20)
        other = decide("About notes", OTHER, 2, 2)
        error = memory.add("error", {"title": "Timeout", "message": "the bank is closed"}).id
    world.commit("rules")
    world.git("tag", "v1")
    with Memory.open(str(world)) as memory:
        fix = memory.resolve(error, {"approach": "ask on monday"}).id
    text = CODE.replace(line(5), "value_5 = ask_on_monday(5)").replace(line(20), "value_20 = None")
    world.git("mv", PATH, "src/store.py")
    world.add("src/store.py", "import bank\n" + text)
    world.commit("ask on monday (#7)")
    world.git("tag", "v2")
    world.git("checkout", "-q", "-b", "work")
    world.add("src/big.py", CODE.replace("value", "size").replace("size_1 =", "size_one ="))
    world.commit("work")
    world.git("checkout", "-q", "main")
    world.add("src/big.py", CODE.replace("value", "size").replace("size_1 =", "size_a ="))
    world.commit("main goes on")
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        world.git("config", name, "true")
    return History(world, rule, gone, other, error, fix)


# --- in which state -------------------------------------------------------------------------------


def clone(made: History, *options: str, name: str = "clone") -> Checkout:
    target = made.world.parent / name
    made.world.git("clone", "-q", *options, f"file://{made.world}", str(target))
    there = Checkout(target)
    if "--depth" not in options:
        there.git("branch", "-q", "work", "origin/work")
    return there


def linked(made: History) -> Checkout:
    target = made.world.parent / "linked"
    made.world.git("worktree", "add", "-q", "--detach", str(target), "main")
    return Checkout(target)


def submodule(made: History) -> Checkout:
    outer = Checkout(made.world.parent / "outer")
    outer.mkdir()
    outer.git("init", "-q")
    outer.git("submodule", "add", "-q", f"file://{made.world}", "parts/shop")
    outer.commit("with a part")
    inner = Checkout(outer / "parts/shop")
    inner.git("branch", "-q", "work", "origin/work")
    return inner


def sparse(made: History) -> Checkout:
    there = clone(made)
    there.git("sparse-checkout", "set", "src", ".memory")
    assert not (there / OTHER).exists()
    return there


def detached(made: History) -> Checkout:
    there = clone(made)
    there.git("checkout", "-q", "--detach")
    return there


def rebasing(made: History) -> Checkout:
    there = clone(made)
    there.git("checkout", "-q", "-b", "topic")
    there.git("reset", "-q", "--hard", "work")
    there.git("rebase", "-q", "main", code=1)
    return there


def merging(made: History) -> Checkout:
    there = clone(made)
    there.git("merge", "-q", "work", code=1)
    return there


def autocrlf(made: History) -> Checkout:
    there = clone(made, "-c", "core.autocrlf=true")
    assert b"\r\n" in (there / "src/store.py").read_bytes()
    return there


def eol(made: History) -> Checkout:
    """Line ends of Windows everywhere, also for record files: our own attributes are gone."""
    there = clone(made)
    attributes = there / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* text eol=crlf\n")
    for path in there.git("ls-files").splitlines():
        (there / path).unlink()
    there.git("checkout", "-q", "--", ".")
    records = list((there / ".memory/decisions").rglob("*.yaml"))
    assert all(b"\r\n" in path.read_bytes() for path in (*records, there / "src/store.py"))
    return there


def with_hidden_git(made: History) -> Checkout:
    there = clone(made)
    there.git("init", "-q", "--separate-git-dir", str(there.parent / "elsewhere.git"))
    return there


WHOLE: dict[str, Callable[[History], Checkout]] = {
    "clone": clone, "linked work tree": linked, "submodule": submodule, "detached": detached,
    "rebase": rebasing, "merge": merging, "autocrlf": autocrlf, "eol": eol,
    "separate git folder": with_hidden_git, "sparse": sparse,
}  # fmt: skip


# --- what is asked --------------------------------------------------------------------------------


def ids(rows: "list[Row]") -> list[str]:
    return sorted(row.id for row in rows)


def answers(root: Path, made: History) -> dict[str, Any]:
    """Ask everything; give the answers in a form that does not depend on the checkout."""
    with Memory.open(str(root)) as memory:
        with memory.history.at("v1") as past:
            at = {
                "search": sorted(hit.row.id for hit in past.search("bank closed about ten").hits),
                "list": [(row.id, row.status) for row in past.list()],
                "show": past.show(made.error).row.status,
            }
        step, since = memory.history.diff("v1", "v2"), memory.history.diff("v1")
        review = memory.history.review("v1..v2")
        source = memory.history.provenance(made.fix)
        assert source.known
        moved = memory.history.provenance(made.rule, "v1").known
        why = memory.history.blame("src/store.py:6")
        return {
            **at,
            "diff": [ids(step.added), ids(step.edited), ids(step.removed),
                     [(one.row.id, one.was) for one in step.turned]],
            "diff to the files": [ids(since.added), ids(since.edited), ids(since.removed)],
            "review": [
                review.files, ids([one.row for one in review.governing]),
                [(one.error.id, ids(list(one.fixes))) for one in review.attempts],
            ],
            "provenance": (source.known.commit, source.known.subject, source.known.pulls),
            "provenance at v1": moved and moved.commit,
            "why": [(one.row.id, one.why, one.detail) for one in why.touches],
            "why an anchor": [
                (one.row.id, one.why, one.detail)
                for one in memory.history.blame("src/store.py:11").touches
            ],
            "blame": [
                (one.first, one.last, [touch.row.id for touch in one.touches])
                for one in memory.history.blame("src/store.py").lines
            ],
            "anchors": sorted(
                (one.wanted.row.id, one.held and (one.held.path, one.held.first, one.held.last,
                                                  one.held.how), one.reason)
                for one in memory.history.anchors() if one.wanted.row.id != made.other
            ),
            "marks": [(mark.row.id, mark.line) for mark in memory.editor.marks("src/store.py")],
            "other": [(one.held, one.reason) for one in memory.history.anchors(made.other)],
        }  # fmt: skip


def test_what_a_plain_clone_says(made: History) -> None:
    """What all others are held against."""
    world = made.world
    fixed = world.git("rev-parse", "v2")
    said = answers(clone(made), made)
    assert said["show"] == "open"
    assert said["diff"] == [[made.fix], [], [], [(made.error, "open")]]
    assert said["diff to the files"] == [[made.fix], [], []]
    assert said["review"][0] == 1  # renamed and changed
    assert said["review"][2] == [(made.error, [made.fix])]
    assert said["provenance"][:2] == (fixed, "ask on monday (#7)")
    assert said["provenance at v1"] == world.git("rev-parse", "v1")
    assert (made.fix, "same commit", fixed[:10]) in said["why"]
    assert (made.rule, "anchored here", "renamed") in said["why an anchor"]
    places = {name: (held, reason) for name, held, reason in said["anchors"]}
    assert places[made.rule] == (("src/store.py", 11, 12, "renamed"), "")
    assert places[made.gone] == (None, f"the line changed in {fixed[:10]}")
    assert said["marks"] == [(made.rule, 11)]
    assert said["other"] == [((OTHER, 2, 2, "exact"), "")]


@sampled(2)
@pytest.mark.parametrize("state", [name for name in WHOLE if name != "clone"])
def test_the_answers_are_those_of_a_plain_clone(made: History, state: str) -> None:
    wanted = answers(clone(made, name="plain"), made)
    there = WHOLE[state](made)
    before = there.git("status", "--porcelain", "--ignored")
    said = answers(there, made)
    assert said == wanted
    assert there.git("status", "--porcelain", "--ignored") == before


def test_a_file_that_is_not_checked_out_is_as_the_commit_has_it(made: History) -> None:
    there = sparse(made)
    with Memory.open(str(there)) as memory:
        (placed,) = memory.history.anchors(made.other)
        assert placed.held == (OTHER, 2, 2, "exact")
        assert made.other not in {one.wanted.row.id for one in memory.history.stale()}
        (hit,) = memory.search("about notes", 1).hits
        # A look at the file is not enough, and search does not ask git.
        assert hit.standing == {made.other: (f"{OTHER} is not there any more", False)}
    there.git("rm", "-q", "--sparse", OTHER)
    with Memory.open(str(there)) as memory:
        (placed,) = memory.history.anchors(made.other)
        assert placed.reason == "file deleted, in no commit yet"


# --- what a clone lacks ---------------------------------------------------------------------------


def lacking(there: Checkout) -> int:
    return there.git("rev-list", "--objects", "--missing=print", "HEAD", "v1").count("\n?")


def test_a_shallow_clone_says_what_it_can_not_know(made: History) -> None:
    there = clone(made, "--depth", "2")
    with Memory.open(str(there)) as memory:
        for ask in (lambda: memory.history.at("v1"), lambda: memory.history.diff("v1"),
                    lambda: memory.history.review("v1..HEAD")):  # fmt: skip
            with pytest.raises(GitmemError) as refused:
                ask()
            assert "shallow" in refused.value.hint
        for name in (made.rule, made.fix):
            source = memory.history.provenance(name)
            assert source.known is None
            assert "git fetch --unshallow" in source.why_not
        found = memory.history.blame("src/store.py:6")
        assert [one.why for one in found.touches] == []
        assert found.notes == ["this clone is shallow: older commits are not known here"]
        assert [one.held for one in memory.history.anchors(made.rule)] == [None]
        assert ids(memory.list("status:resolved")) == [made.error]
        with memory.history.at("HEAD") as past:
            assert ids(past.list()) == ids(memory.list())


@sampled(1)
@pytest.mark.parametrize("what", ["blob:none", "tree:0"])
def test_a_partial_clone_fetches_nothing_and_says_what_it_lacks(made: History, what: str) -> None:
    there = clone(made, f"--filter={what}")
    before = lacking(there)
    assert before
    wanted = answers(clone(made, name="plain"), made)
    with Memory.open(str(there)) as memory:
        asked: dict[str, Callable[[], Any]] = {
            "search": lambda: memory.search("bank closed").hits,
            "list --at": lambda: listed_at(memory),
            "show --at": lambda: shown_at(memory, made.error),
            "diff": lambda: memory.history.diff("v1", "v2"),
            "review": lambda: memory.history.review("v1..v2"),
            "provenance": lambda: memory.history.provenance(made.fix).known,
            "why": lambda: memory.history.blame("src/store.py:6").touches,
            "blame": lambda: memory.history.blame("src/store.py").lines,
            "anchors": memory.history.anchors,
            "marks": lambda: memory.editor.marks("src/store.py"),
        }
        said: dict[str, str] = {}
        for name, ask in asked.items():
            try:
                ask()
            except GitmemError as error:
                said[name] = f"{error.message}: {error.hint}"
        known = memory.history.provenance(made.fix).known if "provenance" not in said else None
        assert known is None or known.commit == wanted["provenance"][0]
    assert lacking(there) == before, "something was fetched"
    assert "search" not in said
    for text in said.values():
        assert "partial clone" in text, said


def listed_at(memory: Memory) -> list[str]:
    with memory.history.at("v1") as past:
        return ids(past.list())


def shown_at(memory: Memory, name: str) -> bytes:
    with memory.history.at("v1") as past:
        return past.show(name).text


def test_what_a_partial_clone_lacks_of_the_past_is_a_problem_and_no_fault(made: History) -> None:
    """Records that are not checked out any more: git has their names, and not their text."""
    (path,) = made.world.rglob(f"*{made.other}.yaml")
    path.unlink()
    made.world.commit("forget one")
    there = clone(made, "--filter=blob:none")
    before = lacking(there)
    with Memory.open(str(there)) as memory, memory.history.at("v1") as past:
        assert made.other not in ids(past.list())
        assert made.rule in ids(past.list())
        (problem,) = [one for one in past.problems() if one.code == "unreadable"]
        assert "does not have its content" in problem.message
        assert "partial clone" in problem.hint
    assert lacking(there) == before


# --- hooks ----------------------------------------------------------------------------------------


@sampled(2)
@pytest.mark.parametrize("state", list(WHOLE))
def test_hooks_work_and_name_the_records(made: History, state: str) -> None:
    there = WHOLE[state](made)
    run = [sys.executable, "-m", "gitmem", "hooks"]
    done = subprocess.run([*run, "install"], cwd=there, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for path in there.git("diff", "--name-only", "--diff-filter=U").splitlines():
        there.git("checkout", "-q", "--ours", "--", path)
        there.git("add", path)
    with Memory.open(str(there)) as memory:
        name = memory.add("note", {"title": "written here", "body": "words"}).id
    there.git("add", "--sparse", ".memory")
    there.git("commit", "-q", "-m", "a note")
    assert there.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip() == name
    with Memory.open(str(there)) as memory:
        source = memory.history.provenance(name)
        merge = state == "merge"
        assert (source.known is None) is merge
        if source.known:
            assert source.known.commit == there.git("rev-parse", "HEAD")


# --- names of files -------------------------------------------------------------------------------

NAMES = [
    "a b.py", "it's.py", 'a "quoted" one.py', "new\nline.py", "tab\there.py", "back\\slash.py",
    "-dash.py", ":colon.py", "star*[x]?.py", "#hash.py", "~tilde.py", "{a,b}.py", "日本語.py",
    unicodedata.normalize("NFC", "é.py"), unicodedata.normalize("NFD", "é.py"), "emoji 🙂.py",
    "trailing .py ", "%41.py", "a\x01b.py",
]  # fmt: skip

REFUSED = {"new\nline.py"}
"""A record is text that people read and merge: it names no file that a line can't show."""


@sampled(3)
@pytest.mark.parametrize("name", NAMES, ids=[ascii(name) for name in NAMES])
def test_odd_names_of_files(repo: Checkout, name: str) -> None:
    path = f"src/{name}"
    Memory.init(str(repo))
    repo.add(path, CODE)
    repo.commit("code")
    with Memory.open(str(repo)) as memory:
        fields = {"title": "Rule", "decision": "x", "anchors": [{"path": path, "lines": [10, 10]}]}
        if name in REFUSED:
            with pytest.raises(GitmemError, match="path"):
                memory.add("decision", fields)
        rule = "" if name in REFUSED else memory.add("decision", fields).id
        note = memory.add("note", {"title": "n", "body": "b"}).id
    repo.add(path, "# first\n" + CODE.replace(line(20), "value_20 = None"))
    commit = repo.commit("with a note")
    with Memory.open(str(repo)) as memory:
        why = memory.history.blame(f"{path}:21")
        assert (note, "same commit", commit[:10]) in [
            (one.row.id, one.why, one.detail) for one in why.touches
        ]
        review = memory.history.review("HEAD~1..HEAD")
        assert review.files == 1
        if not rule:
            return
        (placed,) = memory.history.anchors(rule)
        assert placed.held
        assert (placed.held.path, placed.held.first) == (path, 11)
        assert memory.history.stale() == []
        assert [mark.line for mark in memory.editor.marks(path) if mark.row.id == rule] == [11]
        (hit,) = memory.search("kind:decision").hits
        assert hit.standing == {}
    repo.add(path, CODE.replace(line(10), "value_10 = None"))
    repo.commit("take it away")
    with Memory.open(str(repo)) as memory:
        (hit,) = memory.search("kind:decision").hits
        assert hit.standing[rule].stale
        assert [one.wanted.row.id for one in memory.history.stale()] == [rule]


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take no such name")
def test_a_name_that_is_no_text(repo: Checkout) -> None:
    path = os.fsdecode(b"src/latin\xe9.py")
    Memory.init(str(repo))
    repo.add(path, CODE)
    repo.commit("code")
    with Memory.open(str(repo)) as memory:
        note = memory.add("note", {"title": "n", "body": "b"}).id
    repo.add(path, CODE.replace(line(20), "value_20 = None"))
    repo.commit("with a note")
    with Memory.open(str(repo)) as memory:
        assert note in {one.row.id for one in memory.history.blame(f"{path}:20").touches}
        assert memory.history.review("HEAD~1..HEAD").files == 1
        with pytest.raises(GitmemError, match="path"):
            memory.add("note", {"title": "n", "body": "b", "anchors": [{"path": path}]})
