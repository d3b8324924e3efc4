"""Layouts of a repository that git makes: each row of docs/layouts.md is a test that there is."""

import queue
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from gitmem.git.git_dirs import find
from gitmem.git.state import branch, tip_stamp
from gitmem.memory import Memory
from gitmem.store.store_change import StoreChange, WatchedStore
from gitmem.store.watch import Watcher

if TYPE_CHECKING:
    from tests.conftest import Checkout

ROOT: Final = Path(__file__).resolve().parents[2]
_TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def gitmem(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_each_row_of_the_table_names_a_test_that_there_is() -> None:
    page = (ROOT / "docs/layouts.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert len(rows) >= 8
    for row in rows:
        named = _TEST.findall(row)
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), row


@pytest.fixture
def make_tabled(make_repo: Callable[..., "Checkout"], tmp_path: Path) -> Callable[..., "Checkout"]:
    """Make repositories whose branches and logs stand in tables."""
    option = "--ref-format=reftable"
    tried = subprocess.run(
        ["git", "init", "-q", "--bare", option, tmp_path / "tried"],
        capture_output=True, check=False,
    )  # fmt: skip
    if tried.returncode:
        pytest.skip("this git is older than 2.45 and knows no tables")
    return lambda name: make_repo(name, option)


@pytest.mark.parametrize("layout", ["sha256", "separate"])
def test_a_fix_is_learnt_and_told_again(
    make_repo: Callable[..., "Checkout"],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    layout: str,
) -> None:
    monkeypatch.delenv("CI", raising=False)
    options = {
        "sha256": "--object-format=sha256",
        "separate": f"--separate-git-dir={tmp_path / 'elsewhere.git'}",
    }
    repo = make_repo("laid-out", options[layout])
    Memory.init(str(repo))
    learns_and_tells(repo)
    if layout == "sha256":
        assert len(repo.git("rev-parse", "HEAD").strip()) == 64
    else:
        assert (repo / ".git").is_file()


def test_a_repository_that_is_come_to_by_a_link_names_its_files_as_git_does(
    make_repo: Callable[..., "Checkout"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The records named the folder behind the link, of one machine."""
    monkeypatch.delenv("CI", raising=False)
    repo = make_repo("private")
    Memory.init(str(repo))
    repo.add("src/share.py", "print(6 / 0)\n")
    repo.commit("code")
    link = tmp_path / "var"
    link.symlink_to(repo)
    for folder in (link, link / "src"):
        monkeypatch.setenv("PWD", str(folder))
        gitmem(folder, "run", "--", sys.executable, str(link / "src/share.py"))
    repo.add("src/share.py", "print(6 / 2)\n")
    assert "learnt" in gitmem(folder, "run", "--", sys.executable, str(link / "src/share.py"))
    records = "".join(path.read_text() for path in (repo / ".memory/errors").rglob("*.yaml"))
    assert "file: src/share.py" in records
    assert 'File "src/share.py", line 1' in records
    assert str(link) not in records.partition("command:")[0]


def learns_and_tells(repo: "Checkout") -> None:
    """A fix is learnt from two watched runs, and told at the third."""
    broken, mended = "print(6 / 0)\n", "print(6 / 2)\n"
    repo.add("share.py", broken)
    repo.commit("code")
    run = ("run", "--", sys.executable, "share.py")
    assert "new  ZeroDivisionError" in gitmem(repo, *run)
    repo.add("share.py", mended)
    assert "replace `print(6 / 0)` by `print(6 / 2)`" in gitmem(repo, *run)
    repo.add("share.py", broken)
    assert "by `print(6 / 2)`" in gitmem(repo, *run)


def test_branches_in_tables_change_no_answer(
    make_tabled: Callable[..., "Checkout"], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git's log of HEAD and the branch's name stand in no file there."""
    monkeypatch.delenv("GIT_COMMITTER_DATE")  # its log would tell of another time
    monkeypatch.delenv("CI", raising=False)
    repo = make_tabled("tabled")
    Memory.init(str(repo))
    learns_and_tells(repo)
    repo.add("share.py", "print(6 / 2)\n")
    repo.add("sum.py", "print(1)\n")
    repo.commit("works")
    repo.git("checkout", "-q", "-b", "other")
    repo.add("sum.py", "print([][0])\n")
    repo.commit("fails")
    git_dirs = find(str(repo))
    assert git_dirs
    assert branch(git_dirs) == "other"
    before = tip_stamp(git_dirs)
    run = ("run", "--", sys.executable, "sum.py")
    assert "new  IndexError" in gitmem(repo, *run)
    repo.git("checkout", "-q", "main")
    assert "you switched branches" in gitmem(repo, *run)
    assert tip_stamp(git_dirs) != before
    repo.git("worktree", "add", "-q", "../linked")
    linked = type(repo)(repo.parent / "linked")
    there = find(str(linked))
    assert there
    before = tip_stamp(there)
    linked.commit("more")
    assert tip_stamp(there) != before


def test_a_checkout_with_branches_in_tables_is_heard_of(
    make_tabled: Callable[..., "Checkout"],
) -> None:
    repo = make_tabled("heard")
    Memory.init(str(repo))
    repo.commit("memory")
    repo.git("branch", "other")
    for polled in (False, True):
        heard: queue.SimpleQueue[StoreChange] = queue.SimpleQueue()
        with closing(Watcher(poll_seconds=0.1)) as watcher:
            place = WatchedStore(str(repo / ".memory"), str(repo / ".git"))
            watcher.add(place, heard.put, poll=polled)
            repo.git("checkout", "-q", "-" if polled else "other")
            assert heard.get(timeout=60).head


def test_a_bare_repository_names_its_work_trees_and_offers_no_memory(
    make_repo: Callable[..., "Checkout"], tmp_path: Path
) -> None:
    """``init`` made a memory beside it, which no commit could have."""
    repo = make_repo("first")
    group = tmp_path.resolve() / "group"
    repo.git("clone", "-q", "--bare", str(repo), str(group / ".bare"))
    (group / ".git").write_text("gitdir: ./.bare\n")
    top = type(repo)(group)
    for place in (group, group / ".bare", group / ".bare" / "refs"):
        for command in ("list", "init"):
            said = gitmem(place, command)
            assert f"{group / '.bare'} is a git folder without a work tree" in said
            assert "change to a git work tree" in said
            assert "gitmem init" not in said
    top.git("worktree", "add", "-q", "main-tree", "main")
    work_tree = group / "main-tree"
    for command in ("list", "init"):
        assert f"change to one of its work trees: {work_tree}" in gitmem(group, command)
    assert not (group / ".memory").exists()
    assert "made" in gitmem(work_tree, "init")
    learns_and_tells(type(repo)(work_tree))


def test_a_repository_named_only_by_variables_is_not_guessed_at(
    make_repo: Callable[..., "Checkout"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo("named")
    Memory.init(str(repo))
    repo.commit("memory")
    beside = tmp_path / "beside"
    beside.mkdir()
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(beside))
    assert "no memory in" in gitmem(beside, "list")
    said = gitmem(repo, "doctor")
    assert "not a git repository" not in said
