"""Real managers of hooks beside ours: pre-commit, husky and lefthook, whoever comes first.

They are installed once, under build/tools, by pip and npm; where that can't be done, the tests of
that manager are skipped.
"""

import os
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from gitmem.git.git_dirs import find
from gitmem.git.hooks import BEGIN, find_hooks
from gitmem.memory import GitHooks, Memory
from tests.depth import sampled
from tests.e2e.installed_tools import TOOLS, from_npm, installed, run_program

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

_PRE_COMMIT: Final = "4.7.0"
_NPM: Final = ("husky@9.1.7", "lefthook@2.2.2")
_THEIRS: Final = "echo ran >> .git/seen; test ! -e veto"
_OURS: Final = "gitmem hooks run pre-commit"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class Manager(ABC):
    """A manager of hooks in a repository."""

    def __init__(self, repo: "Checkout") -> None:
        self.repo = repo

    def must(self, *command: str) -> None:
        done = run_program(*command, cwd=self.repo)
        assert done.returncode == 0, done.stdout + done.stderr

    @abstractmethod
    def program(self) -> str:
        """Give its program, installed first where it is missing; skip if that can't be done."""

    @abstractmethod
    def configure(self, command: str, message: str = "") -> None:
        """Let it run a line of shell before each commit, and one more on each message."""

    @abstractmethod
    def install(self) -> None:
        """Let it write its hooks."""

    @abstractmethod
    def uninstall(self) -> None:
        """Let it take them out."""


class _PreCommit(Manager):
    def program(self) -> str:
        venv = TOOLS / "pre-commit"
        return installed(
            venv / "bin/pre-commit",
            (sys.executable, "-m", "venv", str(venv)),
            (str(venv / "bin/python"), "-m", "pip", "install", "-q", f"pre-commit=={_PRE_COMMIT}"),
        )

    def configure(self, command: str, message: str = "") -> None:
        form = (
            "  - id: {0}\n    name: {0}\n    language: system\n    entry: {1}\n"
            "    always_run: true\n    pass_filenames: {2}\n    stages: [{3}]\n"
        )
        text = "repos:\n- repo: local\n  hooks:\n"
        text += form.format("one", f"bash -c '{command}'", "false", "pre-commit")
        if message:
            text += form.format("two", message, "true", "prepare-commit-msg, commit-msg")
        self.repo.add(".pre-commit-config.yaml", text)

    def install(self) -> None:
        self.must(self.program(), "install")

    def uninstall(self) -> None:
        self.must(self.program(), "uninstall")


class _Npm(Manager):
    name: str

    def program(self) -> str:
        return from_npm(self.name, *_NPM)


class _Husky(_Npm):
    name = "husky"

    def configure(self, command: str, message: str = "") -> None:
        self.repo.add(".husky/pre-commit", f"{command}\n")
        if message:
            self.repo.add(".husky/commit-msg", f'{message} "$1"\n')

    def install(self) -> None:
        self.must(self.program())

    def uninstall(self) -> None:
        self.repo.git("config", "--unset", "core.hooksPath")


class _Lefthook(_Npm):
    name = "lefthook"

    def configure(self, command: str, message: str = "") -> None:
        form = "{}:\n  commands:\n    one:\n      run: {}\n"
        text = form.format("pre-commit", command)
        if message:
            text += form.format("commit-msg", f"{message} {{1}}")
        self.repo.add("lefthook.yml", text)

    def install(self) -> None:
        self.must(self.program(), "install")

    def uninstall(self) -> None:
        self.must(self.program(), "uninstall")


MANAGERS: Final[dict[str, type[Manager]]] = {
    "pre-commit": _PreCommit,
    "husky": _Husky,
    "lefthook": _Lefthook,
}


@pytest.fixture(params=list(MANAGERS))
def manager(repo: "Checkout", request: pytest.FixtureRequest) -> Manager:
    """Give a manager in a repository with a memory; nobody has hooks yet."""
    found = MANAGERS[request.param](repo)
    found.program()
    Memory.init(str(repo))
    found.configure(_THEIRS)
    repo.commit("start")
    return found


def commit(repo: "Checkout", code: int = 0) -> str:
    """Commit everything; give what was said."""
    repo.git("add", "-A")
    done = run_program("git", "commit", "-q", "-m", "work", cwd=repo)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def ran(repo: "Checkout") -> int:
    """Give how often the manager's own command ran."""
    seen = repo / ".git/seen"
    return seen.read_text().count("ran") if seen.exists() else 0


def states(repo: "Checkout") -> set[str]:
    return {one.state for one in GitHooks(str(repo), ".memory").status().hooks}


def hooks(repo: "Checkout") -> dict[str, str]:
    """Give the texts of all hooks in the folders that git may look into."""
    found = {}
    for folder in (repo / ".git/hooks", repo / ".husky/_"):
        for path in sorted(folder.glob("*")) if folder.exists() else ():
            if path.suffix != ".sample":
                found[str(path.relative_to(repo))] = path.read_text()
    return found


def assert_bothrun_program(repo: "Checkout") -> None:
    before = ran(repo)
    with Memory.open(str(repo)) as memory:
        name = memory.add("note", {"title": "new", "body": "words"}).id
    commit(repo)
    assert ran(repo) == before + 1
    assert repo.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip() == name
    broken = repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    assert "refused" in commit(repo, code=1)
    broken.unlink()
    repo.add("veto", "")
    commit(repo, code=1)
    assert "refused" not in commit(repo, code=1)
    (repo / "veto").unlink()
    repo.git("add", "-A")


@sampled(1)
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_both_run_and_ours_goes_without_a_trace(
    repo: "Checkout", manager: Manager, first: str
) -> None:
    if first == "ours":
        GitHooks(str(repo), ".memory").install()
        manager.install()
        if not isinstance(manager, _PreCommit):
            # These two take the place of the hooks that they find, which is told.
            assert "missing" in states(repo)
            GitHooks(str(repo), ".memory").install()
        before = None
    else:
        manager.install()
        before = hooks(repo)
        GitHooks(str(repo), ".memory").install()
    assert states(repo) == {"installed"}
    places = find(str(repo))
    assert places
    where = find_hooks(places)
    assert where.manager in MANAGERS
    assert where.configured == (where.manager == "husky")
    assert_bothrun_program(repo)
    GitHooks(str(repo), ".memory").uninstall()
    assert states(repo) == {"missing"}
    left = hooks(repo)
    assert not any(BEGIN in text for text in left.values())
    assert before in (None, left)
    count = ran(repo)
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    commit(repo)
    assert ran(repo) == count + 1


@sampled(1)
def test_whose_hooks_are_written_anew(repo: "Checkout", manager: Manager) -> None:
    """pre-commit leaves ours alone; what the others do to them is told by status."""
    manager.install()
    GitHooks(str(repo), ".memory").install()
    manager.install()
    if isinstance(manager, _PreCommit):
        assert states(repo) == {"installed"}
    else:
        assert "missing" in states(repo)
        assert set(GitHooks(str(repo), ".memory").install().changed) <= set(GitHooks.NAMES)
    assert_bothrun_program(repo)


@sampled(1)
def test_ours_stay_when_the_manager_goes(repo: "Checkout", manager: Manager) -> None:
    GitHooks(str(repo), ".memory").install()
    manager.install()
    GitHooks(str(repo), ".memory").install()
    manager.uninstall()
    GitHooks(str(repo), ".memory").install()
    assert states(repo) == {"installed"}
    count = ran(repo)
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    assert "refused" in commit(repo, code=1)
    assert ran(repo) == count


@sampled(1)
def test_the_manager_can_call_gitmem_itself(
    repo: "Checkout", manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    manager.configure(_OURS, "gitmem hooks run commit-msg")
    manager.install()
    if isinstance(manager, _PreCommit):
        types = ("pre-commit", "prepare-commit-msg", "commit-msg")
        manager.must(manager.program(), "install", *(f"--hook-type={one}" for one in types))
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    assert "refused" in commit(repo, code=1)
    (repo / ".memory/notes/2026/01/broken.yaml").unlink()
    with Memory.open(str(repo)) as memory:
        name = memory.add("note", {"title": "new", "body": "words"}).id
    commit(repo)
    said = repo.git("log", "-1", "--format=%(trailers:key=Memory,valueonly)").strip()
    assert said == name


@sampled(1)
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_a_hook_in_another_language_is_called_through_pre_commit(
    repo: "Checkout", first: str
) -> None:
    """Put aside by us, then given another name by pre-commit: it is found all the same."""
    Memory.init(str(repo))
    path = repo / ".git/hooks/pre-commit"
    path.parent.mkdir(exist_ok=True)
    text = f"#!{sys.executable}\nopen('.git/python', 'a').write('x')\n"
    path.write_text(text)
    path.chmod(0o755)
    manager = _PreCommit(repo)
    manager.configure(_THEIRS)
    order: list[Callable[[], object]] = [
        lambda: GitHooks(str(repo), ".memory").install(),
        manager.install,
    ]
    for step in order if first == "ours" else reversed(order):
        step()
    commit(repo)
    assert ((repo / ".git/python").read_text(), ran(repo)) == ("x", 1)
    GitHooks(str(repo), ".memory").uninstall()
    repo.add("more", "x")
    commit(repo)
    assert ((repo / ".git/python").read_text(), ran(repo)) == ("xx", 2)
    assert not any(BEGIN in one for one in hooks(repo).values())
