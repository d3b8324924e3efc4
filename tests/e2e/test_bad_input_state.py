"""Places where a memory can't be, or can't be written: case 8."""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.accounts import IS_ROOT
from tests.depth import deep, only_deep, sampled
from tests.e2e.running import (
    COMMAND,
    CONFLICT,
    MACHINE,
    NOT_FOUND,
    as_nobody,
    complains,
    content,
    in_process,
    ok,
    open_to_all,
    run,
    untouched,
    with_mounts,
)
from tests.e2e.samples import ERROR, NOTE, TITLES, lay

if TYPE_CHECKING:
    from tests.conftest import Checkout

READING = (
    ("list",), ("search", "flux capacitor"), ("show", ERROR), ("log",), ("status",), ("check",),
    ("backup", "export"), ("config",), ("session", "list"), ("index", "status"),
    ("index", "verify"),
)  # fmt: skip
WRITING = (
    ("add", "note", "--title", "new"),
    ("resolve", ERROR, "like this"),
    ("session", "start", "a goal"),
    ("config", "--team", "search.limit", "3"),
    ("forget", "--yes", NOTE),
)
EVERY = (*READING, *WRITING, ("import", "-"), ("session", "end"), ("index", "rebuild"))


def answers(repo: Path, wrap: list[str]) -> None:
    """Check that reading commands give their answers."""
    for command in READING[1:8:2]:
        result = run(repo, *command, wrap=wrap)
        assert result.code == 0, (command, result)
        assert "Traceback" not in result.err
    listed = run(repo, "list", wrap=wrap).out
    assert all(title in listed for title in TITLES)


def test_8_outside_a_repository_every_command_says_how_to_begin(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    for command in EVERY:
        result = in_process(folder, *command, stdin=b"{}")
        complains(result, NOT_FOUND, "no memory in", "gitmem init")
    assert content(folder) == {}


def test_8_outside_a_repository_a_memory_works_with_a_notice(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    made = run(folder, "init")
    assert made.code == 0
    assert "not a git repository" in made.err
    record_id = ok(folder, "add", "note", "--title", "kept").split()[0]
    assert record_id in ok(folder, "search", "kept")
    assert "not a git repository" in run(folder, "status").err
    ok(folder, "session", "start", "without git")
    assert "not in a git repository" in ok(folder, "session", "end")


def test_8_without_a_memory_every_command_says_how_to_begin(repo: "Checkout") -> None:
    with untouched(repo):
        for command in EVERY:
            result = in_process(repo, *command, stdin=b"{}")
            complains(result, NOT_FOUND, f"no memory in {repo}", "gitmem init")


@pytest.mark.parametrize("what", ["a folder of another tool", "a file", "a link to nowhere"])
def test_8_what_is_not_ours_is_refused_and_left_alone(repo: "Checkout", what: str) -> None:
    place = repo / ".memory"
    if what == "a file":
        place.write_text("mine")
    elif what == "a link to nowhere":
        place.symlink_to("nowhere")
    else:
        place.mkdir()
        (place / "index.db").write_text("theirs")
        (place / "README").write_text("theirs")
    with untouched(repo):
        for command in (
            ("list",),
            ("add", "note", "--title", "x"),
            ("init",),
            ("init", "--dry-run"),
        ):
            complains(in_process(repo, *command), CONFLICT, str(place), "GITMEM_FOLDER")
    ok(repo, "init", GITMEM_FOLDER=".gitmem")
    assert ok(repo, "add", "note", "--title", "x", GITMEM_FOLDER=".gitmem")


def test_8_a_memory_of_a_newer_format_is_neither_read_nor_written(memory: "Checkout") -> None:
    lay(memory, "gitmem.yaml", "format: 7\nsettings:\n  future: true\n")
    with untouched(memory):
        for command in (("list",), ("init",), *WRITING):
            complains(
                in_process(memory, *command), CONFLICT, "format 7", "install a gitmem that knows"
            )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("format: one\n", "format must be a number"),
        ("settings: 3\nformat: 1\n", "settings must be a mapping"),
        ("format: 1\n\tx", "gitmem.yaml:2:1"),
        ("<<<<<<< a\nformat: 1\n=======\nformat: 2\n>>>>>>> b\n", "gitmem.yaml:1:1"),
    ],
)
def test_8_a_broken_marker_is_named_with_its_place(
    memory: "Checkout", text: str, words: str
) -> None:
    lay(memory, "gitmem.yaml", text)
    with untouched(memory):
        said = run(memory, "list")
        complains(said, 4, "gitmem.yaml", words)
        assert said.err.count("\n") == 2, "no hint what to do"


def test_8_a_broken_file_of_ones_own_settings_says_what_to_do(
    memory: "Checkout", tmp_path: Path
) -> None:
    """The place was told and nothing else; an empty file, which says nothing, was refused."""
    own = tmp_path / "settings" / "gitmem" / "config.yaml"
    own.parent.mkdir(parents=True)
    for text, code in (("a: [\n", 4), ("a:\n\tb: 1\n", 4), ("- a\n", 4), ("", 0), ("\n", 0)):
        own.write_text(text)
        said = run(memory, "list", env={"XDG_CONFIG_HOME": str(own.parents[1])})
        assert (said.code, said.err.count("\n")) == (code, 2 if code else 0), (text, said)


def test_8_a_bad_team_setting_is_told_and_passed_over(memory: "Checkout") -> None:
    lay(memory, "gitmem.yaml", "format: 1\nsettings:\n  search.limit: many\n  serch.limit: 2\n")
    assert all(title in ok(memory, "list") for title in TITLES)
    checked = run(memory, "check")
    assert "search.limit" in checked.out
    assert "serch.limit" in checked.out
    assert checked.out.count("warning") == 2


# A machine that forbids it

READ_ONLY = 'mount --bind "$top" "$top"; mount -o remount,bind,ro "$top"; cd "$repo"; exec "$@"'


def test_8_on_a_read_only_file_system_reading_works_and_writing_is_refused(
    memory: "Checkout",
) -> None:
    wrap = with_mounts(READ_ONLY, top=memory.parent, repo=memory)
    env = {"HOME": str(memory.parent / "home")}
    with untouched(memory):
        answers(memory, wrap)
        for command in (*WRITING, ("add", "error", "--from", "-"), ("import", "-")):
            stdin = ok(memory, "backup", "export") if command == ("import", "-") else "message: m\n"
            result = run(memory, *command, stdin=stdin, wrap=wrap, env=env)
            if command == ("import", "-"):
                assert result.code == 0, "there is nothing to write"
            else:
                complains(result, MACHINE, "read-only file system")
        complains(run(memory, "config", "--user", "search.limit", "3", wrap=wrap, env=env), MACHINE)


@deep
@only_deep
def test_8_on_a_read_only_disk_with_a_warm_index_it_is_still_right(memory: "Checkout") -> None:
    ok(memory, "search", "flux")
    lay(
        memory,
        "notes/2026/01/late-note-0000000002.yaml",
        (memory / f".memory/notes/2026/01/{NOTE}.yaml")
        .read_text()
        .replace(NOTE, "note-0000000002"),
    )
    wrap = with_mounts(READ_ONLY, top=memory.parent, repo=memory)
    result = run(memory, "search", "flux mph", wrap=wrap)
    assert result.code == 0, result
    assert "note-0000000002" in result.out
    answers(memory, wrap)


FULL = """
mount -t tmpfs -o size=160k none "$small"
cp -a "$top/." "$small"
cd "$small"
head -c 400000 /dev/zero > filler 2>/dev/null || true
set +e
"$@"
code=$?
rm -f filler
cp -a "$small/." "$after"
exit $code
"""


def disk_full(repo: "Checkout", *command: str, stdin: str | bytes = "") -> tuple[int, str]:
    """Run a command where nothing can be written any more; give its code and complaint."""
    small, after = repo.parent / "small", repo.parent / "after"
    for folder in (small, after):
        folder.mkdir()
    wrap = with_mounts(FULL, top=repo, small=small, after=after)
    before = content(repo)
    result = run(repo, *command, stdin=stdin, wrap=wrap)
    assert content(after) == before
    return result.code, result.err if result.code else result.out


@pytest.mark.parametrize("command", [WRITING[0], WRITING[1], WRITING[2], WRITING[3]])
def test_8_with_a_full_disk_nothing_half_written_stays(
    memory: "Checkout", command: tuple[str, ...]
) -> None:
    code, said = disk_full(memory, *command)
    assert code == MACHINE, said
    assert said.startswith("gitmem: "), said
    assert "no space left" in said.lower()
    assert "Traceback" not in said


def test_8_with_a_full_disk_several_records_are_all_or_nothing(memory: "Checkout") -> None:
    entries = "".join(f"- title: n{n}\n  body: |\n    {'x' * 3000}\n" for n in range(50))
    code, said = disk_full(memory, "add", "note", "--from", "-", stdin=entries)
    assert code == MACHINE, said
    assert "no space left" in said.lower()


def test_8_with_a_full_disk_reading_works(memory: "Checkout") -> None:
    code, out = disk_full(memory, "search", "flux capacitor")
    assert code == 0, out
    assert ERROR in out


@sampled(2)
@pytest.mark.parametrize("most", [4, 7, 9, 11, 14, 18])
def test_8_with_few_open_files_commands_work_or_say_why(memory: "Checkout", most: int) -> None:
    limited = ["sh", "-c", f'ulimit -n {most} && exec "$@"', "sh"]
    document = ok(memory, "backup", "export")
    for command in (*EVERY, ("run", "--", "true")):
        before = content(memory / ".memory")
        result = run(memory, *command, stdin=document if "import" in command else "", wrap=limited)
        assert "Traceback" not in result.err
        assert "[Errno" not in result.err
        if result.code not in (0, 1):
            assert content(memory / ".memory") == before, command
            complains(result, result.code)
            why = ("too many open files", "can't be rebuilt")
            assert result.code == NOT_FOUND or any(w in result.err.lower() for w in why), result
    answers(memory, [])
    assert ok(memory, "index", "rebuild") == ""
    assert ok(memory, "index", "verify") == ""


def test_8_with_a_limit_on_file_size_nothing_half_written_stays(memory: "Checkout") -> None:
    limited = ["sh", "-c", 'ulimit -f 8 && exec "$@"', "sh"]
    with untouched(memory):
        result = run(
            memory, "add", "note", "--title", "x", "--body", "-", stdin="y" * 50_000, wrap=limited
        )
        complains(result, MACHINE, "file too large")
        result = run(memory, "search", "flux capacitor", wrap=limited)
        assert result.code == 0, result
        assert ERROR in result.out


def test_8_without_permission_on_the_git_folder_reading_works(memory: "Checkout") -> None:
    wrap = as_nobody()
    memory.commit()
    open_to_all(memory)
    for folder in (memory / ".git", memory / ".git" / "gitmem"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o555)
    env = {"HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": None}
    answers(memory, wrap)
    result = run(memory, "session", "start", "x", wrap=wrap, env=env)
    complains(result, MACHINE, "permission denied")
    result = run(memory, "add", "note", "--title", "written by nobody", wrap=wrap, env=env)
    assert result.code == 0, result
    (memory / ".git").chmod(0)
    try:
        for command in (("list",), ("search", "flux capacitor"), ("add", "note", "--title", "y")):
            result = run(memory, *command, wrap=wrap, env=env)
            assert "Traceback" not in result.err
            assert result.code == 0, result
    finally:
        (memory / ".git").chmod(0o755)


def test_8_without_permission_on_the_memory_nothing_is_lost(memory: "Checkout") -> None:
    wrap = as_nobody()
    open_to_all(memory)
    for here, _, _ in os.walk(memory / ".memory"):
        Path(here).chmod(0o555)
    with untouched(memory):
        for command in (WRITING[0], WRITING[1], WRITING[3], WRITING[4]):
            complains(run(memory, *command, wrap=wrap), MACHINE, "permission denied")


def test_8_in_a_folder_that_may_not_be_entered_nobody_is_told_to_start_a_memory(
    memory: "Checkout",
) -> None:
    wrap = as_nobody()
    open_to_all(memory)
    memory.chmod(0o666)
    try:
        complains(run(memory, "list", wrap=wrap), MACHINE, "permission denied")
    finally:
        memory.chmod(0o755)


def test_8_without_git_everything_but_history_works(memory: "Checkout", tmp_path: Path) -> None:
    nothing = tmp_path / "bin"
    nothing.mkdir()
    env = {"PATH": str(nothing)}
    interpreter = Path(COMMAND).read_text().partition("\n")[0].removeprefix("#!")
    assert os.path.isabs(interpreter)
    for command in (*READING, WRITING[0], WRITING[1], WRITING[3]):
        result = run(memory, *command, env=env)
        assert result.code == 0, (command, result)
    started = run(memory, "session", "start", "without git", env=env)
    assert started.code == 0, started
    ended = run(memory, "session", "end", env=env)
    assert ended.code == 0, ended
    assert "git was not found" in ended.out
    assert run(memory, "check", env=env).code == 0


def test_8_a_repository_of_another_user_is_read_and_its_index_not_trusted(
    memory: "Checkout",
) -> None:
    if not IS_ROOT:
        pytest.skip("only the superuser can give files away")
    memory.commit()
    ok(memory, "search", "flux")
    for here, _, names in os.walk(memory):
        for path in (here, *(os.path.join(here, name) for name in names)):
            os.lchown(path, 65534, 65534)
    refused = subprocess.run(
        ["git", "status"], cwd=memory, capture_output=True, check=False, text=True
    )
    assert "dubious ownership" in refused.stderr
    before = content(memory / ".git")
    answers(memory, [])
    assert content(memory / ".git") == before
    assert run(memory, "add", "note", "--title", "x").code == 0
    assert "belongs to another user" in run(memory, "init").err
    started = run(memory, "session", "start", "in a borrowed place")
    assert started.code in {0, MACHINE}, started
    assert "Traceback" not in started.err
    if started.code == 0:
        ended = run(memory, "session", "end")
        assert ended.code == 0, ended
        assert "another user" in ended.out
