"""The commit that added a record, whatever was rebased, squashed, picked or moved since."""

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem
from gitmem.git.provenance import Pull, origin_of, origins
from gitmem.memory import Memory
from gitmem.render.history import provenance as told
from gitmem.render.history_json import provenance as as_json
from gitmem.render.text import Painter
from tests.depth import sampled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.answers.places import RecordOrigin
    from tests.conftest import Checkout


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add("shop.py", "print(1)\n")
    repo.commit("start")
    return repo


def write(shop: "Path", title: str = "A rule") -> str:
    with Memory.open(str(shop)) as memory:
        return memory.add("decision", {"title": title, "decision": "so it is"}).id


def source(shop: "Path", reference: str, revision: str | None = None) -> "RecordOrigin":
    with Memory.open(str(shop)) as memory:
        return memory.history.provenance(reference, revision)


def commit_of(shop: "Path", reference: str) -> str:
    known = source(shop, reference).known
    return known.commit if known else ""


def test_what_git_says_of_the_commit(shop: "Checkout") -> None:
    rule = write(shop)
    message = "Add a rule (#12)\n\nWhy.\n\nPull-Request: https://example.com/pull/12\nPR: #12"
    commit = shop.commit(
        message, "--author", "Ann <ann@example.org>", "--date", "2025-05-06T07:08Z"
    )
    known = source(shop, rule).known
    assert known
    assert (known.commit, known.author, known.email) == (commit, "Ann", "ann@example.org")
    assert known.subject == "Add a rule (#12)"
    assert f"{known.written:%Y-%m-%d %H:%M}" == "2025-05-06 07:08"
    assert f"{known.at:%Y-%m-%d}" == "2026-01-02"
    assert known.pulls == (
        Pull("https://example.com/pull/12", "trailer Pull-Request"),
        Pull("#12", "trailer PR"),
        Pull("#12", "squash merge"),
    )
    assert known.branches == ("main",)
    assert (known.merged_by, known.merged_from) == ("", "")


@sampled(2)
@pytest.mark.parametrize(
    ("message", "branch", "pulls"),
    [
        ("Merge branch 'work'", "work", ()),
        ("Merge pull request #7 from ann/work", "ann/work", (Pull("#7", "merge commit"),)),
        ("Merge branch 'work' into 'main'\n\nSee merge request shop/shop!8", "work",
         (Pull("shop/shop!8", "merge request"),)),
        ("Bring it in", "", ()),
    ],
)  # fmt: skip
def test_the_merge_that_brought_it(
    shop: "Checkout", message: str, branch: str, pulls: tuple[Pull, ...]
) -> None:
    shop.git("checkout", "-q", "-b", "work")
    rule = write(shop)
    commit = shop.commit("a rule")
    shop.commit("more")
    shop.git("checkout", "-q", "main")
    shop.commit("meanwhile")
    shop.git("merge", "-q", "--no-ff", "-m", message, "work")
    merge = shop.git("rev-parse", "HEAD")
    shop.commit("later")
    known = source(shop, rule).known
    assert known
    assert (known.commit, known.merged_by, known.merged_from) == (commit, merge, branch)
    assert known.pulls == pulls
    assert set(known.branches) == {"main", "work"}
    # Seen from the branch itself nothing was merged.
    shop.git("checkout", "-q", "work")
    on_branch = source(shop, rule).known
    assert on_branch
    assert on_branch.merged_by == ""


def test_in_no_commit_yet(shop: "Checkout") -> None:
    rule = write(shop)
    assert source(shop, rule).why_not == "in no commit yet"
    shop.git("add", "-A")
    assert source(shop, rule).known is None
    assert "in no commit yet" in "\n".join(told(source(shop, rule), Painter()))
    assert as_json(source(shop, rule))["commit"] is None


def test_before_the_first_commit(make_repo: "Callable[..., Checkout]") -> None:
    fresh = make_repo("fresh", commit=False)
    Memory.init(str(fresh))
    rule = write(fresh)
    assert source(fresh, rule).why_not == "in no commit yet"
    first = fresh.commit("all of it")
    assert commit_of(fresh, rule) == first


def test_a_moved_file_keeps_its_origin(shop: "Checkout") -> None:
    rule = write(shop)
    added = shop.commit("a rule")
    with Memory.open(str(shop)) as memory:
        old = memory.find(rule).path
    new = f".memory/decisions/2020/01/another-name-{rule}.yaml"
    (shop / new).parent.mkdir(parents=True)
    shop.git("mv", f".memory/{old}", new)
    assert commit_of(shop, rule) == added
    shop.commit("tidy up")
    assert commit_of(shop, rule) == added
    assert source(shop, rule).path == new


def test_a_file_that_was_moved_there_and_back_keeps_its_origin(shop: "Checkout") -> None:
    rule = write(shop, "There and back")
    origin = shop.commit("a rule")
    (path,) = (shop / ".memory/decisions").rglob("*.yaml")
    path.rename(path.with_name(f"renamed-{path.name}"))
    moved = shop.commit("there")
    shop.git("revert", "--no-edit", moved)
    assert commit_of(shop, rule) == origin
    shop.git("revert", "--no-edit", "HEAD")
    assert commit_of(shop, rule) == origin


def many(shop: "Checkout") -> None:
    """Write so many records that all the folder ever got is read at once."""
    for number in range(12):
        write(shop, f"Another {number}")
    shop.commit("many")


def origins_of_all(shop: "Checkout") -> dict[str, str]:
    with Memory.open(str(shop)) as memory:
        assert memory.workspace.site.git_dirs
        files = {f".memory/{row.path}": row.id for row in memory.list()}
        found = origins(memory.workspace.site.git_dirs, sorted(files), folder=".memory")
    return {files[path]: commit for path, commit in found.items()}


@pytest.mark.parametrize("how", [commit_of, lambda shop, rule: origins_of_all(shop)[rule]])
def test_a_second_file_of_the_same_record_is_not_its_origin(
    shop: "Checkout", how: "Callable[[Checkout, str], str]"
) -> None:
    many(shop)
    rule = write(shop, "Twice")
    origin = shop.commit("a rule")
    (path,) = (shop / ".memory").rglob(f"*{rule}.yaml")
    text = path.read_bytes()
    path.rename(path.with_name(f"renamed-{path.name}"))
    shop.commit("move it")
    path.write_bytes(text)
    shop.commit("bring it once more")
    path.unlink()
    shop.commit("take that away")
    assert how(shop, rule) == origin


@pytest.mark.parametrize("how", [commit_of, lambda shop, rule: origins_of_all(shop)[rule]])
def test_what_another_branch_brought_counts_where_this_one_took_it_away(
    shop: "Checkout", how: "Callable[[Checkout, str], str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    many(shop)
    shop.git("checkout", "-q", "-b", "work")
    write(shop, "Before")
    shop.commit("before")
    rule = write(shop, "Picked")
    picked = shop.commit("a rule")
    shop.git("checkout", "-q", "main")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2027-01-01T00:00:00+00:00")
    shop.git("cherry-pick", picked)
    shop.git("revert", "--no-edit", "HEAD")
    write(shop, "Main goes on")
    shop.commit("main goes on")
    shop.git("merge", "-q", "--no-edit", "work")
    assert how(shop, rule) == picked


def test_amend_and_rebase_change_the_commit_and_it_is_told(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    rule = write(shop)
    first = shop.commit("a rule")
    shop.git("commit", "-q", "--amend", "-m", "a better name")
    amended = commit_of(shop, rule)
    assert amended == shop.git("rev-parse", "HEAD") != first
    shop.git("checkout", "-q", "main")
    shop.add("other.py", "x\n")
    shop.commit("meanwhile")
    shop.git("checkout", "-q", "work")
    shop.git("rebase", "-q", "main")
    assert commit_of(shop, rule) == shop.git("rev-parse", "HEAD") != amended


def test_squash_and_cherry_pick(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    one = write(shop, "One")
    picked = shop.commit("one")
    two = write(shop, "Two")
    shop.commit("two")
    shop.git("checkout", "-q", "main")
    shop.commit("meanwhile")
    shop.git("cherry-pick", picked)
    pick = shop.git("rev-parse", "HEAD")
    assert commit_of(shop, one) == pick != picked
    shop.git("merge", "-q", "--squash", "work")
    squash = shop.commit("Two of them (#9)")
    known = source(shop, two).known
    assert known
    assert known.commit == squash
    assert known.pulls == (Pull("#9", "squash merge"),)
    assert commit_of(shop, one) == pick


def test_reverted_and_brought_back(shop: "Checkout") -> None:
    rule = write(shop)
    shop.commit("a rule")
    shop.git("revert", "--no-edit", "HEAD")
    shop.git("revert", "--no-edit", "HEAD")
    assert commit_of(shop, rule) == shop.git("rev-parse", "HEAD")


def test_a_shallow_clone_does_not_blame_its_oldest_commit(
    shop: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    old = write(shop, "Old")
    shop.commit("old")
    new = write(shop, "New")
    tip = shop.commit("new")
    clone = make_repo("clone", commit=False)
    clone.git("fetch", "-q", "--depth", "2", f"file://{shop}", "main")
    clone.git("checkout", "-q", "FETCH_HEAD")
    assert commit_of(clone, new) == tip
    assert source(clone, old).known is None
    assert "shallow" in source(clone, old).why_not


def test_a_detached_head_and_an_older_revision(shop: "Checkout") -> None:
    old = write(shop, "Old")
    first = shop.commit("old")
    new = write(shop, "New")
    shop.commit("new")
    known = source(shop, old, "HEAD~1").known
    assert known
    assert known.commit == first
    shop.git("checkout", "-q", "--detach", "HEAD~1")
    assert commit_of(shop, old) == first
    with Memory.open(str(shop)) as memory:
        assert [row.id for row in memory.list()] == [old]
    shop.git("checkout", "-q", "main")
    assert commit_of(shop, new) == shop.git("rev-parse", "HEAD")


def test_while_a_merge_is_in_conflict(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "work")
    theirs = write(shop, "Theirs")
    shop.add("shop.py", "print(2)\n")
    shop.commit("theirs")
    shop.git("checkout", "-q", "main")
    ours = write(shop, "Ours")
    shop.add("shop.py", "print(3)\n")
    commit = shop.commit("ours")
    shop.git("merge", "-q", "work", code=1)
    assert commit_of(shop, ours) == commit
    assert source(shop, theirs).why_not == "in no commit yet: a merge is under way"


def test_a_memory_of_a_package(repo: "Checkout") -> None:
    (repo / "pkg").mkdir()
    Memory.init(str(repo / "pkg"), here=True)
    rule = write(repo / "pkg")
    commit = repo.commit("a rule")
    assert commit_of(repo / "pkg", rule) == commit


def test_any_file_has_an_origin(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        places = memory.workspace.site.git_dirs
    assert places
    shop.add("odd name [1]*.txt", "x\n")
    commit = shop.commit("odd")
    shop.add("odd name 1x.txt", "x\n")
    shop.commit("not this one")
    origin = origin_of(places, "odd name [1]*.txt")
    assert origin
    assert commit.startswith(origin.id)
    assert origin_of(places, "nowhere.txt") is None


def test_outside_git_nothing_is_known(tmp_path: "Path", sealed_git: "Path") -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    Memory.init(str(folder))
    rule = write(folder)
    with pytest.raises(EnvironmentProblem, match="needs a git repository"):
        source(folder, rule)


def test_forms_say_the_same(shop: "Checkout") -> None:
    rule = write(shop)
    commit = shop.commit("Add a rule (#12)")
    found = source(shop, rule)
    text = "\n".join(told(found, Painter()))
    data = json.loads(json.dumps(as_json(found)))
    assert data["commit"] == commit
    assert data["pull_requests"] == [{"name": "#12", "said_by": "squash merge"}]
    for word in (commit[:10], "Ada Lovelace", "#12 (squash merge)", "main"):
        assert word in text
