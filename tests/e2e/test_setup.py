"""``gitmem setup`` in real repositories: what it writes, what it leaves alone, what it refuses."""

import errno
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.assistants import jsonc
from gitmem.assistants.assistant import GUIDANCE, TOOLS, RegistrationForm
from gitmem.assistants.hooks import HOOK_CLIENTS
from gitmem.assistants.project_files import carry_out
from gitmem.assistants.setup import found, plan, plan_user, survey, survey_user
from gitmem.errors import ConflictError
from gitmem.memory import Memory
from gitmem.memory.checks import trial_checks
from gitmem.memory.checks.trial_repository import TrialFailed, World
from tests.depth import sampled
from tests.e2e.running import MACHINE, USAGE, complains, in_process, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

_BEGIN = "<!-- >>> gitmem >>> -->\n"


def setup(world: "Checkout", *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "setup", *arguments], cwd=world,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def do(world: "Checkout", *names: str, undo: bool = False) -> list[str]:
    made = plan(str(world), names, undo=undo)
    carry_out(made)
    return [edit.path for edit in made.edits]


def files(world: "Checkout") -> dict[str, bytes]:
    return {
        str(path.relative_to(world)): path.read_bytes()
        for path in Path(world).rglob("*")
        if path.is_file() and ".git" not in path.relative_to(world).parts
    }


def states(world: "Checkout") -> dict[str, tuple[str, bool]]:
    return {one.tool.name: (one.state, one.guided) for one in survey(str(world))}


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    repo.add("README.md", "# Shop\n")
    return repo


@pytest.mark.parametrize(
    ("number", "step"),
    [(errno.ENOSPC, "free some space"), (errno.EROFS, "permission"), (errno.EIO, "partial file")],
)
def test_what_the_machine_refuses_comes_with_a_next_step(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    ok(repo, "init")

    def refuse(*_paths: str) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    code, _, err = in_process(repo, "setup", "claude")
    assert code == 6
    assert "can't write .mcp.json" in err
    assert step in err
    assert sorted(path.name for path in repo.iterdir()) == [".git", ".memory"]


@pytest.mark.parametrize("name", TOOLS)
def test_each_assistant_is_set_up_once_and_without_a_trace_undone(
    world: "Checkout", name: str
) -> None:
    before = files(world)
    assert do(world, name)
    after = files(world)
    assert str(world) not in str(after)
    assert states(world)[name] == ("registered" if TOOLS[name].files else "", True)
    assert do(world, name) == []
    assert files(world) == after
    do(world, name, undo=True)
    assert files(world) == before
    assert sorted(os.listdir(world)) == [".git", "README.md"]


def test_each_registration_is_what_its_tool_reads(world: "Checkout") -> None:
    do(world, *TOOLS)

    def read(path: str) -> Any:
        return json.loads((world / path).read_text())

    ours = {"command": "gitmem", "args": ["mcp"]}
    for path in (".mcp.json", ".cursor/mcp.json", ".gemini/settings.json",
                 ".continue/mcpServers/gitmem.json"):  # fmt: skip
        assert read(path) == {"mcpServers": {"gitmem": ours}}
    assert read(".vscode/mcp.json") == {"servers": {"gitmem": {"type": "stdio", **ours}}}
    zed = read(".zed/settings.json")["context_servers"]["gitmem"]
    assert zed == {"source": "custom", **ours, "env": {}}
    assert read("opencode.json")["mcp"]["gitmem"]["command"] == ["gitmem", "mcp"]
    codex = tomllib.loads((world / ".codex/config.toml").read_text())
    assert codex == {"mcp_servers": {"gitmem": ours}}
    for path in ("AGENTS.md", "GEMINI.md"):
        assert GUIDANCE in (world / path).read_text()
    # Where both are, Claude Code reads CLAUDE.md alone.
    assert (world / "CLAUDE.md").read_text() == f"{_BEGIN}@AGENTS.md\n<!-- <<< gitmem <<< -->\n"


def test_undone_one_by_one_what_others_need_stays(world: "Checkout") -> None:
    before = files(world)
    names = ["claude", "codex", "zed", "gemini"]
    do(world, *names)
    for at, name in enumerate(names):
        do(world, name, undo=True)
        for other in names[at + 1 :]:
            assert states(world)[other] == ("registered", True)
    assert files(world) == before


_KEPT = {
    ".mcp.json": b'{"mcpServers": {"db": {"command": "db"}}}',
    ".vscode/mcp.json": b'// servers\r\n{\r\n\t"servers": {\r\n\t\t"x": {"url": "http://x"}, // x'
    b'\r\n\t},\r\n\t"inputs": [],\r\n}\r\n',
    ".zed/settings.json": b'// Zed\n{ "tab_size": 2 /* two */ }',
    ".codex/config.toml": b'model = "o"  # mine\n\n[mcp_servers.db]\ncommand = "db"',
    ".gemini/settings.json": b'{\n    "context": {"fileName": ["AGENTS.md", "GEMINI.md"]}\n}\n',
    "AGENTS.md": b"# Rules\r\n\r\n- be kind",
    "CLAUDE.md": b"\xef\xbb\xbf# Claude\n\nread the tests \xff\n",
}


def test_what_files_hold_stays_byte_for_byte(world: "Checkout") -> None:
    for path, data in _KEPT.items():
        world.add(path, data)
    before = files(world)
    do(world, "claude", "copilot", "zed", "codex", "gemini")
    after = files(world)
    assert all(after[path] != data for path, data in _KEPT.items() if path != "AGENTS.md")
    assert jsonc.read(after[".vscode/mcp.json"].decode()).plain["servers"]["x"] == {
        "url": "http://x"
    }
    assert "GEMINI.md" not in after  # its settings name AGENTS.md
    assert after["AGENTS.md"].startswith(_KEPT["AGENTS.md"])
    assert after["AGENTS.md"].count(b"\n") == after["AGENTS.md"].count(b"\r\n")
    do(world, "claude", "copilot", "zed", "codex", "gemini", undo=True)
    assert files(world) == before


def test_older_guidance_is_brought_up_to_date_in_its_place(world: "Checkout") -> None:
    world.add("AGENTS.md", f"# A\n\n{_BEGIN}old\n<!-- <<< gitmem <<< -->\n\nmine\n")
    assert states(world)["agents"] == ("", False)
    do(world, "agents")
    text = (world / "AGENTS.md").read_text()
    assert text.startswith("# A\n\n" + _BEGIN + GUIDANCE)
    assert text.endswith("<<< -->\n\nmine\n")
    assert "old" not in text
    do(world, "agents", undo=True)
    assert (world / "AGENTS.md").read_text() == "# A\n\nmine\n"


def test_a_registration_by_hand_is_left_alone(world: "Checkout") -> None:
    text = '{"mcpServers": {"gitmem": {"command": "gitmem", "args": ["mcp", "--write", "draft"]}}}'
    world.add(".mcp.json", text)
    assert "an entry of its own" in setup(world, "claude")
    assert (world / ".mcp.json").read_text() == text
    assert states(world)["claude"] == ("otherwise", True)
    setup(world, "claude", "--undo")
    assert (world / ".mcp.json").read_text() == text


@sampled(4)
@pytest.mark.parametrize(
    ("path", "data", "name", "said"),
    [
        (".mcp.json", b'{"mcpServers": {', "claude", "line 1: "),
        (".mcp.json", b"", "claude", "line 1: "),
        (".mcp.json", b'{"mcpServers": []}', "claude", "is expected"),
        (".mcp.json", b'{"a": "\xff"}', "claude", "UTF-8"),
        (".codex/config.toml", b"a = [\n", "codex", "Invalid value"),
        (".codex/config.toml", b"mcp_servers = {}\n", "codex", "can't be edited"),
        ("AGENTS.md", b"<!-- >>> gitmem >>> -->\n", "codex", "line 1: gitmem"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_written(
    world: "Checkout", path: str, data: bytes, name: str, said: str
) -> None:
    world.add(path, data)
    before = files(world)
    told = setup(world, name, "cursor", code=4)
    assert said in told
    assert path in told
    if path != "AGENTS.md":
        assert "by hand: " in told
        assert "gitmem" in told.partition("by hand: ")[2]
    assert files(world) == before
    if data != b"mcp_servers = {}\n":  # which can be read
        assert "can't be read" in setup(world)


def test_links_are_not_followed_out_of_what_they_name(world: "Checkout", tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (world / ".cursor").symlink_to(outside)
    assert "symbolic link" in setup(world, "cursor", code=6)
    (world / "AGENTS.md").symlink_to(outside / "agents.md")
    assert "AGENTS.md is a symbolic link" in setup(world, "codex", code=6)
    (world / ".mcp.json").symlink_to("README.md")
    assert ".mcp.json is a symbolic link" in setup(world, "claude", code=6)
    assert list(outside.iterdir()) == []
    assert (world / "README.md").read_text() == "# Shop\n"
    assert not (world / ".codex").exists()


def test_guidance_by_another_name_is_written_once(world: "Checkout") -> None:
    world.add("AGENTS.md", "# A\n")
    for name in ("CLAUDE.md", "GEMINI.md"):
        (world / name).symlink_to("AGENTS.md")
    do(world, "claude", "gemini", "codex")
    assert (world / "CLAUDE.md").is_symlink()
    assert (world / "AGENTS.md").read_text().count("record_fix") == 1
    do(world, "claude", "gemini", "codex", undo=True)
    assert (world / "AGENTS.md").read_text() == "# A\n"
    (world / "CLAUDE.md").unlink()
    world.add("CLAUDE.md", "see\n@AGENTS.md\n")
    do(world, "claude")
    assert (world / "CLAUDE.md").read_text() == "see\n@AGENTS.md\n"
    assert "record_fix" in (world / "AGENTS.md").read_text()


def test_a_read_only_file_is_refused(world: "Checkout") -> None:
    file = world.add(".mcp.json", "{}")
    file.chmod(0o444)
    assert ".mcp.json is read-only" in setup(world, "claude", code=6)
    assert file.read_text() == "{}"
    assert not (world / "AGENTS.md").exists()


def test_what_git_ignores_is_told(world: "Checkout") -> None:
    world.add(".gitignore", ".cursor/\n")
    made = plan(str(world), ["cursor"])
    assert made.notes == ["git ignores .cursor/mcp.json, so it applies to this clone only"]


def test_a_file_that_changes_meanwhile_is_not_overwritten(world: "Checkout") -> None:
    made = plan(str(world), ["claude"])
    world.add(".mcp.json", "{}")
    with pytest.raises(ConflictError, match="was changed meanwhile"):
        carry_out(made)
    assert (world / ".mcp.json").read_text() == "{}"


def test_a_files_mode_stays(world: "Checkout") -> None:
    world.add(".mcp.json", "{}").chmod(0o640)
    do(world, "claude")
    assert (world / ".mcp.json").stat().st_mode & 0o777 == 0o640


def test_a_dry_run_shows_a_diff_that_git_applies(world: "Checkout") -> None:
    world.add("AGENTS.md", "# Rules\n")
    world.add(".codex/config.toml", 'model = "o"\n')
    before = files(world)
    shown = setup(world, "codex", "--dry-run").partition("note: ")[0]
    assert files(world) == before
    world.git("apply", "--check", "-", stdin=shown.encode())
    world.git("apply", "-", stdin=shown.encode())
    assert do(world, "codex") == []


def test_it_works_from_a_folder_below_and_says_where_it_can_not(
    world: "Checkout", tmp_path: Path
) -> None:
    below = world / "src"
    below.mkdir()
    made = plan(str(below), ["cursor"])
    carry_out(made)
    assert (world / ".cursor/mcp.json").exists()
    assert list(below.iterdir()) == []
    away = tmp_path / "away"
    away.mkdir()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "setup"], cwd=away, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 6
    assert "no project" in done.stderr
    assert "it knows: claude" in setup(world, "nobody", code=2)
    assert "name it" in setup(world, "--undo", code=2)


def test_what_is_there_is_listed(world: "Checkout") -> None:
    world.add(".cursor/rules/a.mdc", "x")
    told = json.loads(setup(world, "--json"))["assistants"]
    by_name = {one["name"]: one for one in told}
    assert by_name["cursor"] == {
        "name": "cursor", "title": "Cursor", "used": True, "file": ".cursor/mcp.json",
        "state": "missing", "guided": False, "hooks": False, "why": "",
    }  # fmt: skip
    assert not by_name["zed"]["used"]
    assert "gitmem setup cursor --dry-run" in setup(world)
    changed = json.loads(setup(world, "cursor", "--dry-run", "--json"))["changed"]
    assert [(one["path"], one["how"]) for one in changed] == [
        (".cursor/mcp.json", "made"), ("AGENTS.md", "made"),
    ]  # fmt: skip


def test_that_the_server_can_not_start_here_is_said(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "gitmem-native[mcp]" not in in_process(world, "setup", "cursor").err
    monkeypatch.setattr("gitmem.cli.setup.find_spec", lambda _: None)
    assert 'pip install "gitmem-native[mcp]"' in in_process(world, "setup", "cursor").err
    assert "gitmem-native[mcp]" not in in_process(world, "setup", "cursor", "--undo").err


def test_who_has_no_file_in_a_project_is_told_of_the_one_of_the_user(
    world: "Checkout", sealed_git: Path
) -> None:
    home = sorted(sealed_git.rglob("*"))
    for name in ("windsurf", "cline"):
        assert f"~/{TOOLS[name].user}: gitmem setup {name} --user" in setup(world, name)
    assert sorted(sealed_git.rglob("*")) == home


_OF_USERS = [tool.name for tool in TOOLS.values() if tool.user]


@pytest.mark.parametrize("theirs", [None, b'// mine\n{\n\t"theme": "dark",\n}\n'])
@pytest.mark.parametrize("name", _OF_USERS)
def test_for_all_projects_the_file_of_the_user_is_edited_and_taken_back(
    tmp_path: Path, name: str, theirs: bytes | None
) -> None:
    tool, environ = TOOLS[name], {"HOME": str(tmp_path)}
    file = tmp_path / tool.user
    if theirs and tool.user.endswith(".toml"):
        theirs = b'model = "o"  # mine\n'
    file.parent.mkdir(parents=True)
    if theirs:
        file.write_bytes(theirs)
    carry_out(plan_user(environ, [name], RegistrationForm()))
    text = file.read_text()
    assert "--if-memory" in text
    assert theirs is None or "mine" in text
    assert str(tmp_path) not in text
    (one,) = [setup for setup in survey_user(environ) if setup.tool.name == name]
    assert one.state == "registered"
    assert plan_user(environ, [name], RegistrationForm()).edits == []
    carry_out(plan_user(environ, [name], RegistrationForm(), undo=True))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file] * bool(theirs)
    assert not theirs or file.read_bytes() == theirs
    assert file.parent.is_dir()


def test_where_no_home_is_known_or_it_may_not_be_written_nothing_is(
    world: "Checkout", tmp_path: Path
) -> None:
    for path in (None, "", "relative", str(tmp_path / "not-there")):
        done = run(world, "setup", "cursor", "--user", env={"HOME": path, "USERPROFILE": None})
        complains(done, MACHINE, "home folder")
    home = tmp_path / "home"
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    file.chmod(0o444)
    done = run(world, "setup", "cursor", "amp", "--user", env={"HOME": str(home)})
    complains(done, MACHINE, "read-only")
    assert [path for path in home.rglob("*") if path.is_file()] == [file]
    for wrong in (("claude", "--user", "--hooks"), ("--all", "--user"), ("--uvx",)):
        assert run(world, "setup", *wrong).code == USAGE


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS.values() if tool.files])
def test_the_server_is_started_as_asked_and_stays_so(world: "Checkout", name: str) -> None:
    tool, before = TOOLS[name], files(world)
    do(world, name)
    setup(world, name, "--coding-tools", "--uvx")
    wanted = '"uvx" "--from" "gitmem-native[mcp]" "gitmem" "mcp" "--coding-tools"'
    text = (world / tool.files[0]).read_text()
    assert wanted == " ".join(re.findall(r'"(?:uvx|--\S+|gitmem-native\S+|gitmem|mcp)"(?!:)', text))
    assert states(world)[name] == ("registered", True)
    assert do(world, name) == []
    do(world, name, undo=True)
    assert files(world) == before


def test_s4_44_the_registered_command_is_an_mcp_server(world: "Checkout") -> None:
    """As an assistant starts it: by what the file says, found on the path."""
    pytest.importorskip("mcp")
    Memory.init(str(world))
    do(world, "claude")
    entry = json.loads((world / ".mcp.json").read_text())["mcpServers"]["gitmem"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}}  # fmt: skip
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.Popen(
        shlex.split(entry["command"]) + entry["args"], cwd=world, env={**os.environ, "PATH": path},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    try:
        print(json.dumps(hello), file=process.stdin, flush=True)
        said = json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
    assert said["result"]["serverInfo"]["name"] == "gitmem"


def test_doctor_proves_what_is_registered(
    world: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp")
    Memory.init(str(world))
    inner = tmp_path / "inner"
    inner.mkdir()
    trial = World(str(inner), {}, str(world))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def check() -> Any:
        with Memory.open(str(world)) as memory:
            try:
                return trial_checks._setup(trial, memory.workspace)
            except TrialFailed as error:
                return str(error)

    assert check() == ("setup", "off", "no assistant is configured", "gitmem setup")
    do(world, "claude", "codex")
    monkeypatch.setenv("PATH", path)
    assert re.fullmatch(
        r"claude, codex: the registered command was started, and offered \d+ tools", check()
    )
    (world / "AGENTS.md").write_text("# mine\n")
    assert check()[1:] == (
        "broken", "claude, codex: the guidance is missing or old", "gitmem setup claude codex",
    )  # fmt: skip
    broken = tmp_path / "bin"
    broken.mkdir()
    (broken / "gitmem").write_text("#!/bin/sh\nexit 1\n")
    (broken / "gitmem").chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken}{os.pathsep}{path}")
    assert check() == "the MCP server ended before it answered"
    (broken / "gitmem").unlink()
    monkeypatch.setenv("PATH", str(broken))
    with monkeypatch.context() as patch:
        patch.setattr(trial_checks, "find", lambda _: world)  # git is not on this path either
        assert check()[:2] == ("setup", "broken")
    monkeypatch.setenv("PATH", path)
    (world / ".mcp.json").write_text("{")
    assert check()[:3] == ("setup", "broken", ".mcp.json: line 1: a key is missing")


@sampled(4)
@pytest.mark.parametrize("seed", range(10))
def test_in_any_order_all_undone_leaves_what_was_there(world: "Checkout", seed: int) -> None:
    rng = random.Random(seed)
    kept = {**_KEPT, "GEMINI.md": b"g\n", ".rules": b"r", "opencode.jsonc": b"{} // o\n"}
    for path, data in kept.items():
        if rng.random() < 0.4:
            world.add(path, data)
    before = files(world)
    names = rng.sample(list(TOOLS), rng.randint(2, len(TOOLS)))
    for name in names:
        do(world, name)
    for name in names:
        assert states(world)[name][1], name
    do(world, *rng.sample(names, len(names)))
    rng.shuffle(names)
    for at, name in enumerate(names):
        do(world, name, undo=True)
        for other in names[at + 1 :]:
            if TOOLS[other].files:
                assert states(world)[other] == ("registered", True)
    assert files(world) == before


def test_all_means_those_of_this_machine_and_of_the_project(
    world: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, programs = tmp_path / "own", tmp_path / "programs"
    (home / ".gemini").mkdir(parents=True)
    programs.mkdir()
    (programs / "codex").write_text("#!/bin/sh\n")
    (programs / "codex").chmod(0o755)
    git = os.path.dirname(shutil.which("git") or "")
    only_git = tmp_path / "git"
    only_git.mkdir()
    (only_git / "git").symlink_to(Path(git, "git"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(only_git))
    before = files(world)
    world.add(".zed/tasks.json", "[]")
    assert found(str(world), {"PATH": str(programs), "HOME": str(home)}) == [
        "codex",
        "gemini",
        "zed",
    ]
    (world / ".zed/tasks.json").unlink()
    (world / ".zed").rmdir()

    monkeypatch.setenv("PATH", os.pathsep.join((str(only_git), str(programs))))
    shown = run(world, "setup", "--all", "--hooks")
    assert shown.code == 0
    assert {line.split()[1] for line in shown.out.splitlines()} == {
        ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", "AGENTS.md", "GEMINI.md"
    }  # fmt: skip
    assert "has no hooks" not in shown.err
    complains(run(world, "setup", "codex", "--all"), USAGE, "name assistants, or say --all")
    ok(world, "setup", "--all", "--undo")
    assert files(world) == before

    (home / ".gemini").rmdir()
    monkeypatch.setenv("PATH", str(only_git))
    nobody = run(world, "setup", "--all", "--hooks")
    assert (nobody.code, nobody.out) == (0, "")
    assert "no assistant was found" in nobody.err


def test_the_help_names_each_assistant_and_those_that_have_hooks(world: "Checkout") -> None:
    told = " ".join(ok(world, "setup", "--help").split())
    named = re.search(r"ASSISTANT is (.*?), or agents", told)
    assert named
    assert {*named[1].split(", "), "agents"} == set(TOOLS)
    with_hooks = re.search(r"With --hooks \((.*?)\)", told)
    assert with_hooks
    assert set(with_hooks[1].split(", ")) == set(HOOK_CLIENTS)


def test_who_reads_the_hooks_of_another_assistant_has_hooks(world: "Checkout") -> None:
    """The documentation said that the command line reads them, and setup that it has none."""
    done = run(world, "setup", "copilot-cli", "--hooks")
    assert "has no hooks" not in done.err
    hooks = (world / ".github" / "hooks" / "gitmem.json").read_text()
    assert "assistant-hook copilot " in hooks
    ok(world, "setup", "copilot-cli", "copilot", "--hooks")
    assert (world / ".github" / "hooks" / "gitmem.json").read_text() == hooks


def test_of_those_without_hooks_that_is_said_once(world: "Checkout") -> None:
    done = run(world, "setup", "zed", "claude", "continue", "--hooks")
    assert "note: gitmem has no hooks for Zed, Continue\n" in done.err
