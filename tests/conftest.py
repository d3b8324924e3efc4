"""Git repositories for tests: real git, sealed from whoever runs them.

Fixtures:

``sealed_git``
    Own HOME and configuration, no system configuration, a fixed author and fixed dates,
    ``main`` as the first branch. Everything started from the test inherits it. In force by
    itself for all tests in ``integration/`` and for whoever asks for a repository.
``repo``
    A repository with one empty commit, a ``Checkout``: a ``pathlib.Path`` that also has
    ``repo.git("commit", "-m", "why")`` (gives the output, raises if git fails),
    ``repo.add("src/a.py", "text")`` (writes a file, folders included) and
    ``repo.commit("why")`` (adds everything and commits; gives the id).
``make_repo``
    Makes more of them: ``make_repo("name")``; ``commit=False`` leaves the first commit out,
    and further arguments go to ``git init``.
``built``
    A repository with more in it: ``built(repo, build)`` gives ``repo`` as ``build(repo)`` leaves
    it, which runs once in a process; the rest are copies of its work.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.depth import left_out, mark_deep, names_what_it_wants
from tests.windows.left_out import reason_of

if sys.platform == "win32":
    from pathlib import WindowsPath as PlainPath
else:
    from pathlib import PosixPath as PlainPath

AUTHOR = ("Ada Lovelace", "ada@example.com")
DATE = "2026-01-02T03:04:05+00:00"
_CONFIG = f"""\
[user]
    name = {AUTHOR[0]}
    email = {AUTHOR[1]}
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
[gc]
    auto = 0
[maintenance]
    auto = false
[commit]
    gpgSign = false
[advice]
    detachedHead = false
"""


_OF_UNIX = b'\nassert sys.platform != "win32"'


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out, on Windows, the modules that begin with saying that they are not for it."""
    is_module = collection_path.suffix == ".py"
    if sys.platform == "win32" and is_module and _OF_UNIX in collection_path.read_bytes():
        return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    """Leave out, of what was chosen, what only ``make test-deep`` and CI look at."""
    mark_deep(items)
    if sys.platform == "win32":
        for item in items:
            if reason := reason_of(item.nodeid):
                item.add_marker(pytest.mark.skip(reason=reason))
    yield
    beyond = set(left_out(items, named=names_what_it_wants(config)))
    if beyond:
        config.hook.pytest_deselected(items=[item for item in items if item in beyond])
        items[:] = [item for item in items if item not in beyond]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what a test costs, where somebody measures: see ``scripts/measure_tests.py``."""
    folder = os.environ.get("GITMEM_TEST_COSTS")
    start = time.perf_counter()
    done = yield
    if folder:
        with Path(folder, str(os.getpid())).open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, time.perf_counter() - start]) + "\n")
    return done


class Checkout(PlainPath):
    """The top folder of a work tree; ``/`` gives plain files and folders in it."""

    def git(self, *arguments: str, stdin: bytes = b"", code: int = 0) -> str:
        """Run git here and give its output; raise if it exits with another code."""
        done = subprocess.run(
            ["git", *arguments], cwd=self, input=stdin, capture_output=True, check=False
        )
        if done.returncode != code:
            said = done.stderr.decode(errors="replace")
            message = f"git {' '.join(arguments)} gave {done.returncode}: {said}"
            raise AssertionError(message)
        return done.stdout.decode(errors="surrogateescape").rstrip("\n")

    def add(self, path: str, content: str | bytes) -> Path:
        """Write a file, without telling git."""
        file = Path(self, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def commit(self, message: str = "work", *options: str) -> str:
        """Commit everything there is, even nothing; give the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)
        return self.git("rev-parse", "HEAD")


# Plugins of this environment that no test of a pytest is about; xdist stays.
_OURS = ("anyio", "asyncio", "hypothesispytest", "pytest-lsp", "timeout")
Built = Callable[..., Checkout]


@pytest.fixture(scope="session", autouse=True)
def _for_inner_pytests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give every pytest that a test starts a temporary folder of its own, and few plugins.

    A pytest that starts takes all others' rights to the shared one away, so a test that had
    just let another user in would find the door shut. And four fifths of its start are plugins
    that only this suite wants, of which pytest-lsp alone is half.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in _OURS))
        patch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path_factory.mktemp("inner")))
        yield


@pytest.fixture
def sealed_git(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seal git from this machine; gives the HOME in force, whose ``.gitconfig`` git reads."""
    home = tmp_path_factory.mktemp("home")
    (home / ".gitconfig").write_text(_CONFIG)
    for name in os.environ:
        if name.startswith(("GIT_", "GITMEM_")) or name in {"EMAIL", "XDG_CONFIG_HOME"}:
            monkeypatch.delenv(name)
    values = {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        "GIT_CEILING_DIRECTORIES": str(tmp_path_factory.getbasetemp()),
        "GIT_TERMINAL_PROMPT": "0",
        # Each HOME would make them ready anew; tests/integration/test_packs.py switches them on.
        "GITMEM_PACKS_OFF": "all",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture(scope="session")
def _originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for repositories that others are copied from, by what made each."""
    return tmp_path_factory.mktemp("originals")


def _made_once(original: Path, build: Callable[[Checkout], object]) -> Path:
    """Give what is copied; it is made if nobody has wanted it yet."""
    if not original.exists():
        # Made beside it, as a test may be stopped in between.
        half = Checkout(f"{original}.half")
        shutil.rmtree(half, ignore_errors=True)
        build(half)
        half.rename(original)
    return original


@pytest.fixture
def make_repo(sealed_git: Path, tmp_path: Path, _originals: Path) -> Callable[..., Checkout]:
    """Give a function that makes sealed repositories, each in a folder of its own.

    Plain ones are copies of one that git made: thousands of tests want one.
    """

    def make(name: str = "repo", *options: str, commit: bool = True) -> Checkout:
        def begin(made: Checkout) -> None:
            made.mkdir(parents=True)
            made.git("init", "-q", *options)
            if commit:
                made.commit("first")

        made = Checkout(tmp_path.resolve() / name)
        if options:
            begin(made)
            return made
        original = _made_once(_originals / ("committed" if commit else "empty"), begin)
        shutil.copytree(original, made, symlinks=True)
        return made

    return make


@pytest.fixture
def built(_originals: Path) -> Built:
    """Give a function that makes of a new repository what another function makes of it.

    That one runs once in a process, for some arguments, and elsewhere: what it leaves must name
    no place.
    """

    def make(repo: Checkout, build: Callable[..., object], *arguments: int) -> Checkout:
        def begin(half: Checkout) -> None:
            shutil.copytree(repo, half, symlinks=True)
            build(half, *arguments)

        name = ".".join([build.__module__, build.__qualname__, *map(str, arguments)])
        original = _made_once(_originals / name, begin)
        shutil.rmtree(repo)
        shutil.copytree(original, repo, symlinks=True)
        return repo

    return make


@pytest.fixture
def repo(make_repo: Callable[..., Checkout]) -> Checkout:
    """Give a sealed repository with one empty commit."""
    return make_repo()
