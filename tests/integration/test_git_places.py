"""Finding a repository without git gives what git itself would say."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git.git_dirs import GitDirs, derived_dir, find, journal_dir, why_none
from tests.accounts import IS_ROOT

if TYPE_CHECKING:
    from tests.conftest import Checkout


def said_by_git(folder: "Checkout") -> GitDirs:
    ask = ("rev-parse", "--path-format=absolute")
    return GitDirs(
        folder.git(*ask, "--show-toplevel"),
        folder.git("rev-parse", "--absolute-git-dir"),
        folder.git(*ask, "--git-common-dir"),
    )


def test_a_plain_repository_from_its_top_and_from_far_below(repo: "Checkout") -> None:
    deep = repo / "a" / "b c" / "d"
    deep.mkdir(parents=True)
    assert find(str(repo)) == find(str(deep)) == said_by_git(repo)


def test_a_file_and_a_folder_that_is_not_there_yet_count_as_starts(repo: "Checkout") -> None:
    repo.add("file.txt", "x")
    for start in ("file.txt", "not/there/yet"):
        assert find(str(repo / start)) == said_by_git(repo)


def test_a_linked_work_tree_has_its_own_git_folder_and_shares_the_common_one(
    repo: "Checkout",
) -> None:
    repo.git("worktree", "add", "-q", "../other")
    other = type(repo)(repo.parent / "other")
    (other / "sub").mkdir()
    found = find(str(other / "sub"))
    assert found == said_by_git(other)
    assert found is not None
    assert found.git_dir != found.common_dir == str(repo / ".git")


def test_a_linked_work_tree_inside_the_main_one(repo: "Checkout") -> None:
    repo.git("worktree", "add", "-q", "inner")
    inner = type(repo)(repo / "inner")
    assert find(str(inner)) == said_by_git(inner)
    assert find(str(repo)) == said_by_git(repo)


def test_a_submodule_is_a_repository_of_its_own(
    repo: "Checkout", make_repo: Callable[..., "Checkout"]
) -> None:
    library = make_repo("library")
    repo.git("submodule", "--quiet", "add", str(library), "deps/library")
    inside = type(repo)(repo / "deps" / "library")
    found = find(str(inside))
    assert found == said_by_git(inside)
    assert found is not None
    assert found.git_dir == str(repo / ".git/modules/deps/library")
    assert derived_dir(found) == f"{found.git_dir}/gitmem"


def test_a_submodule_with_its_own_work_tree_settings(
    repo: "Checkout", make_repo: Callable[..., "Checkout"]
) -> None:
    library = make_repo("library")
    library.add("in/f", "1")
    library.commit()
    repo.git("submodule", "--quiet", "add", str(library), "library")
    inside = type(repo)(repo / "library")
    inside.git("sparse-checkout", "set", "in")  # moves core.worktree to config.worktree
    assert find(str(inside)) == said_by_git(inside)


def test_separate_git_dir(make_repo: Callable[..., "Checkout"], tmp_path: Path) -> None:
    made = make_repo("work", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    found = find(str(made))
    assert found == said_by_git(made)
    assert found is not None
    assert derived_dir(found) == str(tmp_path.resolve() / "elsewhere" / "gitmem")


def test_symbolic_links_to_the_folder_and_to_the_git_folder(
    repo: "Checkout", tmp_path: Path
) -> None:
    (repo / "sub").mkdir()
    (tmp_path / "link").symlink_to(repo / "sub")
    assert find(str(tmp_path / "link")) == said_by_git(repo)
    (repo / ".git").rename(tmp_path / "moved")
    (repo / ".git").symlink_to(tmp_path / "moved")
    assert find(str(repo)) == said_by_git(repo)


def test_no_commit_yet_and_a_path_with_odd_characters(make_repo: Callable[..., "Checkout"]) -> None:
    odd = make_repo("a b'\"ü\nn", commit=False)
    assert find(str(odd)) == GitDirs(str(odd), str(odd / ".git"), str(odd / ".git"))


def test_a_shallow_clone(repo: "Checkout", tmp_path: Path) -> None:
    repo.commit("second")
    repo.git("clone", "-q", "--depth=1", f"file://{repo}", str(tmp_path / "shallow"))
    shallow = type(repo)(tmp_path / "shallow")
    assert find(str(shallow)) == said_by_git(shallow)


def test_no_repository_at_all(tmp_path: Path) -> None:
    assert find(str(tmp_path)) is None
    assert "no git repository" in why_none(str(tmp_path))


def test_a_repository_that_only_the_environment_names_is_said_to_be_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_repo: Callable[..., "Checkout"]
) -> None:
    apart = make_repo("apart.git", "--bare", commit=False)
    monkeypatch.setenv("GIT_DIR", str(apart))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert find(str(tmp_path)) is None
    assert "does not follow GIT_DIR" in why_none(str(tmp_path))


def test_a_bare_repository_has_no_work_tree(make_repo: Callable[..., "Checkout"]) -> None:
    bare = make_repo("bare.git", "--bare", commit=False)
    assert find(str(bare)) is find(str(bare / "refs")) is None
    assert "without a work tree" in why_none(str(bare))


def test_work_trees_beside_a_hidden_bare_repository(repo: "Checkout", tmp_path: Path) -> None:
    group = tmp_path.resolve() / "group"
    repo.git("clone", "-q", "--bare", str(repo), str(group / ".bare"))
    (group / ".git").write_text("gitdir: ./.bare\n")
    top = type(repo)(group)
    top.git("worktree", "add", "-q", "main-tree", "main")
    inner = type(repo)(group / "main-tree")
    assert find(str(group)) is None
    assert "bare" in why_none(str(group))
    assert find(str(inner)) == said_by_git(inner)


def test_inside_the_git_folder_there_is_no_work_tree(repo: "Checkout") -> None:
    assert find(str(repo / ".git" / "hooks")) is None


def test_an_empty_folder_called_git_is_passed_over(repo: "Checkout") -> None:
    (repo / "sub" / ".git").mkdir(parents=True)
    assert find(str(repo / "sub")) == said_by_git(repo)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"gitdir:",
        b"gitdir: \n",
        b"gitdir: /does/not/exist\n",
        b"gitdir: ../..\n",
        b"\xff\xfe\x00",
    ],
    ids=["empty", "words", "no-path", "blank", "gone", "no-repository", "bytes"],
)
def test_a_broken_git_file_hides_the_repository_around_it(repo: "Checkout", content: bytes) -> None:
    (repo / "sub").mkdir()
    (repo / "sub" / ".git").write_bytes(content)
    assert find(str(repo / "sub")) is None
    assert str(repo / "sub") in why_none(str(repo / "sub"))
    type(repo)(repo / "sub").git("rev-parse", code=128)


def test_a_work_tree_whose_repository_moved_says_so(repo: "Checkout", tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "../other")
    repo.rename(tmp_path / "moved")
    assert find(str(tmp_path / "other")) is None
    assert "no repository any more" in why_none(str(tmp_path / "other"))


def test_hook_variables_do_not_send_us_elsewhere(
    repo: "Checkout", make_repo: Callable[..., "Checkout"], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = find(str(repo))
    other = make_repo("other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert find(str(repo)) == expected


def test_a_work_tree_somewhere_else_is_not_this_one(repo: "Checkout", tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    repo.git("config", "core.worktree", str(tmp_path / "far"))
    assert find(str(repo)) is None
    assert "core.worktree" in why_none(str(repo))


_KEYS = ("worktree", "WorkTree", "WORKTREE", "bare", "BARE", "filemode", "editor")
_VALUES = (
    "{far}", '"{far}"', "../../far", '"../../far" # {root}', "{root}", "..", '".."', '"."".";x',
    "../../fa\\\nr", "\\\n{far}", "true", "false", "yes", "0", "", '"', "x\\ty", "{root}/.",
)  # fmt: skip
_SECTIONS = (
    "[core]", "[CORE]", "[ core ]", "[core] {line}", "[core]{line}", '[core "x"]', "[x]",
    "[core.x]", "# [core]", "[x] # ]\n[core]", "[core] # {line}", "[x] y = [core]",
    "[core]; {line}\n[core]", "[include]\npath = more", '[includeIf "gitdir:**"] path = more',
    "\ufeff[core]", "[core", "[cor\\\ne]",
)  # fmt: skip


@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(_SECTIONS),
            st.lists(st.tuples(st.sampled_from(_KEYS), st.sampled_from(_VALUES)), max_size=3),
        ),
        max_size=3,
    ),
    where=st.sampled_from(("config", "config.worktree", "more")),
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_settings_say_the_work_tree_is_what_git_takes_it_for(
    repo: "Checkout",
    lines: list[tuple[str, list[tuple[str, str]]]],
    where: str,
) -> None:
    """``[core] worktree = ../out`` on one line was not seen, and gitmem kept files of elsewhere."""
    (repo.parent / "far").mkdir(exist_ok=True)
    text = ""
    for section, entries in lines:
        written = [f"{key} = {value}" if value else key for key, value in entries]
        text += section.replace("{line}", written.pop() if written else "") + "\n"
        text += "".join(f"  {line}\n" for line in written)
    text = text.replace("{far}", str(repo.parent / "far")).replace("{root}", str(repo))
    config = repo / ".git" / "config"
    before = config.read_text()
    try:
        if where == "config":
            config.write_text(before + text)
        else:
            (repo / ".git" / where).write_text(text)
            extra = "[extensions] worktreeConfig = true\n" if where != "more" else ""
            config.write_text(before + (extra or "[include] path = more\n"))
        found = find(str(repo))
        asked = subprocess.run(
            ["git", "rev-parse", "--show-toplevel"], cwd=repo, capture_output=True, check=False
        )
        if not asked.returncode:  # of settings that git can't read it says so itself
            told = asked.stdout.decode().removesuffix("\n")
            assert (found is not None) == (told == str(repo)), (text, found, told)
        elif b"work tree" in asked.stderr:
            assert found is None, text
    finally:
        config.write_text(before)
        for name in ("config.worktree", "more"):
            (repo / ".git" / name).unlink(missing_ok=True)


def test_derived_state_is_where_git_puts_it_per_work_tree(repo: "Checkout") -> None:
    repo.git("worktree", "add", "-q", "../other")
    for folder in (repo, type(repo)(repo.parent / "other")):
        found = find(str(folder))
        assert found is not None
        expected = folder.git("rev-parse", "--path-format=absolute", "--git-path", "gitmem")
        assert derived_dir(found) == expected
        assert journal_dir(found) == str(repo / ".git/gitmem/journal")


def test_derived_state_is_refused_where_a_clone_could_bring_it(
    make_repo: Callable[..., "Checkout"], tmp_path: Path
) -> None:
    made = make_repo("work", f"--separate-git-dir={tmp_path.resolve() / 'work' / 'meta'}")
    found = find(str(made))
    assert found is not None
    assert derived_dir(found) is None


def test_derived_state_is_refused_behind_a_link(repo: "Checkout") -> None:
    found = find(str(repo))
    assert found is not None
    (repo / "brought").mkdir()
    (repo / ".git" / "gitmem").symlink_to(repo / "brought")
    assert derived_dir(found) is None


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_derived_state_of_another_user_is_refused(repo: "Checkout") -> None:
    os.chown(repo / ".git", 12345, 12345)
    found = find(str(repo))
    assert found is not None
    assert derived_dir(found) is None


def test_a_repository_that_goes_away_meanwhile_gives_no_folder(tmp_path: Path) -> None:
    assert (
        derived_dir(GitDirs(str(tmp_path), str(tmp_path / ".git"), str(tmp_path / ".git"))) is None
    )


def test_looking_needs_neither_git_nor_heavy_modules(repo: "Checkout") -> None:
    code = (
        "import sys, gitmem.git.git_dirs as p; p.find('.');"
        "print(sorted({'git', 'subprocess', 'pathlib', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=repo,
        env={"PYTHONPATH": os.getcwd(), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
