"""Every command that writes is killed at random moments: nothing is lost, nothing half, no locks.

Each kill begins with the same repository. The command runs in a fork of this process and gets
SIGKILL after a random share of the time that it takes. Then every record that was there is
there, as a file or in an archive, unless deleting it was asked for; every file is whole; the same
command and others work at once; and what was left goes with later writes.
"""

import contextlib
import fcntl
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from gitmem.capture.drafts import Drafts
from gitmem.capture.learnt import Draft
from gitmem.memory import Memory
from gitmem.records.convert import decode
from tests.depth import DEEP, amount, deep
from tests.e2e.running import in_process, ok
from tests.e2e.test_startup import commands

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [deep, pytest.mark.timeout(7200 if DEEP else 600)]
KILLS: Final = amount(share=12, ci=100, whole=1000)
LEFT: Final = amount(share=4, ci=10, whole=60)
_AGE: Final = 2 * 86_400
LOG: Final = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: "total"\n'


class World(NamedTuple):
    """A repository, and the ids of what is in it.

    Attributes:
        root: its top folder.
        kept: a copy of it as it was made.
        ids: by what the records are for.

    """

    root: "Checkout"
    kept: Path
    ids: dict[str, str]

    def anew(self) -> None:
        """Make it as it was."""
        shutil.rmtree(self.root)
        shutil.copytree(self.kept, self.root, symlinks=True)


def _id(printed: str) -> str:
    return printed.split(maxsplit=1)[0]


@pytest.fixture
def world(repo: "Checkout", tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make a memory of a few records in which each command has something to do."""
    ok(repo, "init")
    ids = {
        name: _id(ok(repo, "add", "error", "--title", name, "--message", f"{name} is not here"))
        for name in ("open", "gone", "same", "old", "older")
    }
    ids["fix"] = _id(ok(repo, "resolve", ids["open"], "use now(UTC)"))
    ids["old fix"] = _id(ok(repo, "resolve", ids["old"], "wait"))
    ids["older fix"] = _id(ok(repo, "resolve", ids["older"], "wait longer"))
    ids["decision"] = _id(ok(repo, "add", "decision", "--title", "SQLite", "--decision", "yes"))
    for name in ("old", "old fix", "older", "older fix"):
        _make_old(repo, ids[name])
    (repo / "build.log").write_text(LOG)
    (repo / "picture.png").write_bytes(b"\x89PNG not really" * 999)
    (repo / "more.json").write_text(ok(repo, "backup", "export"))
    ok(repo, "backup", str(repo / "more.json.gz"))
    ok(repo, "forget", ids["gone"], "--yes")
    ids["session"] = _id(ok(repo, "session", "start", "a piece of work"))
    _material(repo, ids["fix"])
    repo.commit("all of it")
    ok(repo, "archive", ids["older"], "--older-than", "1", "--yes")
    with Memory.open(str(repo)) as memory:
        error = {"title": "seen here", "message": "x" * 3000}
        fixes = [{"title": "mended", "approach": "mended it", "outcome": "worked"}]
        Drafts(memory.workspace.journal).add(Draft("0123abcd", "s", error, fixes, [], []))
    repo.commit("some of it archived")
    ok(repo, "search", "clock")
    kept = tmp_path_factory.mktemp("kept") / "repo"
    shutil.copytree(repo, kept, symlinks=True)
    return World(repo, kept, ids)


def _material(repo: Path, fix: str) -> None:
    """Write what commands read."""
    (path,) = (repo / ".memory").rglob(f"*{fix}.yaml")
    (repo / "edited.yaml").write_text(path.read_text().replace("use now(UTC)", "use now(tz)"))
    (repo / "shop.py").write_text("def total(cart):\n    return sum(cart['prices'])\n")
    (repo / "CHANGES.md").write_text("# Changelog\n\n## 1.1\n\n### Fixed\n\n- A cart is summed.\n")
    (repo / "adr").mkdir()
    (repo / "adr/0001-queue.md").write_text(
        "# 1. A queue\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nA queue.\n"
    )


def _make_old(repo: Path, record: str) -> None:
    """Give a record an earlier year, and the place that belongs to it."""
    (path,) = (repo / ".memory").rglob(f"*{record}.yaml")
    folder = repo / ".memory" / path.relative_to(repo / ".memory").parts[0] / "2020/01"
    folder.mkdir(parents=True, exist_ok=True)
    lines = path.read_text().splitlines(keepends=True)
    dated = ["created: '2020-01-05T10:00:00Z'\n" if x.startswith("created:") else x for x in lines]
    (folder / path.name).write_text("".join(dated))
    path.unlink()


class Writing(NamedTuple):
    """A command that writes.

    Attributes:
        arguments: of its command line; ``{name}`` stands for an id.
        deletes: what it may take away from the files, by name; archived records stay within reach.
        changes: files that it may rewrite: records by name, others by path.

    """

    arguments: tuple[str, ...]
    deletes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


def _line(text: str, **more: tuple[str, ...]) -> Writing:
    return Writing(tuple(text.split()), **more)


WRITING: Final = (
    _line("add error --title new --message m"),
    _line("add error --title seen --message m --attach picture.png"),
    _line("add fix --title new --approach so --link fixes={open}"),
    _line("add decision --title new --decision so"),
    _line("add note --title new"),
    _line("add pattern --title new --code pass"),
    _line("resolve {open} wait --outcome failed"),
    _line("edit {fix} --from edited.yaml", changes=("fix",)),
    _line("guard --meant {fix} --why gone"),
    _line("edit supersede {decision} --title Postgres --decision yes"),
    _line("edit link {open} #12"),
    _line("edit merge {open} {same}", changes=("open",)),
    _line("forget {old} {old_fix} --yes", deletes=("old", "old_fix")),
    _line("archive --older-than 1 --yes", deletes=("old", "old_fix")),
    _line("archive prune --older-than 1 --yes", deletes=("old", "old_fix")),
    _line("archive unarchive {older} {older_fix}"),
    _line("import archive more.json"),
    _line("import adr adr"),
    _line("import changelog CHANGES.md"),
    _line("import git"),
    _line("backup restore more.json.gz"),
    _line("backup all.json.gz"),
    _line("runs capture build.log --record"),
    _line("run -- cat build.log"),
    Writing(("run", "--", "sh", "-c", "cat build.log; exit 1")),
    _line("drafts keep 0123abcd"),
    _line("drafts drop 0123abcd"),
    _line("session start more --beside"),
    _line("session log note something"),
    _line("session end --success"),
    _line("session abandon"),
    _line("session resume {session}"),
    _line("config search.limit 7 --team", changes=("gitmem.yaml",)),
    _line("config search.limit 7 --user"),
    _line("code extract shop.py --record"),
    _line("pack write foundations"),
    _line("setup claude"),
    _line("hooks install"),
    _line("hooks uninstall"),
    _line("helpful {fix}"),
    _line("index rebuild"),
    _line("index update"),
    _line("search clock"),
    _line("init"),
)
_READING: Final = """
doctor, hint, search, show, list, log, status, why, review, review describe, diff, check, check
anchors, check stale, ci, advise, context, stats, stats recent, stats successful, stats
recurring, stats subject, stats trends, stats fixers, stats analyse, stats query, stats cost,
stats report, runs, runs attempts, runs all-passed, runs regressions, runs best-attempt, code, code
profile, code suggest, code graph, pack, pack check, pack show, backup export, session list,
session show, session status, hooks status, drafts, drafts show
"""
READING: Final = frozenset(name.strip() for name in _READING.replace("\n", " ").split(","))
OTHERS: Final = {
    "pack add": "writes a setting of the team as config does",
    "pack enable": "writes a setting of the user as config does",
    "pack disable": "writes a setting of the user as config does",
    "drafts edit": "writes a line of the journal as drafts drop does",
    "import other": "writes as import archive does",
    "runs bisect": "checks out what a person asked for, and writes no memory",
    "pack fetch": "takes a repository from elsewhere",
    "hooks run": "what git calls in the other commands",
    "serve": "its forms write as add, resolve and drafts keep do",
    "assistant-hook": "writes lines of the journal as run does",
    "undo": "deletes as forget does, after a run that wrote something",
}


def test_every_command_is_known_as_one_that_writes_or_not() -> None:
    written = {writing.arguments[:words] for writing in WRITING for words in (1, 2)}
    groups = {"add", "import", "session", "hooks"}
    unknown = [
        " ".join(path)
        for path in commands()
        if path not in written and " ".join(path) not in READING | OTHERS.keys() | groups
    ]
    assert unknown == []


def record_files(root: Path) -> dict[str, bytes]:
    """Give the record files and the settings of a memory, by path."""
    folder = root / ".memory"
    paths = (path for path in folder.rglob("*.yaml") if not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def leftovers(*roots: Path) -> list[Path]:
    """Give what a killed process left: files that are being written, folders for a moment."""
    names = ("*.tmp", "*.gitmem", "gitmem-*")
    return [path for root in roots for name in names for path in root.rglob(name)]


def start(world: World, writing: Writing) -> int:
    """Run a command in a fork; give its process."""
    ids = {name.replace(" ", "_"): record for name, record in world.ids.items()}
    arguments = [argument.format(**ids) for argument in writing.arguments]
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.setsid()
        os.chdir(world.root)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nothing, stream)  # what commands that are watched read and write
        code, _, err = in_process(world.root, *arguments)
        if code > 1:
            os.write(2, err.encode())
    finally:
        os._exit(code)


def killed(world: World, writing: Writing, seconds: float, rng: random.Random) -> bool:
    """Run a command and kill it at a random moment; tell whether it had not ended.

    In half of all cases what it started, such as git, lives a little longer.
    """
    child = start(world, writing)
    time.sleep(rng.uniform(0, seconds))
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if rng.random() < 0.5:
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):  # it had not even begun, or started nothing
        os.killpg(child, signal.SIGKILL)
    return os.WIFSIGNALED(status)


def duration(world: World, writing: Writing) -> float:
    """Run a command to its end, which must be a good one; give how long it takes."""
    begun = time.monotonic()
    code = os.waitstatus_to_exitcode(os.waitpid(start(world, writing), 0)[1])
    assert code in (0, 1), (writing, code)
    return time.monotonic() - begun


def problems(root: Path) -> set[tuple[str, str]]:
    with Memory.open(str(root)) as memory:
        return {(problem.code, problem.path) for problem in memory.checks.files()}


def held_locks(git: Path) -> list[Path]:
    """List what makes others wait: git's locks by being there, gitmem's if a process holds one.

    A lock of gitmem is an empty file that stays; the kernel frees it when its process ends. The
    index of a snapshot has a name of its own, and is cleared away when it is old.
    """
    held = []
    for path in git.rglob("*.lock"):
        if path.name.startswith("snapshot-"):
            continue
        if (git / "gitmem") not in path.parents or path.stat().st_size:
            held.append(path)
            continue
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.append(path)
    return held


def assert_sound(world: World, writing: Writing, before: dict[str, bytes]) -> None:
    """Nothing is lost, nothing is half, nobody waits for a dead process."""
    now = record_files(world.root)
    ids = {world.ids[name.replace("_", " ")] for name in writing.deletes}
    changed = {world.ids.get(name, name) for name in writing.changes}
    lost = [path for path in before.keys() - now.keys() if not any(one in path for one in ids)]
    assert lost == []
    other = [path for path in before.keys() & now.keys() if now[path] != before[path]]
    assert all(any(one in path for one in changed) for path in other), other
    for path, data in now.items():
        if path != "gitmem.yaml":
            reading = decode(data, path)
            assert reading.record is not None, path
            assert reading.problems == [], path
    assert held_locks(world.root / ".git") == []
    found = {code for code, _ in problems(world.root)}
    assert found <= {"leftover", "unwritten-session"}, found
    with Memory.open(str(world.root)) as memory:
        rows = {row.id for row in memory.list()}
        assert len(rows) == len(now) - 1
        gone = {world.ids["gone"]} | (set() if "archive" in writing.arguments else ids)
        for record in world.ids.values():
            assert record in gone or record.startswith("ses-") or memory.show(record)
        assert memory.checks.verify() == []
        assert memory.workspace.derived.notices == []


LEAVING: Final = (
    "add error --title new --message m",
    "import archive more.json",
    "run -- cat build.log",
    "config search.limit 7 --team",
)


def finished(world: World, writing: Writing) -> int:
    """Run a command to its end; give its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(start(world, writing), 0)[1])


def test_every_command_is_killed_and_nothing_is_lost(world: World) -> None:
    rng = random.Random(12)
    begun = {path.name for path in leftovers(world.root)}
    order = rng.sample(WRITING, len(WRITING))
    hits = 0
    lengths: dict[Writing, float] = {}
    for number in range(KILLS):
        writing = order[number % len(order)]
        if writing not in lengths:
            lengths[writing] = duration(world, writing)
            world.anew()
        before = record_files(world.root)
        hits += killed(world, writing, lengths[writing], rng)
        assert_sound(world, writing, before)
        left = {path.name for path in leftovers(world.root)} - begun
        assert len(left) <= 3, (writing, left)
        added = ok(world.root, "add", "note", "--title", "after it")
        again = finished(world, writing)
        assert again in (0, 1, 2, 3, 5), (writing, again)  # it may be done already
        assert added.split(maxsplit=1)[0] in ok(world.root, "list", "kind:note")
        world.anew()
    assert hits >= max(1, KILLS // 10)  # the others had ended: how long they take varies


@pytest.mark.parametrize("line", LEAVING)
def test_what_killed_commands_leave_goes_with_the_next_of_them(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    rng, writing = random.Random(7), _line(line)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    seconds = duration(world, writing)
    world.anew()
    begun = {path.name for path in leftovers(world.root)}
    for _ in range(LEFT):
        killed(world, writing, seconds, rng)
    for path in (path for root in (world.root, temporary) for path in root.rglob("*")):
        os.utime(path, (time.time() - _AGE,) * 2, follow_symlinks=False)
    world.root.joinpath("more.json").touch()
    finished(world, writing)
    assert {path.name for path in leftovers(world.root, temporary)} <= begun
