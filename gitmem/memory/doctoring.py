"""``gitmem doctor``: every way that something gets into the memory or back, tried for real.

A repository of its own is made in a temporary folder, with the settings in force here; in it a
command fails and is mended, a report is read, an editor asks. What the user's own repository needs
for each way (hooks, a line in the shell's start-up file) is looked up there and not changed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.command import sealed_environment
from gitmem.git.places import find
from gitmem.memory import hooking
from gitmem.memory.conversation import Conversation

if TYPE_CHECKING:
    from gitmem.memory.view import View

State = Literal["ok", "off", "broken"]
_SECONDS: Final = 60
_FAILING: Final = "import sys\n\ndef price(card):\n    return card['total']\n\nprice({})\n"
_MENDED: Final = _FAILING.replace("price({})", "price({'total': 1})")
_JUNIT: Final = (
    '<testsuite tests="1" failures="1"><testcase classname="t" name="test_card" time="0.1">'
    "<failure message=\"KeyError: 'total'\">Traceback (most recent call last):\n"
    '  File "shop.py", line 4, in price\n    return card["total"]\nKeyError: \'total\'\n'
    "</failure></testcase></testsuite>"
)
_TEST: Final = "def test_card():\n    assert {}['total'] == 1\n"
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


class _Failed(Exception):  # noqa: N818  a finding
    """A way does not work; carries what was found."""


class _World:
    """A small repository with a memory, to try things in."""

    def __init__(self, folder: str, environ: Mapping[str, str]) -> None:
        self.folder = folder
        who = {"NAME": "gitmem doctor", "EMAIL": "doctor@example.invalid"}
        self.environ = {
            **sealed_environment(),
            **{name: value for name, value in environ.items() if name.startswith("GITMEM_")},
            **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in who.items()},
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        self.environ.pop("GITMEM_SESSION", None)
        self.must("git", "init", "-q", "-b", "main")
        self.gitmem("init")
        self.commit()

    def run(self, *command: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command here."""
        return subprocess.run(  # noqa: S603  ours and git, in a folder of our own
            command, cwd=self.folder, env=self.environ, input=stdin, capture_output=True,
            text=True, errors="replace", check=False, timeout=_SECONDS,
        )  # fmt: skip

    def must(self, *command: str, code: int = 0, stdin: str = "") -> str:
        """Run a command that must end with a code; give its output."""
        done = self.run(*command, stdin=stdin)
        if done.returncode != code:
            said = (done.stderr or done.stdout).strip().splitlines()
            name = " ".join(command[:4]).replace(sys.executable, "python")
            raise _Failed(
                f"{name} ended with {done.returncode}: {said[-1] if said else 'silently'}"
            )
        return done.stdout

    def gitmem(self, *arguments: str, code: int = 0, stdin: str = "") -> str:
        """Run gitmem itself."""
        return self.must(sys.executable, "-P", "-m", "gitmem", *arguments, code=code, stdin=stdin)

    def json(self, *arguments: str) -> Any:  # noqa: ANN401
        """Run gitmem, and read its answer."""
        return json.loads(self.gitmem(*arguments, "--json"))

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        full = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self) -> None:
        """Commit everything."""
        self.must("git", "add", "-A")
        self.must("git", "commit", "-q", "--no-verify", "-m", "doctor")


def examine(memory: "View") -> Iterator[Check]:
    """Try every way, one after the other; each is told as soon as it was tried."""
    yield from _here(memory)
    environ = {**memory.environ, "GITMEM_CAPTURE_MODE": memory.site.config.capture_mode}
    with tempfile.TemporaryDirectory(prefix="gitmem-doctor-") as folder:
        try:
            world = _World(os.path.realpath(folder), environ)
        except (_Failed, OSError, subprocess.TimeoutExpired) as error:
            yield Check("git", "broken", str(error), "git must work before anything else can")
            return
        for name, way in _WAYS.items():
            yield _tried(name, way, world, memory)


def _tried(
    name: str, way: "Callable[[_World, View], Check | str]", world: _World, memory: "View"
) -> Check:
    try:
        found = way(world, memory)
    except (_Failed, GitmemError) as error:
        return Check(name, "broken", str(error), "the same in a repository of your own? report it")
    except subprocess.TimeoutExpired:
        return Check(name, "broken", f"no answer within {_SECONDS} seconds")
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        return Check(name, "broken", f"an answer that nobody understands: {error!r}")
    return found if isinstance(found, Check) else Check(name, "ok", found)


# The user's own repository


def _here(memory: "View") -> Iterator[Check]:
    try:
        memory.catch_up()
        count = memory.count()
        broken = sum(one.severity == "error" for one in memory.check(secrets=False))
    except GitmemError as error:
        yield Check("memory", "broken", error.message, error.hint)
        return
    said = f"{count} records in {memory.site.folder}"
    if broken:
        yield Check("memory", "broken", f"{said}, {broken} errors", "see: gitmem check")
    else:
        yield Check("memory", "ok", said)
    if memory.derived.notices:
        hint = "every answer takes longer; mend that, then try again"
        yield Check("index", "broken", memory.derived.notices[-1], hint)
    elif memory.site.derived is None:
        yield Check("index", "off", "no folder for it that can be written", "")
    else:
        differences = memory.verify()
        if differences:
            yield Check(
                "index", "broken", differences[0], "make it anew with: gitmem index rebuild"
            )
        else:
            yield Check("index", "ok", "equal to a fresh reading of the files")


# The ways


def _search(world: _World, _memory: "View") -> str:
    world.gitmem("add", "note", "--title", "doctor", "--body", "a synthetic cough")
    hits = world.json("search", "synthetic cough")["hits"]
    if not hits:
        raise _Failed("a record that was just written is not found")
    return "a record written, and found again"


def _run(world: _World, memory: "View") -> Check | str:
    world.write("shop.py", _FAILING)
    world.commit()
    ran = (sys.executable, "shop.py")
    world.gitmem("run", "--", *ran, code=1)
    world.write("shop.py", _MENDED)
    world.gitmem("run", "--", *ran)
    if memory.site.config.capture_mode == "off":
        return Check("run", "off", "capture.mode is off: runs are not noted",
                     "gitmem config set capture.mode draft")  # fmt: skip
    world.write("shop.py", _FAILING)
    done = world.run(sys.executable, "-P", "-m", "gitmem", "run", "--", *ran)
    world.write("shop.py", _MENDED)
    if "worked" not in done.stdout + done.stderr:
        raise _Failed("a failure was mended, and gitmem run did not tell of it the next time")
    return "a failing command, its fix, and the fix told when it failed again"


def _report(world: _World, _memory: "View") -> str:
    world.write("report.xml", _JUNIT)
    found = world.json("capture", "report.xml")
    if len(found["failures"]) != 1:
        raise _Failed(f"{len(found['failures'])} failures seen in a report of one")
    return "a JUnit report read, its failure recognised"


def _hint(world: _World, _memory: "View") -> str:
    said = world.gitmem("hint", stdin="  File \"shop.py\", line 4, in price\nKeyError: 'total'\n")
    if "KeyError" not in said:
        raise _Failed("a piped error text was not recognised")
    return "a piped error text recognised"


def _pytest(world: _World, memory: "View") -> Check | str:
    if world.run(sys.executable, "-c", "import pytest").returncode:
        return Check("pytest", "off", f"no pytest beside {sys.executable}",
                     "install gitmem-native into the environment of your tests")  # fmt: skip
    world.write("test_doctor.py", _TEST)
    plugins = ("-p", "no:cacheprovider", "-p", "gitmem")
    world.must(sys.executable, "-m", "pytest", "-q", *plugins, "test_doctor.py",
               code=1)  # fmt: skip
    runs = world.json("runs")["runs"]
    if memory.site.config.capture_mode == "off":
        return Check("pytest", "off", "capture.mode is off: runs are not noted", "")
    if not any("pytest" in " ".join(run["command"]) for run in runs):
        raise _Failed("pytest ran with the plugin, and no run was noted")
    return "a failing test noted by the plugin (it is off until asked for, see docs/tests.md)"


def _shell(_world: _World, memory: "View") -> Check | str:
    shell = os.path.basename(memory.environ.get("SHELL", ""))
    if shell not in _RC:
        return Check("shell", "off", f"no snippet for {shell or 'this shell'}", "")
    path = os.path.join(memory.environ.get("HOME", ""), _RC[shell])
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if "gitmem shell-init" in text or "_gitmem_prompt" in text:
            return f"{path} offers help after a failing command"
    except OSError:
        pass
    return Check("shell", "off", f"{path} does not call it", f"see: gitmem shell-init {shell}")


def _hooks(world: _World, memory: "View") -> Check | str:
    world.gitmem("hooks", "install")
    world.write(".memory/notes/2026/01/broken.yaml", "title: [\n")
    world.must("git", "add", "-A")
    refused = world.run("git", "commit", "-q", "-m", "doctor")
    world.must("git", "rm", "-q", "-f", ".memory/notes/2026/01/broken.yaml")
    if refused.returncode == 0:
        raise _Failed("a broken record was committed past the hook")
    if find(memory.start) is None:
        return Check("hooks", "off", "this is no git repository", "")
    found = hooking.status(memory.start, memory.site.config.folder)
    missing = [hook.name for hook in found.hooks if hook.state != "installed"]
    if missing or not found.merges:
        said = f"not installed here: {', '.join(missing) or 'the merge driver'}"
        return Check("hooks", "off", said, "gitmem hooks install")
    return "a broken record refused; installed here"


def _editor(world: _World, _memory: "View") -> str:
    world.gitmem("add", "decision", "--title", "doctor decides", "--decision", "so it is",
                 "--governs", "shop.py")  # fmt: skip
    command = (sys.executable, "-P", "-m", "gitmem", "lsp")
    with Conversation(command, world.folder, world.environ) as editor:
        if "doctor decides" not in editor.hover("shop.py", _MENDED):
            raise _Failed("the language server answered, and knew nothing")
    return "the language server told of a decision in a hover"


def _watcher(world: _World, _memory: "View") -> str:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", "watch", "--json"], cwd=world.folder,
        env=world.environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        if process.stderr is None or "watching" not in process.stderr.readline():
            raise _Failed("gitmem watch did not begin")
        world.gitmem("add", "note", "--title", "seen by doctor", "--body", "x")
        said = process.stdout.readline() if process.stdout else ""
    finally:
        process.terminate()
        process.communicate(timeout=_SECONDS)
    if "seen by doctor" not in said:
        raise _Failed("a new record was not told")
    return "a new record told at once"


def _meaning(_world: _World, memory: "View") -> Check | str:
    from importlib.util import find_spec  # noqa: PLC0415  start-up

    if memory.site.config.semantic_embedder == "off" or find_spec("numpy") is None:
        return Check("meaning", "off", "the extra semantic is not in use",
                     'pip install "gitmem-native[semantic]"')  # fmt: skip
    return f"nearness in meaning by {memory.site.config.semantic_embedder}"


_WAYS: "Final[dict[str, Callable[[_World, View], Check | str]]]" = {
    "search": _search,
    "run": _run,
    "report": _report,
    "hint": _hint,
    "pytest": _pytest,
    "shell": _shell,
    "hooks": _hooks,
    "editor": _editor,
    "watch": _watcher,
    "meaning": _meaning,
}
