"""Bad input 16, work trees in every state: nothing is touched, and the command is what counts.

In each state a command fails, its author edits, and it passes. Whatever git is in the middle of,
refs, HEAD, the index, the stash and all files stay as they are, byte by byte; the command's exit
code is ours; and where nothing can be learnt, one line says so.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.accounts import IS_ROOT
from tests.depth import amount, deep, only_deep, sampled
from tests.e2e.running import MACHINE, as_nobody, ok, open_to_all, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

_CHECK = """\
import sys
if "bug" in open("app.py").read():
    sys.exit(print("ValueError: cart is broken", file=sys.stderr) or 3)
"""


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits are made when they are made, and this is no CI."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a repository with a memory, a check, and code that passes it."""
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    filled(repo)
    repo.commit("start")


def filled(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("check.py", _CHECK)
    repo.add("app.py", "good\n")


def digests(folder: Path, *skipped: str) -> Iterator[tuple[str, str, int]]:
    for here, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one not in skipped]
        for name in names:
            path = Path(here, name)
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            # Git touches a shared index whenever it reads the one that is based on it.
            stamp = 0 if name.startswith("sharedindex.") else path.lstat().st_mtime_ns
            yield str(path), hashlib.sha256(data).hexdigest(), stamp


def state(repo: "Checkout") -> dict[str, object]:
    """Everything that somebody could notice; objects are added, and our own folder is ours."""
    common = Path(repo.git("rev-parse", "--path-format=absolute", "--git-common-dir"))
    quiet = ("-c", "core.fsmonitor=false", "--no-optional-locks")
    return {
        "git": sorted(digests(common, "objects", "gitmem")),
        "files": sorted(digests(repo, ".git", ".memory")),
        "status": repo.git(*quiet, "status", "--porcelain=v2", "--", ":(exclude).memory"),
        "refs": repo.git("for-each-ref"),
        "stash": repo.git("stash", "list"),
    }


def observe(repo: "Checkout", code: int, *words: str, **env: str) -> str:
    """Run the check under observation; nothing may be touched. Gives what was said."""
    before = state(repo)
    command = words or (sys.executable, "check.py")
    done = run(repo, "run", "--", *command, env={"PYTHONDONTWRITEBYTECODE": "1", **env})
    assert done.code == code, done
    assert state(repo) == before
    assert "Traceback" not in done.err
    return "\n".join(line for line in done.err.splitlines() if line.startswith(("gitmem", "note")))


def red_and_green(repo: "Checkout") -> None:
    """Fail, edit, pass: the fix is learnt, whatever state this is."""
    repo.add("app.py", "bug\n")
    assert "gitmem: new  ValueError: cart is broken" in observe(repo, 3)
    repo.add("app.py", "good again\n")
    said = observe(repo, 0)
    assert "ValueError: cart is broken" in said
    assert said.startswith(("gitmem: fixed", "gitmem: learnt")), said


# --- what git is in the middle of ----------------------------------------------------------------


def conflict(repo: "Checkout") -> None:
    """Make two branches that do not merge: main and side."""
    repo.add("other.py", "base\n")
    repo.commit("base")
    repo.git("switch", "-q", "-c", "side")
    repo.add("other.py", "side\n")
    repo.commit("side")
    repo.git("switch", "-q", "main")
    repo.add("other.py", "main\n")
    repo.commit("main")


def _merge(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("merge", "-q", "side", code=1)


def _merge_without_conflict(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("merge", "-q", "--no-ff", "--no-commit", "-X", "ours", "side")


def _rebase(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("rebase", "-q", "side", code=1)


def _rebase_by_patches(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("rebase", "-q", "--apply", "side", code=1)


def _cherry_pick(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("cherry-pick", "side", code=1)


def _revert(repo: "Checkout") -> None:
    conflict(repo)
    repo.git("revert", "--no-edit", "HEAD~1", code=1)


def _bisect(repo: "Checkout") -> None:
    for number in range(4):
        repo.add("other.py", f"{number}\n")
        repo.commit(str(number))
    repo.git("bisect", "start", "HEAD", "HEAD~3")


def _detached(repo: "Checkout") -> None:
    repo.git("checkout", "-q", "--detach")


def _locked(repo: "Checkout") -> None:
    repo.add(".git/index.lock", "")


def _stashed(repo: "Checkout") -> None:
    repo.add("app.py", "stashed\n")
    repo.git("stash", "-q")
    repo.add("app.py", "staged\n")
    repo.git("add", "app.py")


def _line_ends(repo: "Checkout") -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.git("config", "core.safecrlf", "true")
    repo.add("dos.txt", "a\r\nb\r\n")
    repo.add("mixed.txt", "a\r\nb\n")
    repo.git("add", "dos.txt")


def _letters(repo: "Checkout") -> None:
    repo.git("config", "core.ignorecase", "true")
    repo.add("Readme", "one\n")
    repo.git("add", "Readme")
    repo.add("README", "two\n")


def _monitor(repo: "Checkout") -> None:
    hook = repo.add(".git/hooks/monitor", f"#!/bin/sh\necho x >> '{repo.parent}/ran'\n")
    hook.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(hook))
    repo.git("update-index", "--fsmonitor")
    repo.git("status")


def _sparse(repo: "Checkout") -> None:
    repo.add("in/a", "1\n")
    repo.add("out/b", "1\n")
    repo.commit("folders")
    repo.git("sparse-checkout", "set", "in", ".memory")


def _sparse_index(repo: "Checkout") -> None:
    _sparse(repo)
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in", ".memory")


def _split_index(repo: "Checkout") -> None:
    repo.git("update-index", "--split-index")


def _large(repo: "Checkout") -> None:
    with Path(repo, "large.bin").open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)


STATES: dict[str, Callable[["Checkout"], None]] = {
    "merge": _merge,
    "merge-without-conflict": _merge_without_conflict,
    "rebase": _rebase,
    "rebase-by-patches": _rebase_by_patches,
    "cherry-pick": _cherry_pick,
    "revert": _revert,
    "bisect": _bisect,
    "detached": _detached,
    "index-locked": _locked,
    "stashed-and-staged": _stashed,
    "autocrlf": _line_ends,
    "ignorecase": _letters,
    "sparse": _sparse,
    "sparse-index": _sparse_index,
    "split-index": _split_index,
    "large-file": _large,
}


@sampled(3)
@pytest.mark.parametrize("name", STATES)
def test_in_the_middle_of(shop: "Checkout", name: str) -> None:
    STATES[name](shop)
    red_and_green(shop)


def test_no_commit_yet(make_repo: Callable[..., "Checkout"]) -> None:
    repo = make_repo("new", commit=False)
    filled(repo)
    red_and_green(repo)
    assert not (repo / ".git" / "index").exists()


def test_a_linked_work_tree(shop: "Checkout") -> None:
    shop.git("worktree", "add", "-q", "--detach", "../other")
    red_and_green(type(shop)(shop.parent / "other"))


def test_a_dirty_submodule(shop: "Checkout", make_repo: Callable[..., "Checkout"]) -> None:
    library = make_repo("library")
    library.add("code.c", "1\n")
    library.commit()
    shop.git("submodule", "--quiet", "add", str(library), "library")
    shop.commit("a library")
    inside = type(shop)(shop / "library")
    inside.add("code.c", "edited\n")
    inside.add("new.c", "new\n")
    before = state(inside)
    red_and_green(shop)
    assert state(inside) == before


# --- monitors ------------------------------------------------------------------------------------


def test_a_monitor_of_the_file_system_is_not_asked(shop: "Checkout") -> None:
    _monitor(shop)
    ran = shop.parent / "ran"
    assert ran.exists()  # git itself asks it
    ran.unlink()
    red_and_green(shop)
    assert not ran.exists()


def test_no_monitor_is_started(shop: "Checkout") -> None:
    """Git's own daemon, where this git has one, would outlive the command."""
    shop.git("config", "core.fsmonitor", "true")
    red_and_green(shop)
    told = subprocess.run(
        ["git", "fsmonitor--daemon", "status"], cwd=shop, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "is watching" not in told.stdout


# --- limits --------------------------------------------------------------------------------------


def test_a_file_over_the_limit_is_not_copied(shop: "Checkout") -> None:
    _large(shop)
    shop.add("app.py", "bug\n")
    observe(shop, 3)
    objects = [one for one in (shop / ".git" / "objects").rglob("*") if one.is_file()]
    largest = max(int(shop.git("cat-file", "-s", "".join(one.parts[-2:]))) for one in objects)
    assert largest < 100_000


@deep
@only_deep
@pytest.mark.slow
def test_too_many_files_are_said_and_the_command_runs(shop: "Checkout") -> None:
    folder = shop / "made"
    folder.mkdir()
    for number in range(amount(share=20_001, ci=20_001, whole=100_000)):
        (folder / str(number)).touch()
    shop.add("app.py", "bug\n")
    said = observe(shop, 3)
    assert "gitmem: new  ValueError: cart is broken" in said
    (note,) = [line for line in said.splitlines() if line.startswith("note: ")]
    assert "new or changed files (at most 20000)" in note
    assert "still failing" in observe(shop, 3)
    shop.add(".gitignore", "made/\n")
    assert "note: " not in observe(shop, 3)


def test_a_git_folder_that_can_only_be_read(shop: "Checkout", sealed_git: Path) -> None:
    before_the_command = as_nobody()
    shop.add("app.py", "bug\n")
    open_to_all(shop)
    open_to_all(sealed_git)
    for here, _, names in os.walk(shop / ".git"):
        for name in names:
            Path(here, name).chmod(0o444)
        Path(here).chmod(0o555)
    if IS_ROOT:  # git trusts only repositories of its own user
        for here, _, names in os.walk(shop):
            for path in (here, *(os.path.join(here, name) for name in names)):
                os.lchown(path, 65534, 65534)
    git = sorted(digests(shop / ".git"))
    script = "echo 'ValueError: cart is broken' >&2; exit 3"
    done = run(shop, "run", "--", "sh", "-c", script, wrap=before_the_command)
    assert done.code == 3, done
    assert "gitmem: new  ValueError: cart is broken" in done.err
    (note,) = [line for line in done.notes if "nothing can be learnt from this run" in line]
    assert "can't write" in note
    assert "Traceback" not in done.err
    assert sorted(digests(shop / ".git")) == git


def test_without_git_the_command_runs(shop: "Checkout") -> None:
    shop.add("app.py", "bug\n")
    done = run(shop, "run", "--", sys.executable, "check.py", env={"PATH": "/nowhere"})
    assert done.code == 3, done
    assert "git was not found" in done.err
    assert done.code != MACHINE
