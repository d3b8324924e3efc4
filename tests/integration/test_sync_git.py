"""Asking git what was edited finds the same as looking at every file, whatever was done."""

import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from gitmem.catalog.catalog import Catalog
from gitmem.errors import EnvironmentProblem
from gitmem.git import edits
from gitmem.git.edits import COPY, IndexStamp, copy_index, index_stamp
from gitmem.git.git_dirs import find
from gitmem.memory import Memory
from gitmem.memory.prefetch import look_ahead
from gitmem.query import Filters
from gitmem.sync import comparison, difference
from gitmem.sync.comparison import SEAL, Comparison, PendingCheck
from gitmem.sync.difference import Difference
from gitmem.sync.seal import read_seal
from tests.answers import assert_right, derived_folder, fill
from tests.depth import DEEP, amount, deep, sampled
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

SEEDS = st.integers(0, 2**32)
# git compares whole seconds; time stamps here are finer. Shorter than the real one: it is waited.
RACY_NS = 1_000_000_000


class Counted(Comparison):
    """Counts which way was taken."""

    git_from = 1
    by_git = 0

    def _by_git(self, catalog: Catalog, doubt: PendingCheck) -> Difference | None:
        found = super()._by_git(catalog, doubt)
        Counted.by_git += found is not None
        return found


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask git from the first record on."""
    monkeypatch.setattr(comparison, "RACY_NS", RACY_NS)
    monkeypatch.setattr(comparison, "_MOST_YOUNG", 0)
    monkeypatch.setattr(difference, "RACY_NS", RACY_NS)
    monkeypatch.setattr("gitmem.sync.derived.Comparison", Counted)
    Counted.by_git = 0


def grow_old(root: Path) -> None:
    """Wait until no stamp below ``root`` is young any more: nothing else can age a ctime."""
    everything = [root, *root.rglob("*")]
    youngest = max(path.lstat().st_ctime_ns for path in everything)
    while time.time_ns() <= youngest + RACY_NS + 50_000_000:
        time.sleep(0.02)


def sealed(root: Path) -> None:
    """Have everything in step and noted."""
    grow_old(root / ".memory")
    for _ in range(3):  # young files are read again, then the walk is clean, then git is asked
        with Memory.open(str(root)) as memory:
            memory.list()


class Edited(RuleBasedStateMachine):
    """A repository in which everything is done that moves files, stamps or git's index."""

    base: Path
    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.root = self.base / f"life-{os.urandom(4).hex()}"
        self.folder = self.root / ".memory"
        self.resident: Memory | None = None
        self.branches = 0

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        Memory.init(str(self.root))
        rng = Random(seed)
        for _ in range(6):
            self.put(record(rng, []))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        sealed(self.root)

    def teardown(self) -> None:
        if self.resident:
            self.resident.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def git(self, *arguments: str) -> None:
        """Run git; what it refuses in some states (nothing to stash) is no matter."""
        subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)

    def put(self, data: dict[str, object]) -> None:
        path = self.folder / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))

    def one(self, seed: int) -> Path | None:
        found = sorted(self.folder.rglob("*.y*ml"))
        found = [p for p in found if p.parent != self.folder and not p.is_symlink()]
        return Random(seed).choice(found) if found else None

    @rule(seed=SEEDS)
    def add(self, seed: int) -> None:
        self.put(record(Random(seed), []))

    @rule(seed=SEEDS, keep_time=st.booleans(), same_size=st.booleans())
    def edit_in_place(self, *, seed: int, keep_time: bool, same_size: bool) -> None:
        path = self.one(seed)
        if path:
            before, text = path.stat(), path.read_bytes()
            added = b"" if same_size else b"# more\n"
            with path.open("r+b") as file:
                file.write(text.replace(b"title: ", b"title: X", 1)[: len(text)] + added)
            if keep_time:
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(seed=SEEDS)
    def save_atomically(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            new = path.with_name(".new")
            new.write_bytes(path.read_bytes().replace(b"title: ", b"title: Y", 1))
            new.replace(path)

    @rule(seed=SEEDS, back=st.booleans())
    def rename(self, *, seed: int, back: bool) -> None:
        path = self.one(seed)
        if path:
            new = path.with_name(f"renamed-{seed % 97}.yaml")
            path.replace(new)
            if back:
                new.replace(path)

    @rule(seed=SEEDS)
    def move_folder(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            path.parent.replace(path.parent.with_name(f"m{os.urandom(2).hex()}"))

    @rule(seed=SEEDS)
    def delete(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            path.unlink()

    @rule(seed=SEEDS)
    def delete_and_put_back(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            text = path.read_bytes()
            path.unlink()
            if self.resident:
                self.resident.list()
            path.write_bytes(text)

    @rule(seed=SEEDS, when=st.sampled_from([0, 10**9, 2**32]), folder=st.booleans())
    def touch(self, *, seed: int, when: int, folder: bool) -> None:
        path = self.one(seed)
        if path:
            os.utime(path.parent if folder else path, (when, when))

    @rule(seed=SEEDS, mode=st.sampled_from([0o600, 0o644, 0o755]))
    def chmod(self, seed: int, mode: int) -> None:
        path = self.one(seed)
        if path:
            path.chmod(mode)

    @rule(seed=SEEDS)
    def link(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            path.unlink()
            path.symlink_to("nowhere")

    # git in between

    @rule(seed=SEEDS)
    def edit_and_add(self, seed: int) -> None:
        self.edit_in_place(seed=seed, keep_time=True, same_size=True)
        self.git("add", "-A")

    @rule()
    def refresh(self) -> None:
        self.git("status")

    @rule()
    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    @rule(pop=st.booleans())
    def stash(self, *, pop: bool) -> None:
        self.git("stash", "push", "-q", "-u")
        if pop:
            self.git("stash", "pop", "-q")

    @rule()
    def branch(self) -> None:
        self.branches += 1
        self.git("checkout", "-q", "-b", f"b{self.branches}")

    @rule(number=st.integers(1, 4))
    def switch(self, number: int) -> None:
        self.git("checkout", "-q", "-f", f"b{number}")

    @rule(
        seed=SEEDS,
        bit=st.sampled_from(
            ["assume-unchanged", "no-assume-unchanged", "skip-worktree", "no-skip-worktree"]
        ),
    )
    def set_bit(self, seed: int, bit: str) -> None:
        path = self.one(seed)
        if path:
            self.git("update-index", f"--{bit}", str(path))

    @rule(seed=SEEDS)
    def untrack(self, seed: int) -> None:
        path = self.one(seed)
        if path:
            self.git("rm", "-q", "--cached", str(path))

    @rule(
        setting=st.sampled_from([
            ("core.fsmonitor", "true"), ("core.checkStat", "minimal"), ("core.trustctime", "false"),
            ("core.ignoreStat", "true"), ("core.splitIndex", "true"),
            ("core.preloadIndex", "false"), ("diff.external", "false"),
            ("core.untrackedCache", "true"),            ("core.autocrlf", "true"),
        ])
    )  # fmt: skip
    def configure(self, setting: tuple[str, str]) -> None:
        self.git("config", *setting)

    @rule()
    def all_is_old_and_noted(self) -> None:
        sealed(self.root)

    @invariant()
    def answers_are_right(self) -> None:
        if not self.folder.exists():
            return
        Edited.steps += 1
        if self.resident is None:
            self.resident = Memory.open(str(self.root))
        assert self.resident.checks.verify() == []  # against a reading of all files, made only now
        with Memory.open(str(self.root)) as fresh:
            assert fresh.checks.verify() == []


@deep
@pytest.mark.slow
@pytest.mark.timeout(7200 if DEEP else 300)
def test_asking_git_misses_no_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Edited.base = tmp_path
    examples = amount(share=2, ci=6, whole=500)
    run_state_machine_as_test(
        Edited, settings=settings(max_examples=examples, stateful_step_count=12, deadline=None)
    )
    assert Counted.by_git > 0
    with capsys.disabled():
        asked = Counted.by_git
        print(f"\n{Edited.steps} steps, git asked {asked} times: answers equal the oracle's")  # noqa: T201


# --- single ways ------------------------------------------------------------------------------


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    fill(repo)
    repo.commit()
    sealed(repo)
    Counted.by_git = 0
    return repo


def copy_of(root: Path) -> Path:
    """Where the copy of git's index lies."""
    return derived_folder(root) / COPY


def seal_of(memory: Memory) -> str:
    return memory.workspace.derived.opened.meta(SEAL)


def a_tracked_record(world: "Checkout") -> Path:
    listed = world.git("ls-files", "-z", ".memory/notes", ".memory/errors").split("\0")
    return world / listed[0]


def a_record_path(root: Path, number: int = 0) -> str:
    folder = root / ".memory"
    return str(sorted(folder.rglob("*-*.yaml"))[number].relative_to(folder))


def test_nothing_changed_is_said_by_git(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        memory.list()
        assert Counted.by_git == 1
        seal = read_seal(seal_of(memory))
        assert seal is not None
        assert seal.loose == frozenset()
        assert_right(memory)


@sampled(1)
@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_files_that_git_was_told_not_to_look_at_are_looked_at(world: "Checkout", bit: str) -> None:
    path = a_tracked_record(world)
    world.git("update-index", bit, str(path))
    copy_of(world).unlink()
    sealed(world)
    with Memory.open(str(world)) as memory:
        seal = read_seal(seal_of(memory))
        assert seal is not None
        assert seal.loose == frozenset({str(path.relative_to(world / ".memory"))})
        path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
        assert_right(memory)
        assert Counted.by_git > 0


@sampled(3)
@pytest.mark.parametrize(
    "write",
    [
        ("commit", "-q", "--allow-empty", "-m", "x"),
        ("update-index", "--force-write-index"),
        ("update-index", "--assume-unchanged"),
        ("update-index", "--skip-worktree"),
        ("rm", "-q", "--cached"),
        ("read-tree", "--empty"),
    ],
    ids=" ".join,
)
def test_whatever_git_writes_into_its_index_the_seal_holds(
    world: "Checkout", write: tuple[str, ...]
) -> None:
    path = a_tracked_record(world)
    named = write[-1] in {"--assume-unchanged", "--skip-worktree", "--cached"}
    with Memory.open(str(world)) as memory:
        before = seal_of(memory)
    Counted.by_git = 0
    world.git(*write, *([str(path)] if named else []))
    with Memory.open(str(world)) as memory:
        memory.list()
        assert (Counted.by_git, seal_of(memory)) == (1, before)
        path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
        assert any("Seen" in row.title for row in memory.list())
        assert_right(memory)
        assert seal_of(memory) == before


@sampled(2)
@pytest.mark.parametrize("damage", ["gone", "cut", "nonsense", "another"])
def test_a_copy_that_is_another_one_is_not_believed(world: "Checkout", damage: str) -> None:
    copy = copy_of(world)
    data = copy.read_bytes()
    times = copy.stat()
    if damage == "gone":
        copy.unlink()
    else:
        shown = {"cut": data[:99], "nonsense": bytes(len(data)), "another": data}[damage]
        copy.write_bytes(shown)
        os.utime(copy, ns=(times.st_atime_ns, times.st_mtime_ns))
    with Memory.open(str(world)) as memory:
        memory.list()
        assert Counted.by_git == 0
        memory.list()
        assert Counted.by_git == 1  # by a new one
        assert copy.read_bytes() == data
        assert_right(memory)


def test_a_seal_that_git_cant_read_is_made_anew(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory.open(str(world)) as memory:
        with monkeypatch.context() as patched:
            patched.setattr("gitmem.git.edits._NAMES", ("no-such-command",))
            memory.list()
        assert (Counted.by_git, seal_of(memory)) == (0, "")
        assert_right(memory)
    for expected in (0, 1):
        with Memory.open(str(world)) as memory:
            memory.list()
            assert Counted.by_git == expected


@sampled(1)
@pytest.mark.parametrize("new", [False, True])
def test_with_much_to_look_at_and_another_index_a_new_seal_is_made(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, *, new: bool
) -> None:
    monkeypatch.setattr(comparison, "_LOOSE_LEAST", 0)
    monkeypatch.setattr(comparison, "_LOOSE_SHARE", 1)
    monkeypatch.setattr(comparison, "_WORTH_SEALING", 10_000)
    if new:
        path: Path = world / ".memory" / "notes" / "1999" / "01" / "new-note-0000000001.yaml"
        path.parent.mkdir(parents=True)
        path.write_bytes(text_of(record(Random(3), [], "note")))
    else:
        path = a_tracked_record(world)
        path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
    sealed(world)
    with Memory.open(str(world)) as memory:
        before = seal_of(memory)
        Counted.by_git = 0
        memory.list()
        assert (Counted.by_git, seal_of(memory)) == (1, before)  # git has no other index
        world.git("add", "-A")
        grow_old(world / ".git" / "index")
        memory.list()
        assert Counted.by_git == 1
        assert seal_of(memory) != before
        memory.list()
        assert Counted.by_git == 2
        assert_right(memory)


@pytest.fixture
def copied(world: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy a repository with all its files: git's index has the stamps of the original."""
    monkeypatch.setattr(comparison, "_LOOSE_LEAST", 0)
    root = tmp_path / "copied"
    shutil.copytree(world, root, symlinks=True)
    grow_old(root / ".memory")
    with Memory.open(str(root)) as memory:
        memory.list()  # takes in the new stamps
    return root


def test_a_repository_that_was_copied_is_sealed_by_one_question(copied: Path) -> None:
    index = (copied / ".git" / "index").read_bytes()
    path = copied / ".memory" / a_record_path(copied)
    path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
    sealed(copied)
    with Memory.open(str(copied)) as memory:
        seal = read_seal(seal_of(memory))
        assert seal is not None
        assert seal.loose == frozenset({a_record_path(copied)})  # git knows another content
        Counted.by_git = 0
        memory.list()
        assert Counted.by_git == 1
        assert (copied / ".git" / "index").read_bytes() == index
        other = copied / ".memory" / a_record_path(copied, -1)
        other.write_bytes(other.read_bytes().replace(b"title: ", b"title: Changed "))
        assert_right(memory)
        assert any("Changed" in row.title for row in memory.list())


def test_what_is_edited_while_stamps_are_taken_is_not_sealed(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied / ".memory" / a_record_path(copied)
    text = path.read_bytes()
    path.write_bytes(text.replace(b"title: ", b"title: Seen "))
    grow_old(copied / ".memory")
    with Memory.open(str(copied)) as memory:
        memory.list()  # takes in what git knows otherwise

    def edited_first(*arguments: Any, settled: bool = False) -> IndexStamp | None:
        if arguments[3:]:
            path.write_bytes(text)  # as git knows it: it looks unchanged by now
            os.utime(path, (1, 1))
        return copy_index(*arguments, settled=settled)

    monkeypatch.setattr(comparison, "copy_index", edited_first)
    with Memory.open(str(copied)) as memory:
        memory.list()
        assert_right(memory)
        assert not any("Seen" in row.title for row in memory.list())


def test_a_copy_that_git_cant_refresh_is_stamped_by_us_and_not_tried_again(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def refused(*arguments: Any, settled: bool = False) -> IndexStamp | None:
        tries.append(arguments)
        if arguments[3:]:
            raise EnvironmentProblem("git add failed")
        return copy_index(*arguments, settled=settled)

    monkeypatch.setattr(comparison, "copy_index", refused)
    sealed(copied)
    with Memory.open(str(copied)) as memory:
        assert_right(memory)
    assert len(tries) == 2


def test_what_is_as_young_as_the_index_is_compared_by_git_once(world: "Checkout") -> None:
    """As after a clone: the files and the index are of one second, so git trusts no stamp."""
    index = world / ".git" / "index"
    youngest = max(path.stat().st_mtime_ns for path in (world / ".memory").rglob("*.yaml"))
    os.utime(index, ns=(youngest, youngest))
    sealed(world)
    assert (derived_folder(world) / COPY).stat().st_mtime_ns // 10**9 > youngest // 10**9
    assert index.stat().st_mtime_ns == youngest
    path = world / ".memory" / a_record_path(world)
    before, text = path.stat(), path.read_bytes()
    path.write_bytes(text.replace(b"2026-0", b"2025-0", 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.read_bytes() != text
    with Memory.open(str(world)) as memory:
        assert_right(memory)


def test_only_the_index_that_is_meant_is_copied(world: "Checkout") -> None:
    places = find(str(world))
    assert places is not None
    meant = index_stamp(places)
    assert meant is not None
    world.git("update-index", "--force-write-index")
    copy = world / ".git" / "copy"
    assert copy_index(places, str(copy), meant) is None
    assert [path.name for path in copy.parent.glob("copy*")] == []
    now = index_stamp(places)
    assert now is not None
    stamp = copy_index(places, str(copy), now)
    assert stamp is not None
    assert (stamp.mtime_ns, stamp.inode) == (now.mtime_ns, copy.stat().st_ino)
    assert copy.read_bytes() == (world / ".git" / "index").read_bytes()
    assert [path.name for path in copy.parent.glob("copy*")] == ["copy"]


def test_an_answer_given_too_early_is_given_again(world: "Checkout") -> None:
    path = a_tracked_record(world)
    with Memory.open(str(world)) as memory:
        memory.list()
        path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
        answers = []

        def question() -> int:
            answers.append(len(memory.workspace.derived.catalog().rows(Filters())))
            return answers[-1]

        memory.workspace.derived.mended(question)
        assert len(answers) == 2
        assert any("Seen" in row.title for row in memory.list())


def test_a_folder_that_came_and_went_after_the_seal_is_missed_by_nobody(
    world: "Checkout",
) -> None:
    path = world / ".memory" / "notes" / "1999" / "01" / "new-note-0000000001.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(text_of(record(Random(3), [], "note")))
    with Memory.open(str(world)) as memory:
        assert_right(memory)
        path.parent.replace(path.parent.with_name("02"))
        assert_right(memory)
        assert memory.checks.verify() == []
    assert Counted.by_git > 0


def test_without_git_every_file_is_stamped(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a_tracked_record(world).unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with Memory.open(str(world)) as memory:
        assert_right(memory)
    assert Counted.by_git == 0


def test_a_git_that_fails_is_not_believed(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    a_tracked_record(world).unlink()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with Memory.open(str(world)) as memory:
        assert_right(memory)
    assert Counted.by_git == 0


def test_a_damaged_seal_is_none(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        text = seal_of(memory)
        assert read_seal(text) is not None
        rng = Random(4)
        for _ in range(200):
            at = rng.randrange(len(text))
            damaged = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
            assert read_seal(damaged) is None


def children() -> set[int]:
    """Give the ids of this process's children; other tests may have begun some."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state = file.read_text().rpartition(")")[2].split()
            if int(state[1]) == os.getpid():
                found.add(int(file.parent.name))
    return found


def test_no_process_is_left_behind(world: "Checkout") -> None:
    before = children()
    with Memory.open(str(world)) as memory:
        memory.workspace.derived.catalog()
        begun = memory.workspace.derived.comparison.begin(memory.workspace.derived.opened)
        assert begun is not None
        begun.edits.close()
    assert children() <= before


@pytest.fixture
def early(world: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Have git started beforehand in a memory of any size."""
    monkeypatch.setattr(edits, "_LARGE", 0)
    monkeypatch.chdir(world)
    return world


def test_what_was_started_ahead_is_taken_and_no_other_git_started(
    early: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    path = a_tracked_record(early)
    path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
    before = children()
    look_ahead(["list"], {})
    assert len(edits._started) == 1
    assert children() > before
    with monkeypatch.context() as patched:
        patched.setattr(comparison, "Edits", None)  # nobody may start another
        with Memory.open(str(early)) as memory:
            assert any("Seen" in row.title for row in memory.list())
    assert Counted.by_git == 1
    assert edits._started == []
    assert children() <= before


def test_what_was_started_ahead_with_another_index_is_not_believed(early: "Checkout") -> None:
    look_ahead(["list"], {})
    begun = edits._started.pop()
    path = a_tracked_record(early)
    path.write_bytes(path.read_bytes().replace(b"title: ", b"title: Seen "))
    early.git("add", ".")
    copy_of(early).unlink()
    sealed(early)
    edits._started.append(begun)
    Counted.by_git = 0
    with Memory.open(str(early)) as memory:
        memory.list()  # takes it, and finds that it does not fit
        assert Counted.by_git == 0
    assert edits._started == []
    with Memory.open(str(early)) as memory:
        assert any("Seen" in row.title for row in memory.list())
        assert_right(memory)


def test_what_nobody_takes_is_ended(early: "Checkout") -> None:
    before = children()
    look_ahead(["list"], {})
    places = edits._started[0][0]
    assert edits.started_for(places, "other") is None
    edits.close_early()
    assert children() <= before


@pytest.mark.usefixtures("early")
def test_nothing_is_started_for_what_may_wait_or_asks_nothing() -> None:
    for words in ("", "search", "search -", "search --json", "search --limit 5", "add",
                  "-C elsewhere list", "--help"):  # fmt: skip
        look_ahead(words.split(), {})
        assert edits._started == [], words
    look_ahead(["search", "flux"], {"GITMEM_FOLDER": ".other"})
    assert edits._started == []
    look_ahead(["search", "flux"], {})
    assert len(edits._started) == 1
    edits.close_early()
