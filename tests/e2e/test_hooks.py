"""Hooks in real repositories: what they do, what they leave alone, and what they cost."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.git.hooks import BEGIN
from gitmem.memory import GitHooks, Memory
from tests.answers import derived_folder
from tests.depth import deep, only_deep, sampled
from tests.e2e.running import complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.commit("start")
    GitHooks(str(repo), ".memory").install()
    return repo


def note(world: "Checkout", title: str, **fields: str) -> str:
    with Memory.open(str(world)) as memory:
        return memory.add("note", {"title": title, "body": "words", **fields}).id


def commit(world: "Checkout", *options: str, code: int = 0) -> str:
    """Commit what is staged; give what was said on standard error."""
    done = subprocess.run(
        ["git", "commit", "-q", *options], cwd=world, capture_output=True, check=False, text=True
    )
    assert done.returncode == code, done.stderr
    return done.stderr


def hook(world: "Checkout", name: str = "pre-commit") -> Path:
    return Path(world, world.git("rev-parse", "--git-path", "hooks"), name)


# --- what they do ---------------------------------------------------------------------------------


def test_records_are_named_in_the_commit_that_adds_them(world: "Checkout") -> None:
    first, second = sorted((note(world, "one"), note(world, "two")))
    world.add("code.py", "x\n")
    world.git("add", "-A")
    commit(world, "-m", "teach", "-m", "Signed-off-by: Ann <ann@example.org>")
    said = world.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip()
    assert said == f"{first}, {second}"
    assert world.git("log", "-1", "--format=%(trailers:key=Signed-off-by,valueonly)").strip()
    commit(world, "--amend", "--no-edit")
    assert world.git("log", "-1", "--format=%B").count("Memory:") == 1
    world.add("code.py", "y\n")
    world.git("add", "-A")
    commit(world, "-m", "code alone")
    assert "Memory" not in world.git("log", "-1", "--format=%B")


def editor(world: "Checkout", script: str) -> str:
    """Make an editor out of a line of shell; its argument is the message."""
    path = world.parent / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@sampled(1)
@pytest.mark.parametrize("options", [(), ("-v",), ("--cleanup=scissors",)])
def test_a_message_without_a_word_still_stops_the_commit(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    name = note(world, "one")
    world.git("add", "-A")
    monkeypatch.setenv("GIT_EDITOR", editor(world, 'cat "$1" > seen'))
    before = world.git("rev-parse", "HEAD")
    assert "empty commit message" in commit(world, *options, code=1)
    assert world.git("rev-parse", "HEAD") == before
    assert (world / "seen").read_text().startswith("\n#")
    # A word on the first line, where the cursor is: that line is the subject.
    line = 'printf "teach" > new; cat "$1" >> new; cat new > "$1"'
    monkeypatch.setenv("GIT_EDITOR", editor(world, line))
    commit(world, *options)
    assert world.git("log", "-1", "--format=%s") == "teach"
    assert world.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip() == name
    assert world.git("log", "-1", "--format=%B").strip() == f"teach\n\nMemory: {name}"


@deep
@only_deep
def test_a_template_that_nobody_edited_still_stops_the_commit(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add("../template", "why:\n\n# say why\n")
    world.git("config", "commit.template", str(world.parent / "template"))
    name = note(world, "one")
    world.git("add", "-A")
    monkeypatch.setenv("GIT_EDITOR", "true")
    assert "did not edit" in commit(world, code=1)
    monkeypatch.setenv("GIT_EDITOR", editor(world, 'echo "because" >> "$1"'))
    commit(world)
    assert world.git("log", "-1", "--format=%B").strip() == f"why:\n\nbecause\n\nMemory: {name}"


def test_a_line_of_dashes_is_a_part_of_the_message(world: "Checkout") -> None:
    name = note(world, "one")
    world.git("add", "-A")
    commit(world, "-m", "#12 teach", "-m", "above", "-m", "---", "-m", "below")
    said = world.git("log", "-1", "--format=%B").strip()
    assert said == f"#12 teach\n\nabove\n\n---\n\nbelow\n\nMemory: {name}"


def test_a_merge_names_only_what_it_adds_itself(world: "Checkout") -> None:
    world.git("checkout", "-q", "-b", "other")
    note(world, "theirs")
    world.add("code.py", "theirs\n")
    world.commit("theirs")
    world.git("checkout", "-q", "main")
    world.add("more.py", "x\n")
    world.commit("ours")
    world.git("merge", "-q", "--no-edit", "other")
    assert world.git("log", "-1", "--format=%B").strip() == "Merge branch 'other'"
    world.git("reset", "-q", "--hard", "HEAD~1")
    world.add("code.py", "ours\n")
    world.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    world.git("add", "-A")
    commit(world, "--no-verify", "-m", "more of ours")
    # What came with the other branch was judged there: a broken record of theirs stops nobody.
    world.git("checkout", "-q", "other")
    world.git("merge", "-q", "main", code=1)
    name = note(world, "of the merge")
    world.git("add", "-A")
    commit(world, "--no-edit")
    said = world.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip()
    assert said == name
    assert world.git("log", "-1", "--format=%s") == "Merge branch 'main' into other"


def test_a_broken_record_and_a_secret_are_not_committed(world: "Checkout") -> None:
    path = world.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    world.git("add", "-A")
    said = commit(world, "-m", "broken", code=1)
    assert ".memory/notes/2026/01/broken.yaml:" in said
    assert "refused" in said
    commit(world, "--no-verify", "-m", "as I say")
    path.unlink()
    note(world, "fine")
    (record,) = (world / ".memory").rglob("fine-*.yaml")
    record.write_text(record.read_text() + f"token: {TOKEN}\n")
    world.git("add", "-A")
    said = commit(world, "-m", "secret", code=1)
    assert "secret" in said
    assert TOKEN not in said


def test_what_is_staged_counts_and_not_what_lies_there(world: "Checkout") -> None:
    note(world, "fine")
    (record,) = (world / ".memory").rglob("fine-*.yaml")
    world.git("add", "-A")
    record.write_text("title: [\n")
    commit(world, "-m", "good is staged")
    world.git("add", "-A")
    good = world.git("show", f"HEAD:{record.relative_to(world)}") + "\n"
    record.write_text(good.replace("title: fine", "title: better"))
    commit(world, "-m", "bad is staged", code=1)
    # "git commit FILE" has an index of its own.
    commit(world, "-m", "only the file", "--", str(record.relative_to(world)))


def test_derived_state_follows_a_checkout(world: "Checkout") -> None:
    world.git("checkout", "-q", "-b", "other")
    note(world, "there")
    world.git("add", "-A")
    commit(world, "-m", "there")
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        for name, count in (("main", 0), ("other", 1)):
            world.git("checkout", "-q", name)
            memory.checks.without_sync()
            assert len(memory.list("kind:note")) == count


def test_an_index_is_not_made_in_a_hook(world: "Checkout") -> None:
    """It could take longer than a hook may, and would be begun with every commit."""
    note(world, "one")
    world.git("add", "-A")
    commit(world, "-m", "one")
    assert not derived_folder(world).exists()
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
    note(world, "two")
    world.git("add", "-A")
    commit(world, "-m", "two")
    with Memory.open(str(world)) as memory:
        memory.checks.without_sync()
        assert len(memory.list("kind:note")) == 2


def test_a_memory_of_a_package_is_checked(repo: "Checkout") -> None:
    (repo / "packages/a").mkdir(parents=True)
    Memory.init(str(repo / "packages/a"), here=True)
    GitHooks(str(repo), ".memory").install()
    repo.add("packages/a/.memory/notes/2026/01/broken.yaml", "title: [\n")
    repo.git("add", "-A")
    assert "packages/a/.memory/notes" in commit(repo, "-m", "broken", code=1)


# --- what they leave alone ------------------------------------------------------------------------


def test_nothing_of_ours_runs_where_the_memory_is_not_concerned(
    world: "Checkout", tmp_path: Path
) -> None:
    for name in GitHooks.NAMES:  # a python that tells that it was started
        path = hook(world, name)
        path.write_text(path.read_text().replace(sys.executable, str(tmp_path / "python")))
    (tmp_path / "python").write_text(f"#!/bin/sh\necho >> {tmp_path}/started\n")
    (tmp_path / "python").chmod(0o755)
    world.add("code.py", "x\n")
    world.git("add", "-A")
    commit(world, "-m", "code")
    world.git("checkout", "-q", "-b", "more")
    world.git("checkout", "-q", "main")
    commit(world, "--amend", "-m", "code again")
    assert not (tmp_path / "started").exists()
    note(world, "now")
    world.git("add", "-A")
    commit(world, "-m", "memory")
    assert (tmp_path / "started").read_text().count("\n") == 4


def test_without_gitmem_commits_go_on(world: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    for name in GitHooks.NAMES:
        path = hook(world, name)
        path.write_text(path.read_text().replace(sys.executable, "/nowhere/python"))
    tools = world.parent / "tools"
    tools.mkdir()
    for tool in ("git", "sh"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    note(world, "now")
    world.git("add", "-A")
    monkeypatch.setenv("PATH", str(tools))
    assert commit(world, "-m", "memory") == ""


@pytest.fixture
def hollow(tmp_path: Path) -> str:
    """A Python that has no gitmem any more."""
    path = tmp_path / "hollow"
    path.write_text("#!/bin/sh\necho 'No module named gitmem' >&2\nexit 1\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("head", ["#!/bin/sh", "#!/bin/sh -e"])
def test_a_python_without_gitmem_refuses_nothing(repo: "Checkout", hollow: str, head: str) -> None:
    Memory.init(str(repo))
    for name in GitHooks.NAMES:
        path = hook(repo, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{head}\n")
        path.chmod(0o755)
    GitHooks(str(repo), ".memory").install()
    for name in GitHooks.NAMES:
        path = hook(repo, name)
        path.write_text(path.read_text().replace(sys.executable, hollow))
    note(repo, "now")
    repo.git("add", "-A")
    commit(repo, "-m", "memory")
    repo.git("checkout", "-q", "HEAD~1")
    repo.git("checkout", "-q", "main")
    commit(repo, "--amend", "-m", "again")


def test_a_fault_of_ours_stops_nobody(world: "Checkout") -> None:
    note(world, "now")
    world.git("add", "-A")
    (world / ".memory/gitmem.yaml").write_text("format: 999\n")
    said = commit(world, "-m", "memory")
    assert "this hook did nothing" in said
    assert "Traceback" not in said


def test_after_two_seconds_they_give_up(world: "Checkout", tmp_path: Path) -> None:
    """A git that never answers: the commit goes on all the same."""
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "git").write_text(
        f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec {shutil.which('sleep')} 60\n"
    )
    (slow / "git").chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "hooks", "run", "pre-commit"],
        cwd=world, env={**os.environ, "PATH": str(slow)}, capture_output=True, text=True,
        check=False, timeout=40,
    )  # fmt: skip
    assert done.returncode == 0
    assert "longer than two seconds" in done.stderr
    wait_until_gone(int((tmp_path / "pid").read_text()))


def wait_until_gone(process: int) -> None:
    """Wait for a process to end; nobody reaps it here, so a dead one may still be listed."""
    for _ in range(200):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    raise AssertionError(f"{process} is still there")


@sampled(1)
@pytest.mark.parametrize(
    "head", ["#!/bin/sh", "#!/usr/bin/env bash", "#!/bin/bash -e", "#! /bin/dash"]
)
def test_a_hook_that_is_there_goes_on(repo: "Checkout", head: str) -> None:
    Memory.init(str(repo))
    path = hook(repo)
    path.parent.mkdir(exist_ok=True)
    text = f'{head}\n# mine\necho "$0 $#" >> seen\nexit 0\n'
    path.write_text(text)
    path.chmod(0o755)
    GitHooks(str(repo), ".memory").install()
    assert path.read_text() != text
    assert GitHooks(str(repo), ".memory").install().changed == []
    repo.git("add", "-A")
    commit(repo, "-m", "x")
    assert (repo / "seen").read_text() == f"{hook(repo).relative_to(repo)} 0\n"
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    repo.git("add", "-A")
    commit(repo, "-m", "broken", code=1)
    assert (repo / "seen").read_text().count("\n") == 1
    GitHooks(str(repo), ".memory").uninstall()
    assert path.read_text() == text
    assert path.stat().st_mode & 0o777 == 0o755
    assert [name for name in os.listdir(path.parent) if not name.endswith(".sample")] == [path.name]


def test_a_hook_in_another_language_is_called(repo: "Checkout") -> None:
    Memory.init(str(repo))
    path = hook(repo)
    path.parent.mkdir(exist_ok=True)
    text = f"#!{sys.executable}\nimport sys\nopen('seen', 'a').write('x')\nsys.exit(3)\n"
    path.write_text(text)
    path.chmod(0o755)
    GitHooks(str(repo), ".memory").install()
    repo.git("add", "-A")
    commit(repo, "-m", "x", code=1)
    assert (repo / "seen").read_text() == "x"
    GitHooks(str(repo), ".memory").uninstall()
    assert path.read_text() == text


def test_a_hooks_folder_of_the_users_is_honoured(repo: "Checkout", tmp_path: Path) -> None:
    Memory.init(str(repo))
    for setting, folder in (
        ("team hooks", repo / "team hooks"),
        (str(tmp_path / "x"), tmp_path / "x"),
    ):
        repo.git("config", "core.hooksPath", setting)
        outside = folder.parent != repo
        found = GitHooks(str(repo / ".memory"), ".memory").install(outside=outside)
        assert found.where.outside == outside
        assert Path(found.where.folder) == folder
        assert found.where.configured
        assert {one.state for one in found.hooks} == {"installed"}
        assert BEGIN in (folder / "pre-commit").read_text()
        GitHooks(str(repo), ".memory").uninstall()
        assert os.listdir(folder) == []


def _by_setting(repo: "Checkout", outside: Path) -> None:
    repo.git("config", "core.hooksPath", str(outside))


def _by_setting_of_the_users(repo: "Checkout", outside: Path) -> None:
    repo.git("config", "--global", "core.hooksPath", str(outside))


def _by_a_linked_folder(repo: "Checkout", outside: Path) -> None:
    (repo / "hooks").symlink_to(outside)
    repo.git("config", "core.hooksPath", "hooks")


def _by_a_linked_hook(repo: "Checkout", outside: Path) -> None:
    (outside / "pre-commit").write_text("#!/bin/sh\necho mine\n")
    (repo / "hooks").mkdir()
    (repo / "hooks/pre-commit").symlink_to(outside / "pre-commit")
    repo.git("config", "core.hooksPath", "hooks")


@pytest.mark.parametrize(
    "lead", [_by_setting, _by_setting_of_the_users, _by_a_linked_folder, _by_a_linked_hook]
)
def test_hooks_outside_the_repository_are_changed_only_by_who_agrees(
    repo: "Checkout", tmp_path: Path, lead: "Callable[[Checkout, Path], None]"
) -> None:
    ok(repo, "init")
    outside = tmp_path / "of all repositories"
    outside.mkdir()
    lead(repo, outside)
    before = {path: path.read_bytes() for path in outside.iterdir()}
    complains(run(repo, "hooks", "install"), 2, "outside this repository", "--yes")
    with pytest.raises(UsageError, match="outside this repository"):
        GitHooks(str(repo), ".memory").install()
    assert {path: path.read_bytes() for path in outside.iterdir()} == before
    assert "installed in" in ok(repo, "hooks", "install", "--yes")
    assert BEGIN in (outside / "pre-commit").read_text()
    ok(repo, "hooks", "uninstall")
    assert {path: path.read_bytes() for path in outside.iterdir()} == before


def test_a_pipe_in_place_of_a_hook_is_not_waited_for(repo: "Checkout") -> None:
    ok(repo, "init")
    os.mkfifo(repo / ".git/hooks/pre-commit")
    complains(run(repo, "hooks", "install"), 6, "it is not a file")
    assert "missing" in run(repo, "hooks", "status").out


def test_what_is_taken_out_does_not_come_back_with_the_old_folder(world: "Checkout") -> None:
    world.git("config", "core.hooksPath", "hooks")
    GitHooks(str(world), ".memory").install()
    assert set(GitHooks(str(world), ".memory").uninstall().changed) >= set(GitHooks.NAMES)
    world.git("config", "--unset", "core.hooksPath")
    assert {one.state for one in GitHooks(str(world), ".memory").status().hooks} == {"missing"}


def test_a_repository_without_a_work_tree_has_no_hooks_of_ours(world: "Checkout") -> None:
    world.git("clone", "-q", "--bare", ".", "../bare.git")
    with pytest.raises(EnvironmentProblem, match="without a work tree"):
        GitHooks(str(world.parent / "bare.git"), ".memory").install()


def test_linked_work_trees_share_their_hooks(world: "Checkout", tmp_path: Path) -> None:
    world.git("worktree", "add", "-q", str(tmp_path / "linked"))
    assert {one.state for one in GitHooks(str(tmp_path / "linked"), ".memory").status().hooks} == {
        "installed"
    }


def test_status_tells_what_is_missing_or_old(world: "Checkout") -> None:
    path = hook(world)
    path.write_text(path.read_text().replace("-P -m", "-m"))
    hook(world, "post-merge").unlink()
    hook(world, "post-commit").chmod(0o644)
    states = {one.name: one.state for one in GitHooks(str(world), ".memory").status().hooks}
    assert states == dict.fromkeys(GitHooks.NAMES, "installed") | {
        "pre-commit": "outdated", "post-merge": "missing", "post-commit": "not executable",
    }  # fmt: skip
    assert set(GitHooks(str(world), ".memory").install().changed) == {
        "pre-commit", "post-merge", "post-commit",
    }  # fmt: skip
    assert {one.state for one in GitHooks(str(world), ".memory").status().hooks} == {"installed"}


# --- with managers of hooks -----------------------------------------------------------------------


def test_a_stub_of_husky_knows_its_name(repo: "Checkout") -> None:
    """As husky 9 writes it: the stub runs what has its own name in the folder above."""
    Memory.init(str(repo))
    repo.git("config", "core.hooksPath", ".husky/_")
    runner = '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n'
    repo.add(".husky/_/h", runner + '[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\nexit $?\n')
    stub = repo.add(".husky/_/pre-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
    stub.chmod(0o755)
    repo.add(".husky/pre-commit", "echo ran >> seen\n")
    found = GitHooks(str(repo), ".memory").install()
    assert found.where.manager == "husky"
    repo.git("add", "-A")
    commit(repo, "-m", "x")
    assert (repo / "seen").read_text() == "ran\n"
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    repo.git("add", "-A")
    commit(repo, "-m", "broken", code=1)


def test_hooks_that_call_each_other_end(repo: "Checkout") -> None:
    """As pre-commit does: its own hook calls the one that it found there, ours."""
    Memory.init(str(repo))
    GitHooks(str(repo), ".memory").install()
    path = hook(repo)
    path.rename(f"{path}.legacy")
    path.write_text(f'#!/bin/sh\n"{path}.legacy" "$@" || exit 1\necho ran >> seen\n')
    path.chmod(0o755)
    GitHooks(str(repo), ".memory").install()
    note(repo, "now")
    repo.git("add", "-A")
    commit(repo, "-m", "x")
    assert (repo / "seen").read_text() == "ran\n"


# --- the merge driver -----------------------------------------------------------------------------


def edited_on_both_sides(world: "Checkout", ours: Callable[[str], str],
                         theirs: Callable[[str], str]) -> Path:  # fmt: skip
    note(world, "shared")
    (record,) = (world / ".memory").rglob("shared-*.yaml")
    world.commit("base")
    world.git("checkout", "-q", "-b", "theirs")
    record.write_text(theirs(record.read_text()))
    world.commit("theirs")
    world.git("checkout", "-q", "main")
    record.write_text(ours(record.read_text()))
    world.commit("ours")
    return record


def assert_both_fields_are_merged(world: "Checkout") -> None:
    record = edited_on_both_sides(
        world,
        lambda text: text.replace("title: shared", "title: ours"),
        lambda text: text.replace("body: words", "body: theirs"),
    )
    world.git("merge", "-q", "--no-edit", "theirs")
    assert "title: ours" in record.read_text()
    assert "body: theirs" in record.read_text()


def test_edits_of_one_record_are_merged_by_field(world: "Checkout") -> None:
    assert_both_fields_are_merged(world)


def test_a_clash_is_left_to_people_and_explained(world: "Checkout") -> None:
    record = edited_on_both_sides(
        world,
        lambda text: text.replace("title: shared", "title: ours"),
        lambda text: text.replace("title: shared", "title: theirs"),
    )
    world.git("merge", "-q", "--no-edit", "theirs", code=1)
    assert "<<<<<<< ours\ntitle: ours\n=======\ntitle: theirs\n>>>>>>> theirs\n" in (
        record.read_text()
    )
    with Memory.open(str(world)) as memory:
        (problem,) = [one for one in memory.checks.files() if one.severity == "error"]
    assert problem.code == "conflict-marker"
    world.git("add", "-A")
    commit(world, "--no-edit", code=1)
    world.git("merge", "--abort")


@sampled(1)
@pytest.mark.parametrize("how", ["no python", "no gitmem", "no driver"])
def test_without_the_driver_lines_are_merged(world: "Checkout", hollow: str, how: str) -> None:
    if how == "no driver":
        GitHooks(str(world), ".memory").uninstall()
        assert "gitmem" not in world.git("config", "--list", "--local")
    else:
        was = world.git("config", "merge.gitmem.driver")
        other = "/nowhere/python" if how == "no python" else hollow
        world.git("config", "merge.gitmem.driver", was.replace(sys.executable, other))
    assert_both_fields_are_merged(world)


def test_init_registers_the_driver_and_touches_no_tracked_file(repo: "Checkout") -> None:
    repo.add("code.py", "x\n")
    repo.commit()
    Memory.init(str(repo))
    said = repo.git("check-attr", "merge", ".memory/notes/2026/01/x.yaml", "code.yaml")
    assert said.splitlines() == [
        ".memory/notes/2026/01/x.yaml: merge: gitmem", "code.yaml: merge: unspecified",
    ]  # fmt: skip
    before = (repo / ".git/info/attributes").read_text()
    Memory.init(str(repo))
    assert (repo / ".git/info/attributes").read_text() == before
    assert repo.git("status", "--porcelain", "--untracked-files=no") == ""
