"""Snapshots of the work tree: complete, and without a trace."""

import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.git.changes import changes
from gitmem.git.command import git
from gitmem.git.repository import Repository, unified_diff
from gitmem.git.snapshot import CodeState, code_state, exists, snapshot
from gitmem.git.state import branch, head, in_progress
from gitmem.records.parts import Change
from tests.accounts import IS_ROOT
from tests.answers import derived_folder
from tests.depth import sampled

if TYPE_CHECKING:
    from tests.conftest import Checkout

ODD = [
    "a b",
    "quo\"te'",
    "line\nbreak",
    "tab\there",
    "ünï🙂",
    "-dash",
    "*.glob",
    ":(top)x",
    "~home",
]
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
needs_user = pytest.mark.skipif(IS_ROOT, reason="root may read everything")


def take(repo: "Checkout", **limits: Any) -> str:
    git_dir = repo.git("rev-parse", "--absolute-git-dir")
    return code_state(str(repo), git_dir, ".memory", **limits).tree


def names(repo: "Checkout", tree: str) -> set[str]:
    return set(repo.git("ls-tree", "-r", "-z", "--name-only", tree).split("\0")) - {""}


def content(repo: "Checkout", tree: str, path: str) -> str:
    return repo.git("cat-file", "blob", f"{tree}:{path}")


def traces(repo: "Checkout") -> dict[str, Any]:
    """Everything of a repository that a user could notice: no loose objects, nothing derived."""
    git_dir = Path(repo.git("rev-parse", "--absolute-git-dir"))
    files = {
        str(path.relative_to(git_dir)): path.read_bytes()
        for path in sorted(git_dir.rglob("*"))
        if path.is_file()
        and not {"objects", derived_folder(repo).name} & {*path.relative_to(git_dir).parts}
        if not path.name.startswith("code-index-")
    }
    work = {
        str(path.relative_to(repo)): (path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in sorted(Path(repo).rglob("*"))
        if ".git" not in path.parts and not path.is_dir()
    }
    index = git_dir / "index"
    return {
        "files": files,
        "work": work,
        "index": index.stat().st_mtime_ns if index.exists() else None,
        "status": repo.git("--no-optional-locks", "status", "--porcelain=v2"),
        "stash": repo.git("stash", "list"),
        "refs": repo.git("for-each-ref"),
    }


def busy(repo: "Checkout") -> None:
    """Bring a repository into a state with everything in it: staged, not, stashed, new."""
    for name in ("kept", "edited", "staged", "gone", "both"):
        repo.add(name, f"{name}\n")
    repo.add(".gitignore", "*.log\n")
    repo.commit()
    repo.add("edited", "to be stashed\n")
    repo.git("stash")
    repo.git("branch", "side")
    repo.add("edited", "edited since\n")
    repo.add("staged", "staged since\n")
    repo.add("both", "staged first\n")
    repo.git("add", "staged", "both")
    repo.add("both", "and edited again\n")
    (repo / "gone").unlink()
    repo.add("deep/new", "new\n")
    repo.add("noise.log", "ignored\n")
    (repo / "link").symlink_to("kept")
    repo.add("run", "#!/bin/sh\n").chmod(0o755)
    repo.add(".memory/errors/e.yaml", "not part of it\n")


def test_everything_is_in_it_as_it_stands(repo: "Checkout") -> None:
    busy(repo)
    tree = take(repo)
    assert names(repo, tree) == {
        ".gitignore", "kept", "edited", "staged", "both", "deep/new", "link", "run",
    }  # fmt: skip
    assert content(repo, tree, "edited") == "edited since"
    assert content(repo, tree, "both") == "and edited again"
    modes = {line.split("\t")[1]: line[:6] for line in repo.git("ls-tree", tree).splitlines()}
    assert (modes["run"], modes["link"], modes["kept"]) == ("100755", "120000", "100644")


def test_it_equals_what_committing_everything_would_give(repo: "Checkout") -> None:
    busy(repo)
    tree = take(repo)
    repo.git("add", "-A", "--", ":(exclude).memory")
    repo.git("commit", "-q", "-m", "all")
    assert repo.git("rev-parse", "HEAD^{tree}") == tree == take(repo)


def test_it_leaves_no_trace(repo: "Checkout") -> None:
    busy(repo)
    before = traces(repo)
    take(repo)
    assert traces(repo) == before
    assert not [*(repo / ".git" / "gitmem").glob("snapshot-*")]


def test_it_leaves_no_trace_where_it_fails(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    busy(repo)
    before = traces(repo)
    with pytest.raises(EnvironmentProblem) as caught:
        take(repo, max_untracked=1)
    assert ".gitignore" in caught.value.hint
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(repo / "nowhere"))
        with pytest.raises(EnvironmentProblem) as caught:
            snapshot(str(repo), str(repo / ".git"), ".memory")
        assert "git was not found" in caught.value.message
        assert caught.value.hint
    assert traces(repo) == before


def test_no_commit_and_no_index_yet(make_repo: Callable[..., "Checkout"]) -> None:
    new = make_repo("new", commit=False)
    empty = take(new)
    assert names(new, empty) == set()
    new.add("a", "1\n")
    assert names(new, take(new)) == {"a"}
    assert not (new / ".git" / "index").exists()


def test_the_memory_is_no_part_of_it_tracked_or_not(repo: "Checkout") -> None:
    repo.add("a", "1\n")
    bare = take(repo)
    repo.add(".memory/notes/n.yaml", "x\n")
    assert take(repo) == bare
    repo.commit()
    repo.add(".memory/notes/n.yaml", "y\n")
    assert take(repo) == bare
    repo.add(".memory-of-mine", "counts\n")
    repo.add("sub/.memory", "counts too\n")
    assert names(repo, take(repo)) == {"a", ".memory-of-mine", "sub/.memory"}


def test_a_memory_further_down(repo: "Checkout") -> None:
    repo.add("docs/.memory/n.yaml", "x\n")
    repo.add("docs/a", "1\n")
    repo.commit()
    tree = snapshot(str(repo), str(repo / ".git"), "docs/.memory")
    assert names(repo, tree) == {"docs/a"}


def test_an_edit_in_the_same_moment_as_the_index_is_seen(repo: "Checkout") -> None:
    """Size and times of the file are as the index has them: only its content tells."""
    repo.git("config", "core.trustCTime", "false")
    moment = 1_700_000_000 * 10**9
    file = repo.add("racy", "aaaa\n")
    os.utime(file, ns=(moment, moment))
    repo.git("add", "racy")
    os.utime(repo / ".git" / "index", ns=(moment, moment))
    file.write_text("bbbb\n")
    os.utime(file, ns=(moment, moment))
    assert content(repo, take(repo), "racy") == "bbbb"


def conflicted(repo: "Checkout") -> None:
    repo.add("f", "base\n")
    repo.add("deleted", "base\n")
    repo.commit()
    repo.git("switch", "-q", "-c", "side")
    repo.add("f", "side\n")
    repo.add("deleted", "changed there\n")
    repo.commit()
    repo.git("switch", "-q", "main")
    repo.add("f", "main\n")
    (repo / "deleted").unlink()
    repo.commit()
    repo.git("merge", "-q", "side", code=1)


def test_in_the_middle_of_a_merge_with_conflicts(repo: "Checkout") -> None:
    conflicted(repo)
    before = traces(repo)
    assert repo.git("ls-files", "-u")
    tree = take(repo)
    assert "<<<<<<<" in content(repo, tree, "f")
    assert content(repo, tree, "deleted") == "changed there"
    assert traces(repo) == before


def test_a_locked_index_is_no_obstacle(repo: "Checkout") -> None:
    repo.add("a", "1\n")
    (repo / ".git" / "index.lock").touch()
    assert names(repo, take(repo)) == {"a"}
    assert (repo / ".git" / "index.lock").exists()


def test_detached_head_and_a_linked_work_tree(repo: "Checkout") -> None:
    repo.add("a", "1\n")
    repo.commit()
    repo.git("worktree", "add", "-q", "--detach", "../other")
    other = type(repo)(repo.parent / "other")
    other.add("b", "2\n")
    before = traces(repo), traces(other)
    assert names(other, take(other)) == {"a", "b"}
    assert names(repo, take(repo)) == {"a"}
    assert (traces(repo), traces(other)) == before


def test_a_submodule_stands_as_the_commit_checked_out(
    repo: "Checkout", make_repo: Callable[..., "Checkout"]
) -> None:
    library = make_repo("library")
    repo.git("submodule", "--quiet", "add", str(library), "library")
    repo.commit()
    before = take(repo)
    inside = type(repo)(repo / "library")
    inside.add("dirty", "not committed\n")
    assert take(repo) == before
    commit = inside.commit()
    assert f"160000 commit {commit}\tlibrary" in repo.git("ls-tree", take(repo))
    (change,) = changes(str(repo), before, take(repo))
    assert (change.path, change.action, change.added) == ("library", "edit", None)


def test_repositories_inside_are_left_out(repo: "Checkout") -> None:
    for name, commits in (("empty", False), ("full", True)):
        inner = type(repo)(repo / name)
        inner.mkdir()
        inner.git("init", "-q")
        inner.add("f", "1\n")
        if commits:
            inner.commit()
    repo.git("worktree", "add", "-q", "trees/one")
    repo.add("a", "1\n")
    assert names(repo, take(repo)) == {"a"}


def test_what_git_complains_of_and_passes_over_is_read_without_it(
    repo: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a path that is too long for it git says so, and takes the file for unchanged."""
    repo.add("deep/tool.sh", "1\n").chmod(0o755)
    repo.add("deep/locked.txt", "1\n")
    repo.commit("code")
    repo.git("update-index", "--assume-unchanged", "deep/tool.sh", "deep/locked.txt")
    real = shutil.which("git")
    stub = tmp_path / "stub" / "git"
    stub.parent.mkdir()
    stub.write_text(
        '#!/bin/sh\ncase " $* " in\n*" status "*)'
        " for file in deep/tool.sh deep/locked.txt /etc/passwd ../out deep/none"
        '; do echo "$file: File name too long" >&2; done;;\n*) :;;\nesac\n'
        f'exec {real} "$@"\n'
    )
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(stub.parent), prepend=os.pathsep)
    repo.add("deep/tool.sh", "2\n")
    monkeypatch.setattr("gitmem.git.stand_ins._MOST_READ", 100)
    repo.add("deep/locked.txt", "2\n" * 100)  # as if it could not be read
    tree = take(repo)
    assert content(repo, tree, "deep/tool.sh") == "2"
    assert repo.git("ls-tree", tree, "deep/tool.sh").startswith("100755")
    assert "not in this snapshot" in content(repo, tree, "deep/locked.txt")
    assert take(repo) == tree
    repo.add("deep/locked.txt", "3\n" * 101)
    assert take(repo) != tree


def test_sparse_checkout(repo: "Checkout") -> None:
    for path in ("in/f", "out/f", "out/g"):
        repo.add(path, f"{path}\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "in")
    assert not (repo / "out").exists()
    repo.add("in/new", "1\n")
    repo.add("out/new", "1\n")
    before = traces(repo)
    assert names(repo, take(repo)) == {"in/f", "in/new", "out/f", "out/g", "out/new"}
    assert traces(repo) == before


@sampled(2)
@pytest.mark.parametrize("setting", ["core.splitIndex", "core.untrackedCache", "index.sparse"])
def test_other_kinds_of_index(repo: "Checkout", setting: str) -> None:
    repo.git("config", setting, "true")
    busy(repo)
    repo.git("update-index", "--refresh", "-q", code=1)
    before = traces(repo)
    assert len(names(repo, take(repo))) == 8
    assert traces(repo) == before


def test_names_as_odd_as_they_come(repo: "Checkout") -> None:
    for name in ODD:
        repo.add(name, f"{name}\n")
    tree = take(repo)
    assert names(repo, tree) == set(ODD)
    repo.commit()
    assert take(repo) == tree


def test_a_name_that_is_no_text(repo: "Checkout") -> None:
    empty = take(repo)
    Path(os.fsdecode(os.fsencode(repo) + b"/caf\xe9")).write_text("x\n")
    (change,) = changes(str(repo), empty, take(repo))
    assert change.path == '"caf\\351"'


def test_a_mark_stands_for_a_tracked_file_over_the_limit(repo: "Checkout") -> None:
    """It stood as in the index, so a failure that its edit ended was called flaky."""
    repo.add("tracked", "small\n")
    repo.commit()
    repo.add("tracked", "x" * 2000)
    repo.add("[new]*", "x" * 2000)
    repo.add("small", "x")
    tree = take(repo, max_file_bytes=1000)
    assert names(repo, tree) == {"tracked", "small"}
    assert "xxx" not in content(repo, tree, "tracked")
    assert take(repo, max_file_bytes=1000) == tree
    repo.add("tracked", "x" * 1999 + "y")
    (change,) = changes(str(repo), tree, take(repo, max_file_bytes=1000))
    assert change.path == "tracked"


@pytest.mark.parametrize("kind", [stat.S_IFSOCK, stat.S_IFIFO])
def test_a_mark_stands_for_a_tracked_file_that_git_cannot_take(repo: "Checkout", kind: int) -> None:
    repo.add("fed", "1\n")
    repo.add("other", "1\n")
    repo.commit()
    before = take(repo)
    (repo / "fed").unlink()
    os.mknod(repo / "fed", kind | 0o600)
    repo.add("other", "2\n")
    assert {change.path for change in changes(str(repo), before, take(repo))} == {"fed", "other"}


@needs_user
def test_a_file_that_cannot_be_read_is_left_out(repo: "Checkout") -> None:
    repo.add("closed", "x").chmod(0)
    repo.add("open", "x")
    assert names(repo, take(repo)) == {"open"}


def test_sockets_pipes_and_loops_of_links(repo: "Checkout") -> None:
    os.mkfifo(repo / "pipe")
    os.mknod(repo / "socket", stat.S_IFSOCK | 0o600)
    (repo / "loop").symlink_to("loop")
    repo.add("a", "1\n")
    assert names(repo, take(repo)) == {"a", "loop"}


def test_a_folder_in_the_place_of_a_file_and_the_other_way_round(repo: "Checkout") -> None:
    repo.add("file", "1\n")
    repo.add("folder/a", "1\n")
    repo.commit()
    (repo / "file").unlink()
    repo.add("file/inner", "1\n")
    (repo / "folder" / "a").unlink()
    (repo / "folder").rmdir()
    (repo / "folder").symlink_to("file")
    assert names(repo, take(repo)) == {"file/inner", "folder"}


def test_neither_hooks_nor_monitors_run(repo: "Checkout") -> None:
    flag = repo.parent / "ran"
    for hook in ("post-index-change", "pre-commit", "fsmonitor-watchman"):
        file = repo.add(f".git/hooks/{hook}", f"#!/bin/sh\ntouch '{flag}'\n")
        file.chmod(0o755)
    repo.add("a", "1\n")
    repo.git("config", "core.fsmonitor", str(repo / ".git/hooks/fsmonitor-watchman"))
    take(repo)
    assert not flag.exists()
    repo.git("add", "a")
    assert flag.exists()  # they would have run


def test_clean_filters_run_or_every_filtered_file_would_look_changed(repo: "Checkout") -> None:
    repo.git("config", "filter.upper.clean", "tr a-z A-Z")
    repo.add(".gitattributes", "*.up filter=upper\n")
    file = repo.add("f.up", "text\n")
    repo.commit()
    before = take(repo)
    os.utime(file)
    assert take(repo) == before
    assert content(repo, before, "f.up") == "TEXT"


def test_line_endings_are_converted_without_a_complaint(repo: "Checkout") -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.git("config", "core.safecrlf", "true")
    repo.add("dos.txt", "a\r\nb\r\n")
    repo.add("unix.txt", "a\nb\n")
    repo.add("mixed.txt", "a\nb\r\n")
    assert names(repo, take(repo)) == {"dos.txt", "unix.txt", "mixed.txt"}


def test_variables_of_a_hook_do_not_send_it_elsewhere(
    repo: "Checkout", make_repo: Callable[..., "Checkout"], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.add("a", "1\n")
    expected = take(repo)
    other = make_repo("other")
    before = traces(other)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_DIR", str(other / ".git"))
        patch.setenv("GIT_WORK_TREE", str(other))
        patch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
        patch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git" / "objects"))
        assert snapshot(str(repo), str(repo / ".git"), ".memory") == expected
        with Repository(str(repo)) as opened:
            assert head(opened.git_dirs)
            assert opened.git_dirs.root == str(repo)
            assert opened._repo.git.rev_parse("--show-toplevel") == str(repo)
    assert traces(other) == before


@needs_root
def test_a_repository_of_another_user_is_refused_with_the_way_to_trust_it(
    repo: "Checkout",
) -> None:
    for folder, _, files in os.walk(repo):
        for name in (folder, *(os.path.join(folder, file) for file in files)):
            os.lchown(name, 12345, 12345)
    with pytest.raises(EnvironmentProblem) as caught:
        snapshot(str(repo), str(repo / ".git"), ".memory")
    assert "another user" in caught.value.message
    assert "safe.directory" in caught.value.hint


def test_a_git_folder_that_cannot_be_written(repo: "Checkout") -> None:
    repo.add(".git/gitmem", "a file in the way")
    with pytest.raises(EnvironmentProblem) as caught:
        take(repo)
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_leftovers_of_killed_processes_are_cleared_away(repo: "Checkout") -> None:
    old = repo.add(".git/gitmem/snapshot-1-dead", "x")
    young = repo.add(".git/gitmem/snapshot-2-live", "x")
    kept = repo.add(".git/gitmem/catalog.db", "x")
    import gitmem.git.code_index as module  # noqa: PLC0415  its clock is replaced

    ages = {str(old): 7200.0, str(young): 5.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_age", lambda path: ages[path])
        take(repo)
    assert (old.exists(), young.exists(), kept.exists()) == (False, True, True)


def test_changes_names_actions_and_lines(repo: "Checkout") -> None:
    busy(repo)
    repo.add("moved", "".join(f"line {number}\n" for number in range(50)))
    repo.add("image", b"\x00\x01")
    repo.commit()
    before = take(repo)
    (repo / "moved").rename(repo / "deep" / "moved there")
    repo.add("image", b"\x00\x02")
    repo.add("edited", "one\ntwo\n")
    (repo / "kept").unlink()
    repo.add("created", "1\n2\n3\n")
    (repo / "run").chmod(0o644)
    repo.add(".memory/errors/e.yaml", "changed\n")
    found = changes(str(repo), before, take(repo))
    assert found == (
        Change(path="created", action="create", added=3, removed=0),
        Change(path="deep/moved there", action="rename", renamed_from="moved", added=0, removed=0),
        Change(path="edited", action="edit", added=2, removed=1),
        Change(path="image", action="edit"),
        Change(path="kept", action="delete", added=0, removed=1),
        Change(path="run", action="edit", added=0, removed=0),
    )


def test_changes_between_commits_leave_the_memory_out(repo: "Checkout") -> None:
    before = repo.git("rev-parse", "HEAD")
    repo.add(".memory/a.yaml", "x\n")
    repo.add("a", "1\n")
    after = repo.commit()
    assert [change.path for change in changes(str(repo), before, after)] == ["a"]
    assert len(changes(str(repo), before, after, "")) == 2


def test_changes_of_odd_names_can_be_written_in_a_record(repo: "Checkout") -> None:
    before = take(repo)
    for name in ODD:
        repo.add(name, f"{name}\n")
    found = {change.path for change in changes(str(repo), before, take(repo))}
    as_they_are = {"a b", "quo\"te'", "tab\there", "ünï🙂", "-dash", "*.glob", ":(top)x"}
    assert found == as_they_are | {'"line\\nbreak"', '"~home"'}


def test_changes_of_chosen_paths_are_paired_among_themselves(repo: "Checkout") -> None:
    repo.add("a", "same content\n")
    repo.add("b", "x\n")
    before = take(repo)
    (repo / "a").unlink()
    repo.add("c", "same content\n")
    after = take(repo)
    assert [c.action for c in changes(str(repo), before, after)] == ["rename"]
    (change,) = changes(str(repo), before, after, only=[b"c", b"b"])
    assert (change.path, change.action) == ("c", "create")
    assert changes(str(repo), before, after, only=[]) == ()
    many = [f"none{n}".encode() for n in range(5000)]
    assert len(changes(str(repo), before, after, only=[*many, b"a", b"c"])) >= 1


def test_changes_to_a_tree_that_is_gone(repo: "Checkout") -> None:
    assert not exists(str(repo), "de" * 20)
    assert not exists(str(repo), "")
    assert exists(str(repo), "HEAD")
    with pytest.raises(EnvironmentProblem):
        changes(str(repo), "de" * 20, "HEAD")


def test_repository_tells_head_branch_and_state(
    repo: "Checkout", make_repo: Callable[..., "Checkout"]
) -> None:
    new = make_repo("new", commit=False)
    with Repository(str(new)) as opened:
        assert (head(opened.git_dirs), branch(opened.git_dirs), in_progress(opened.git_dirs)) == (
            "",
            "main",
            "",
        )
    conflicted(repo)
    with Repository(str(repo)) as opened:
        assert head(opened.git_dirs) == repo.git("rev-parse", "HEAD")
        assert (branch(opened.git_dirs), in_progress(opened.git_dirs)) == ("main", "merge")
        repo.git("merge", "--abort")
        assert in_progress(opened.git_dirs) == ""
        repo.git("rebase", "-q", "side", code=1)
        assert (branch(opened.git_dirs), in_progress(opened.git_dirs)) == ("", "rebase")
        repo.git("rebase", "--abort")
        repo.git("bisect", "start")
        assert in_progress(opened.git_dirs) == "bisect"


def test_repository_lists_commits_and_shows_diffs(repo: "Checkout") -> None:
    start = repo.git("rev-parse", "HEAD")
    repo.add("a b", "1\n")
    one = repo.commit("add: a, with | and\ttab")
    repo.add("a b", "2\n")
    repo.add("ü", "x\n" * 1000)
    two = repo.commit("second")
    with Repository(str(repo)) as opened:
        found = opened.commits_between(start, two)
        assert [(c.id, c.subject, c.email) for c in found] == [
            (one, "add: a, with | and\ttab", "ada@example.com"),
            (two, "second", "ada@example.com"),
        ]
        assert found[0].parents == (start,)
        assert opened.commits_between(two, start) == ()
        assert opened.paths_of(two) == (b"a b", "ü".encode())
        diff = unified_diff(str(repo), one, two, paths=["a b"])
        assert "-1\n+2\n" in diff
        assert "x" not in diff.partition("@@")[2]
        cut = unified_diff(str(repo), one, two, max_bytes=300)
        assert len(cut) < 400
        assert "more bytes]" in cut
        with pytest.raises(EnvironmentProblem):
            unified_diff(str(repo), "de" * 20, two)


def test_repository_leaves_no_process_behind(repo: "Checkout") -> None:
    with Repository(str(repo)) as opened:
        opened.commits_between("HEAD", "HEAD")
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    commands = [Path(f"/proc/{child}/comm").read_text().strip() for child in children]
    assert "git" not in commands


def test_outside_a_repository(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        Repository(str(tmp_path))
    assert caught.value.hint
    with pytest.raises(EnvironmentProblem) as problem:
        snapshot(str(tmp_path), str(tmp_path / ".git"), ".memory")
    assert "git" in problem.value.hint


def test_gitpython_stays_out_until_a_repository_is_opened(repo: "Checkout") -> None:
    import subprocess  # noqa: PLC0415  the test's own
    import sys  # noqa: PLC0415

    code = (
        "import sys, gitmem.git.snapshot, gitmem.git.repository as r, gitmem.git.identity as i;"
        "i.identity('.'); print('git' in sys.modules);"
        "r.Repository('.').close(); print('git' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repo,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]


# --- without the records' folder -----------------------------------------------------------------


def form(repo: "Checkout", kind: str) -> None:
    """Have git write its index in another form."""
    if kind == "version 4":
        repo.git("update-index", "--index-version", "4")
    elif kind == "split":
        repo.git("update-index", "--split-index")
        repo.add("late", "x\n")
        repo.git("add", "late")
    else:
        repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")


@sampled(3)
@pytest.mark.parametrize("memory", [".memory", "out/.memory"])
@pytest.mark.parametrize("kind", ["version 4", "split", "sparse"])
def test_a_snapshot_with_an_index_of_another_form(repo: "Checkout", kind: str, memory: str) -> None:
    for path in ("in/a", "out/b", "out/deep/c", "z", f"{memory}/n.yaml", "in/.memory/code"):
        repo.add(path, f"{path}\n")
    repo.commit()
    form(repo, kind)
    index = repo / ".git" / "index"
    before = index.read_bytes(), index.stat().st_mtime_ns
    repo.add("in/a", "edited\n")
    made = snapshot(str(repo), str(repo / ".git"), memory)
    names = set(repo.git("ls-tree", "-r", "--name-only", made).splitlines())
    expected = {"in/a", "out/b", "out/deep/c", "z", "in/.memory/code"}
    assert names == expected | ({"late"} if kind == "split" else set())
    assert repo.git("cat-file", "blob", f"{made}:in/a") == "edited"
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
    assert not [*(repo / ".git" / "gitmem").glob("snapshot-*")]


def test_a_snapshot_where_nothing_changed_writes_no_object(repo: "Checkout") -> None:
    repo.add("sub/a", "1\n")
    repo.commit()
    objects = sorted((repo / ".git" / "objects").rglob("*"))
    repo.add(".memory/notes/n.yaml", "not part of it\n")
    made = snapshot(str(repo), str(repo / ".git"), ".memory")
    assert made == repo.git("rev-parse", "HEAD^{tree}")
    assert sorted((repo / ".git" / "objects").rglob("*")) == objects


@pytest.mark.parametrize("memory", [".memory", "sub/deep/.memory"])
def test_a_conflict_in_a_record_does_not_matter(repo: "Checkout", memory: str) -> None:
    repo.add("a", "1\n")
    repo.add(f"{memory}/n.yaml", "base\n")
    repo.commit()
    repo.git("checkout", "-qb", "side")
    repo.add(f"{memory}/n.yaml", "side\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.add(f"{memory}/n.yaml", "main\n")
    repo.commit()
    repo.git("merge", "-q", "side", code=1)
    repo.add("a", "2\n")
    made = snapshot(str(repo), str(repo / ".git"), memory)
    assert repo.git("ls-tree", "-r", "--name-only", made) == "a"
    assert repo.git("cat-file", "blob", f"{made}:a") == "2"


def test_nothing_but_records_is_an_empty_tree(repo: "Checkout") -> None:
    repo.add("sub/.memory/n.yaml", "x\n")
    repo.commit()
    made = snapshot(str(repo), str(repo / ".git"), "sub/.memory")
    assert made == repo.git("hash-object", "-t", "tree", "--stdin")
    assert not names(repo, made)


def test_a_work_tree_whose_files_were_only_touched_is_not_too_full(repo: "Checkout") -> None:
    for number in range(6):
        repo.add(f"f{number}", "x\n")
    repo.commit()
    for number in range(6):
        os.utime(repo / f"f{number}", ns=(1, 1))
    assert take(repo, max_untracked=5) == repo.git("rev-parse", "HEAD^{tree}")


# --- the index without the records ---------------------------------------------------------------


def code_indexes(repo: "Checkout") -> list[Path]:
    return sorted((repo / ".git" / "gitmem").glob("code-index-*"))


def test_files_are_added_to_an_index_without_records_which_is_made_once(repo: "Checkout") -> None:
    for number in range(20):
        repo.add(f".memory/notes/{number}.yaml", "x\n")
    repo.add("sub/a", "1\n")
    repo.commit()
    take(repo)
    (first,) = code_indexes(repo)
    assert git(str(repo), "ls-files", index=str(first)) == b"sub/a\n"
    inode = first.stat().st_ino
    repo.add("sub/a", "edited\n")
    repo.add(".memory/notes/new.yaml", "x\n")
    take(repo)
    assert [path.stat().st_ino for path in code_indexes(repo)] == [inode]
    repo.commit()
    take(repo)
    (second,) = code_indexes(repo)
    assert second.name != first.name


@pytest.mark.parametrize(
    ("edited", "calls"),
    [
        (True, ["ls-files", "status", "add", "write-tree"]),
        (False, ["ls-files", "status", "write-tree"]),
    ],
)
def test_a_snapshot_asks_git_no_more_often_than_it_must(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch, *, edited: bool, calls: list[str]
) -> None:
    import gitmem.git.code_index  # noqa: PLC0415  their calls are counted
    import gitmem.git.snapshot  # noqa: PLC0415

    repo.add(".memory/notes/n.yaml", "x\n")
    repo.add("a", "1\n")
    repo.commit()
    take(repo)
    if edited:
        repo.add("a", "edited\n")
    noted: list[str] = []

    def counting(root: str, *arguments: str, **rest: Any) -> bytes:
        noted.append(arguments[0])
        return git(root, *arguments, **rest)

    for module in (gitmem.git.code_index, gitmem.git.snapshot):
        monkeypatch.setattr(module, "git", counting)
    take(repo)
    assert noted == calls


def _without_a(repo: "Checkout") -> None:
    repo.git("update-index", "--skip-worktree", "a")
    (repo / "a").unlink()


def _a_link_for_b(repo: "Checkout") -> None:
    (repo / "b").rename(repo / "c")
    (repo / "b").symlink_to("c")


STATES: dict[str, Callable[["Checkout"], object]] = {
    "staged": lambda repo: (repo.add("a", "2\n"), repo.git("add", "a"), repo.add("a", "3\n")),
    "ignored and added": lambda repo: (repo.add("x.log", "x\n"), repo.git("add", "-f", "x.log")),
    "ignored, to be added": lambda repo: (
        repo.add("x.log", "x\n"),
        repo.git("add", "-f", "-N", "x.log"),
    ),
    "to be added": lambda repo: (repo.add("y", "y\n"), repo.git("add", "-N", "y")),
    "taken out of the index": lambda repo: repo.git("rm", "-q", "--cached", "a", "b/ignored.log"),
    "not looked at": lambda repo: (
        repo.git("update-index", "--assume-unchanged", "a"),
        repo.add("a", "edited\n"),
    ),
    "not to be there": _without_a,
    "a link in the place of a folder": _a_link_for_b,
    "records staged": lambda repo: (
        repo.add(".memory/notes/new.yaml", "x\n"),
        repo.git("add", "-A"),
    ),
    "records not in git": lambda repo: repo.git("rm", "-rq", "--cached", ".memory"),
}


@pytest.mark.parametrize("state", STATES)
def test_it_is_what_git_would_add_without_the_records(repo: "Checkout", state: str) -> None:
    for path in (".memory/notes/n.yaml", "a", "b/b", "z"):
        repo.add(path, f"{path}\n")
    repo.add(".gitignore", "*.log\n")
    repo.add("b/ignored.log", "x\n")
    repo.git("add", "-f", "b/ignored.log")
    repo.commit()
    STATES[state](repo)
    copy = str(repo.parent / "index")
    shutil.copy2(repo / ".git" / "index", copy)
    git(str(repo), "rm", "-rqf", "--cached", "--ignore-unmatch", ".memory", index=copy)
    git(str(repo), "add", "-A", "--", ":(exclude).memory", index=copy)
    expected = git(str(repo), "write-tree", index=copy).decode().strip()
    assert take(repo) == expected
    assert take(repo) == expected  # with the index that was kept


# --- again, after nothing or something changed ---------------------------------------------------


def age(repo: "Checkout") -> None:
    """Wait until files are older than what their times can tell."""
    time.sleep(2.1)
    repo.git("update-index", "-q", "--refresh")
    time.sleep(2.1)


def again(repo: "Checkout", earlier: CodeState | None = None) -> CodeState:
    return code_state(str(repo), str(repo / ".git"), ".memory", earlier=earlier)


def test_where_nothing_changed_the_earlier_snapshot_is_given(repo: "Checkout") -> None:
    repo.add("a", "1\n")
    repo.add("gone", "1\n")
    repo.commit()
    repo.add("a", "2\n")
    repo.add("new", "1\n")
    (repo / "gone").unlink()
    age(repo)
    before = again(repo)
    assert again(repo, before) is before
    repo.add(".memory/notes/n.yaml", "not part of it\n")
    assert again(repo, before) is before


def test_whatever_changed_since_the_earlier_snapshot_is_in_the_next(repo: "Checkout") -> None:
    for name in ("clean", "edited", "staged"):
        repo.add(name, "1\n")
    repo.commit()
    repo.add("edited", "2\n")
    repo.add("new", "2\n")
    age(repo)
    before = again(repo)
    times = (repo / "edited").stat()

    def with_old_times() -> None:
        repo.add("edited", "3\n")
        os.utime(repo / "edited", ns=(times.st_atime_ns, times.st_mtime_ns))

    edits: list[tuple[str, Callable[[], object]]] = [
        ("with the times and the size of before", with_old_times),
        ("a clean file", lambda: repo.add("clean", "2\n")),
        ("one that git does not track", lambda: repo.add("new", "3\n")),
        ("another new one", lambda: repo.add("newer", "1\n")),
        ("deleted", (repo / "new").unlink),
        ("staged", lambda: (repo.add("staged", "2\n"), repo.git("add", "staged"))),
    ]
    for what, edit in edits:
        edit()
        after = again(repo, before)
        assert after.tree == again(repo).tree != before.tree, what
        before = after


def test_a_file_that_was_only_just_written_is_read_again(repo: "Checkout") -> None:
    repo.add("a", "1\n")
    repo.commit()
    repo.add("a", "2\n")
    before = again(repo)
    assert before.proof is None
    repo.add("a", "3\n")
    assert again(repo, before).tree != before.tree


def test_it_names_the_commit_that_is_checked_out(repo: "Checkout") -> None:
    assert again(repo).commit == repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "--orphan", "other")
    assert again(repo).commit == ""
