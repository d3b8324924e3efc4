"""Tries every way into and out of a memory in a small repository of its own.

What the user's repository needs for each way (hooks, a line in the shell's start-up file) is looked
up there and not changed.
"""

import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gitmem.assistants.setup import survey
from gitmem.errors import UsageError, install
from gitmem.git.git_dirs import find, why_none
from gitmem.hub import client
from gitmem.memory.checks.language_server import Conversation
from gitmem.memory.checks.trial_hooks import installed, program, prove
from gitmem.memory.checks.trial_repository import SECONDS, TrialFailed, World
from gitmem.memory.history import hooks, merge_driver

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.memory.core.workspace import Workspace

State = Literal["ok", "off", "broken"]
_FAILING: Final = "import sys\n\ndef price(card):\n    return card['total']\n\nprice({})\n"
_MENDED: Final = _FAILING.replace("price({})", "price({'total': 1})")
_JUNIT: Final = (
    '<testsuite tests="1" failures="1"><testcase classname="t" name="test_card" time="0.1">'
    "<failure message=\"KeyError: 'total'\">Traceback (most recent call last):\n"
    '  File "shop.py", line 4, in price\n    return card["total"]\nKeyError: \'total\'\n'
    "</failure></testcase></testsuite>"
)
_PATIENCE: Final = 5.0
"""Seconds that a hub may take: questions give it less, and are silent then."""
_LOOKED_FOR: Final = "install it where the assistants look, such as with pipx"
_ENDED: Final = "the MCP server ended before it answered"
_TEST: Final = "def test_card():\n    assert {}['total'] == 1\n"
# Those that read commands from a pipe as from a terminal.
_INTERACTIVE: Final = {"bash": ("--norc", "--noprofile", "-i"), "zsh": ("-f", "-i")}
_RC: Final = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}


class Check(NamedTuple):
    """What came of trying one way.

    Attributes:
        name: of the way.
        state: ``ok``: it was tried and works; ``off``: it is not set up here; ``broken``.
        said: what was found, in one line.
        hint: what to do about it.

    """

    name: str
    state: State
    said: str
    hint: str = ""


def _search(world: World, _workspace: "Workspace") -> str:
    world.gitmem("add", "note", "--title", "doctor", "--body", "a synthetic cough")
    hits = world.json("search", "synthetic cough")["hits"]
    if not hits:
        raise TrialFailed("a record that was just written is not found")
    return "a record written, and found again"


def _run(world: World, workspace: "Workspace") -> Check | str:
    world.write("shop.py", _FAILING)
    world.commit()
    ran = (sys.executable, "shop.py")
    world.gitmem("run", "--", *ran, code=1)
    world.write("shop.py", _MENDED)
    world.gitmem("run", "--", *ran)
    if workspace.site.config.capture_mode == "off":
        return Check(
            "run",
            "off",
            "capture.mode is off: runs are not noted",
            "gitmem config capture.mode draft --user",
        )
    world.write("shop.py", _FAILING)
    done = world.run(sys.executable, "-P", "-m", "gitmem", "run", "--", *ran)
    world.write("shop.py", _MENDED)
    if "worked" not in done.stdout + done.stderr:
        raise TrialFailed("a failure was fixed, and gitmem run did not show it the next time")
    return "a failing command, its fix, and the fix shown when it failed again"


def _report(world: World, _workspace: "Workspace") -> str:
    world.write("report.xml", _JUNIT)
    report = world.json("runs", "capture", "report.xml")
    if len(report["failures"]) != 1:
        raise TrialFailed(f"{len(report['failures'])} failures read from a report of one")
    return "a JUnit report read, its failure recognised"


def _hint(world: World, _workspace: "Workspace") -> str:
    output = world.gitmem("hint", stdin="  File \"shop.py\", line 4, in price\nKeyError: 'total'\n")
    if "KeyError" not in output:
        raise TrialFailed("a piped error text was not recognised")
    return "a piped error text recognised"


def _pytest(world: World, workspace: "Workspace") -> Check | str:
    if world.run(sys.executable, "-c", "import pytest").returncode:
        return Check(
            "pytest",
            "off",
            f"no pytest beside {sys.executable}",
            "install gitmem-native into the environment of your tests",
        )
    world.write("test_doctor.py", _TEST)
    plugins = ("-p", "no:cacheprovider", "-p", "gitmem")
    world.must(sys.executable, "-m", "pytest", "-q", *plugins, "test_doctor.py", code=1)
    runs = world.json("runs")["runs"]
    if workspace.site.config.capture_mode == "off":
        return Check("pytest", "off", "capture.mode is off: runs are not noted", "")
    if not any("pytest" in " ".join(run["command"]) for run in runs):
        raise TrialFailed("pytest ran with the plugin, and no run was noted")
    return "a failing test noted by the plugin (it is off until asked for, see docs/tests.md)"


def _shell(world: World, workspace: "Workspace") -> Check | str:
    shell = os.path.basename(workspace.environ.get("SHELL", ""))
    if shell not in _RC:
        return Check("shell", "off", f"no snippet for {shell or 'this shell'}", "")
    tried = _tried_in(shell, world)
    path = os.path.join(workspace.environ.get("HOME", ""), _RC[shell])
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if "gitmem shell-init" in text or "_gitmem_prompt" in text:
            return f"{tried}; {path} calls it"
    except OSError:
        pass
    return Check(
        "shell", "off", f"{tried}; {path} does not call it", f"see: gitmem shell-init {shell}"
    )


def _tried_in(shell: str, world: World) -> str:
    """Let a command fail in a shell that has the snippet; say what came of it."""
    if shell not in _INTERACTIVE or not shutil.which(shell):
        return f"not tried in {shell}, which wants a terminal"
    snippet = f"{shlex.quote(sys.executable)} -P -m gitmem shell-init {shell}"
    done = subprocess.run(  # noqa: S603  the user's own shell, in a folder of ours
        (shell, *_INTERACTIVE[shell]),
        cwd=world.folder,
        env={**world.environ, "TERM": "dumb", "HISTFILE": ""},
        input=f'eval "$({snippet})"\nfalse\nexit 0\n',
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=SECONDS,
        start_new_session=True,  # it must not take our terminal
    )
    if "gitmem: exit code 1" not in done.stdout + done.stderr:
        raise TrialFailed(f"a command failed in {shell}, and the snippet offered no help")
    return "help offered after a failing command"


def _hooks(world: World, workspace: "Workspace") -> Check | str:
    world.gitmem("hooks", "install")
    name = world.gitmem("add", "note", "--title", "named", "--body", "in the commit").split()[0]
    world.must("git", "add", "-A")
    world.must("git", "commit", "-q", "-m", "doctor")
    if name not in world.must("git", "log", "-1", "--format=%(trailers:key=Memory)"):
        raise TrialFailed("a record was committed, and the commit does not name it")
    world.write(".memory/notes/2026/01/broken.yaml", "title: [\n")
    world.must("git", "add", "-A")
    refused = world.run("git", "commit", "-q", "-m", "doctor")
    world.must("git", "rm", "-q", "-f", ".memory/notes/2026/01/broken.yaml")
    if refused.returncode == 0:
        raise TrialFailed("a broken record was committed past the hook")
    tried = "a record named in its commit, a broken one refused"
    if find(world.here) is None:
        return Check("hooks", "off", f"{tried}; {why_none(world.here)}", "")
    status = hooks.status(world.here, workspace.site.config.folder)
    missing = [hook.name for hook in status.hooks if hook.state != "installed"]
    if missing:
        text = f"{tried}; not installed here: {', '.join(missing)}"
        return Check("hooks", "off", text, "gitmem hooks install")
    return f"{tried}; installed here"


def _merge(world: World, _workspace: "Workspace") -> Check | str:
    world.gitmem("add", "note", "--title", "merged", "--body", "x", "--tag", "both")
    (path,) = glob.glob(f"{world.folder}/.memory/**/merged-*.yaml", recursive=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    world.commit()
    for branch, tag in (("theirs", "theirs"), ("main", "ours")):
        world.must("git", "checkout", "-q", *(["-b"] if branch == "theirs" else []), branch)
        world.write(os.path.relpath(path, world.folder), text.replace("- both", f"- both\n- {tag}"))
        world.commit()
    merged = world.run("git", "merge", "-q", "--no-edit", "theirs")
    with open(path, encoding="utf-8") as file:
        left = file.read()
    if merged.returncode or "- ours\n" not in left or "- theirs\n" not in left:
        world.run("git", "merge", "--abort")
        raise TrialFailed("a record was edited on two branches, and its fields were not merged")
    tried = "a record edited on two branches, merged by fields"
    git_dirs = find(world.here)
    if git_dirs is None or not merge_driver.is_registered(git_dirs):
        return Check(
            "merge", "off", f"{tried}; not registered in this clone", "gitmem hooks install"
        )
    return tried


def _ci(world: World, _workspace: "Workspace") -> str:
    world.write("report.xml", _JUNIT)
    world.gitmem("ci", "report.xml", "--fail-on", "never", "--summary", "summary.md")
    with open(os.path.join(world.folder, "summary.md"), encoding="utf-8") as file:
        if "KeyError" not in file.read():
            raise TrialFailed("the summary of a red job does not show its failure")
    return "the failure of a red job shown in its summary"


def _mcp(world: World, _workspace: "Workspace") -> Check | str:
    if find_spec("mcp") is None:
        return Check("mcp", "off", "the extra mcp is not installed", install("mcp"))
    count = _tools_of((sys.executable, "-P", "-m", "gitmem", "mcp"), world)
    return f"the MCP server offered {count} tools"


def _setup(world: World, workspace: "Workspace") -> Check | str:
    if find(world.here) is None:
        return Check("setup", "off", why_none(world.here), "")
    assistants = survey(world.here)
    broken = [
        f"{assistant.file or assistant.tool.name}: {assistant.why}"
        for assistant in assistants
        if assistant.state == "unreadable"
    ]
    if broken:
        return Check("setup", "broken", broken[0], "see: gitmem setup")
    registered = [assistant for assistant in assistants if assistant.state == "registered"]
    if not registered:
        return Check("setup", "off", "no assistant is configured", "gitmem setup")
    started = program(workspace.environ)
    names = ", ".join(assistant.tool.name for assistant in registered)
    by_uvx = [entry.tool.name for entry in registered if "uvx" in str(entry.entry.get("command"))]
    if by_uvx and shutil.which("uvx", path=workspace.environ.get("PATH")) is None:
        text = f"{', '.join(by_uvx)} can't start gitmem: uvx is not on the PATH"
        return Check("setup", "broken", text, "install uv, or: gitmem setup NAME --undo")
    if len(by_uvx) == len(registered):  # it would download, perhaps
        return f"{names}: registered; uvx is on the PATH, and was not started"
    if started is None:
        return Check(
            "setup",
            "broken",
            f"{names} can't start gitmem: it is not on the PATH",
            _LOOKED_FOR,
        )
    count = _tools_of((started, "mcp"), world)
    deaf = [assistant.tool.name for assistant in registered if not assistant.guided]
    if deaf:
        return Check(
            "setup",
            "broken",
            f"{', '.join(deaf)}: the guidance is missing or old",
            f"gitmem setup {' '.join(deaf)}",
        )
    return f"{names}: the registered command was started, and offered {count} tools"


def _assistants(world: World, workspace: "Workspace") -> Check | str:
    if find(world.here) is None:
        return Check("assistants", "off", why_none(world.here), "")
    names = installed(world.here)
    if not names:
        hint = "gitmem setup --all --hooks"
        return Check("assistants", "off", "no assistant has hooks here", hint)
    started = program(workspace.environ)
    if started is None:
        text = f"{', '.join(names)} can't start gitmem: it is not on the PATH"
        return Check("assistants", "broken", text, _LOOKED_FOR)
    for name in names:
        prove(world, started, name, notes_runs=workspace.site.config.capture_mode != "off")
    return f"{', '.join(names)}: a recorded session was played, and its hooks answered"


def _tools_of(command: tuple[str, ...], world: World) -> int:
    """Start an MCP server, and count the tools that it offers."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "gitmem doctor", "version": "1"}}  # fmt: skip
    # Its input stays open until it has answered: at the end of it a server drops what it is at.
    process = subprocess.Popen(  # noqa: S603  gitmem itself
        command,
        cwd=world.folder,
        env=world.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    # A server that never answers must not keep us.
    end = threading.Timer(SECONDS, process.kill)
    end.start()

    def say(**message: object) -> None:
        if process.stdin:
            print(json.dumps({"jsonrpc": "2.0", **message}), file=process.stdin, flush=True)

    try:
        say(id=1, method="initialize", params=hello)
        answers = process.stdout or iter(())
        if not next(iter(answers), ""):
            raise TrialFailed(_ENDED)
        say(method="notifications/initialized")
        say(id=2, method="tools/list", params={})
        answer = next(iter(answers), "{}")
    except BrokenPipeError:
        raise TrialFailed(_ENDED) from None
    finally:
        process.kill()
        process.communicate()
        end.cancel()
    tools = json.loads(answer).get("result", {}).get("tools", [])
    if not tools:
        raise TrialFailed("the MCP server answered, and offered no tool")
    return len(tools)


def _editor(world: World, _workspace: "Workspace") -> str:
    world.gitmem(
        "add",
        "decision",
        "--title",
        "doctor decides",
        "--decision",
        "so it is",
        "--governs",
        "shop.py",
    )
    command = (sys.executable, "-P", "-m", "gitmem", "lsp")
    with Conversation(command, world.folder, world.environ) as editor:
        if "doctor decides" not in editor.hover("shop.py", _MENDED):
            raise TrialFailed("the language server answered, and did not know the decision")
    return "the language server showed a decision in a hover"


def _watcher(world: World, _workspace: "Workspace") -> str:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", "log", "--follow", "--json"],
        cwd=world.folder,
        env=world.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stderr is None or "watching" not in process.stderr.readline():
            raise TrialFailed("gitmem log --follow did not begin")
        world.gitmem("add", "note", "--title", "seen by doctor", "--body", "x")
        line = process.stdout.readline() if process.stdout else ""
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)
    if "seen by doctor" not in line:
        raise TrialFailed("a new record was not noticed")
    return "a new record noticed at once"


def _meaning(_world: World, workspace: "Workspace") -> Check | str:
    if workspace.site.config.semantic_embedder == "off" or find_spec("numpy") is None:
        return Check("meaning", "off", "the extra semantic is not used", install("semantic"))
    return f"ranked by meaning, too (semantic.embedder: {workspace.site.config.semantic_embedder})"


def _hub(_world: World, workspace: "Workspace") -> Check | str:
    """Ask the hub that the settings name: of one that refuses, a hint or a search says nothing."""
    url = workspace.site.config.hub_url
    if not url:
        return Check("hub", "off", "no hub is asked", "gitmem config hub.url ADDRESS --user")
    try:
        address = client.Address(url)
    except UsageError as error:
        return Check("hub", "broken", error.message, error.hint)
    status = client.status_of(address, workspace.environ.get(client.TOKEN, ""), _PATIENCE)
    if status == client.OK:
        return f"{address.host} answers, and knows your token"
    if status == client.UNKNOWN:
        text = f"{address.host} does not know the token in {client.TOKEN}"
        return Check("hub", "broken", text, "ask whoever runs the hub for one")
    text = f"{address.host} answers with status {status}" if status else f"no answer from {url}"
    return Check("hub", "broken", text, "see: gitmem config hub.url")


WAYS: "Final[dict[str, Callable[[World, Workspace], Check | str]]]" = {
    "search": _search,
    "run": _run,
    "report": _report,
    "hint": _hint,
    "pytest": _pytest,
    "shell": _shell,
    "hooks": _hooks,
    "merge": _merge,
    "ci": _ci,
    "editor": _editor,
    "watch": _watcher,
    "mcp": _mcp,
    "setup": _setup,
    "assistants": _assistants,
    "meaning": _meaning,
    "hub": _hub,
}
