"""A search that does not wait for git: nothing shown is stale, and the next answer is complete."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gitmem.git.edits import LEFT, LEFT_SECONDS
from gitmem.memory import Memory
from gitmem.sync import comparison, difference
from tests.answers import derived_folder
from tests.depth import DEEP, amount
from tests.integration.test_sync_git import RACY_NS, Counted, sealed

if TYPE_CHECKING:
    from tests.conftest import Checkout

Answer = list[tuple[str, str, str, tuple[tuple[str, str], ...]]]
NOTES = 8
WORDS = ("flux", "amber")


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask git from the first record on."""
    monkeypatch.setattr(comparison, "RACY_NS", RACY_NS)
    monkeypatch.setattr(difference, "RACY_NS", RACY_NS)
    monkeypatch.setattr("gitmem.sync.derived.Comparison", Counted)


def filled(root: Path) -> None:
    """Make a memory of notes, and of an error with a fix, all committed."""
    Memory.init(str(root))
    with Memory.open(str(root)) as memory:
        for number in range(NOTES):
            memory.add("note", {"title": f"{WORDS[number % 2]} {number}", "body": "as it was"})
        error = memory.add("error", {"title": "flux fails", "message": "flux is empty"})
        memory.resolve(error.id, {"approach": "wait", "outcome": "worked"})
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "x"], cwd=root, check=True)
    sealed(root)


def ask(root: Path, word: str, *, prompt: bool = True, **given: Any) -> tuple[Answer, float]:
    """Ask as a command does; give what is shown, and the seconds that the answer may lack."""
    with Memory.open(str(root), settings=given) as memory:
        reader = memory.records.reader
        result = reader.search(word, 50, prompt=prompt)
        reader.note_shown(result.site, (hit.ids for hit in result.hits))
        return [
            (
                hit.row.path,
                hit.row.title,
                hit.row.status,
                tuple((fix.path, fix.stated) for fix in hit.attempts),
            )
            for hit in result.hits
        ], reader.unseen_seconds


def files(root: Path, kind: str) -> list[Path]:
    return sorted((root / ".memory" / kind).rglob("*.yaml"))


def edit(path: Path, old: str, new: str) -> None:
    """Write into a file as it lies, as many editors do."""
    with path.open("r+b") as file:
        text = file.read().replace(old.encode(), new.encode())
        file.seek(0)
        file.write(text)
        file.truncate()


def wait_for_git(root: Path) -> None:
    """Wait until no look that was left behind runs any more."""
    with (derived_folder(root) / LEFT).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    filled(repo)
    ask(repo, "flux")
    return repo


def test_the_second_question_does_not_wait_for_git(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_git(world)
    with monkeypatch.context() as patched:
        patched.setattr(comparison, "Edits", None)  # nobody may start another and wait for it
        answer, seconds = ask(world, "flux")
    assert len(answer) == NOTES // 2 + 1
    assert 0 < seconds < 60
    wait_for_git(world)


def test_an_edit_in_place_is_in_the_next_answer(world: "Checkout") -> None:
    path = next(path for path in files(world, "notes") if b"amber 1" in path.read_bytes())
    edit(path, "amber 1", "flux of amber")
    ask(world, "flux")  # may lack it, and leaves a look behind
    answer, _ = ask(world, "flux")
    assert any(title == "flux of amber" for _, title, *_ in answer)


def test_what_is_shown_is_as_the_files_have_it(world: "Checkout") -> None:
    (fix,) = files(world, "fixes")
    edit(fix, "outcome: worked", "outcome: failed")
    answer, _ = ask(world, "flux")
    (attempts,) = [attempts for *_, attempts in answer if attempts]
    assert [stated for _, stated in attempts] == ["failed"]


def test_what_the_answer_before_showed_is_looked_at(world: "Checkout") -> None:
    ask(world, "amber")
    path = next(path for path in files(world, "notes") if b"amber 1" in path.read_bytes())
    edit(path, "amber 1", "flux of amber")
    answer, _ = ask(world, "flux")
    assert any(title == "flux of amber" for _, title, *_ in answer)


def test_where_nothing_is_found_everything_is_looked_at(world: "Checkout") -> None:
    edit(next(iter(files(world, "notes"))), "as it was", "as zirconium")
    answer, seconds = ask(world, "zirconium")
    assert (len(answer), seconds) == (1, 0)


def test_the_setting_makes_every_answer_complete(world: "Checkout") -> None:
    path = next(path for path in files(world, "notes") if b"amber 1" in path.read_bytes())
    edit(path, "amber 1", "flux of amber")
    answer, seconds = ask(world, "flux", **{"index.complete": True})
    assert any(title == "flux of amber" for _, title, *_ in answer)
    assert seconds == 0


@pytest.mark.parametrize("damage", ["gone", "cut", "empty", "nonsense", "old", "a link"])
def test_a_look_that_did_not_end_well_counts_for_nothing(world: "Checkout", damage: str) -> None:
    left = derived_folder(world) / LEFT
    wait_for_git(world)
    data = left.read_bytes()
    left.unlink()
    head, _, names = data.partition(b"\0")
    *stamp, began = head.split()
    old = b" ".join([*stamp, b"%d" % (int(began) - int(LEFT_SECONDS * 1e9))]) + b"\0" + names
    shown = {"cut": data[:-1], "empty": b"", "nonsense": b"\xff\0//", "old": old}.get(damage)
    if shown is not None:
        left.write_bytes(shown)
    if damage == "a link":
        (world / "elsewhere").write_bytes(data)
        left.symlink_to(world / "elsewhere")
    path = next(path for path in files(world, "notes") if b"amber 1" in path.read_bytes())
    edit(path, "amber 1", "flux of amber")
    answer, seconds = ask(world, "flux")
    assert any(title == "flux of amber" for _, title, *_ in answer)
    assert seconds == 0


class Prompt(RuleBasedStateMachine):
    """A memory that is edited in every way between two questions."""

    base: Path
    kept: Path
    asked = compared = 0

    def __init__(self) -> None:
        super().__init__()
        self.root = self.base / f"life-{os.urandom(4).hex()}"
        self.is_dirty = False
        self.number = 0

    @initialize()
    def begin(self) -> None:
        shutil.copytree(self.kept, self.root, symlinks=True)
        sealed(self.root)
        ask(self.root, "flux")

    def teardown(self) -> None:
        if (derived_folder(self.root) / LEFT).exists():
            wait_for_git(self.root)
        shutil.rmtree(self.root, ignore_errors=True)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)

    @rule(numbers=st.lists(st.integers(0, 99), min_size=1, max_size=3), word=st.sampled_from(WORDS))
    def edit_in_place(self, *, numbers: list[int], word: str) -> None:
        paths = [*files(self.root, "notes"), *files(self.root, "fixes")]
        for number in numbers if paths else ():
            path = paths[number % len(paths)]
            edit(path, "title: ", f"title: {word} ")
            edit(path, "outcome: worked", "outcome: failed")
            self.is_dirty = True

    @rule(number=st.integers(0, 99))
    def save_atomically(self, number: int) -> None:
        if paths := files(self.root, "notes"):
            path = paths[number % len(paths)]
            new = path.with_name(".new")
            new.write_bytes(path.read_bytes().replace(b"title: ", b"title: flux "))
            new.replace(path)

    @rule(word=st.sampled_from(WORDS))
    def add(self, word: str) -> None:
        with Memory.open(str(self.root)) as memory:
            memory.add("note", {"title": f"{word} anew"})

    @rule(number=st.integers(0, 99))
    def delete(self, number: int) -> None:
        if paths := files(self.root, "notes"):
            paths[number % len(paths)].unlink()

    @rule()
    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    @rule()
    def stash(self) -> None:
        self.git("stash", "push", "-q", "-u")

    @rule()
    def restore(self) -> None:
        self.git("checkout", "-q", "--", ".")

    @rule()
    def end_what_was_left(self) -> None:
        (derived_folder(self.root) / LEFT).write_bytes(b"")

    @precondition(lambda self: self.number % 5 == 0)
    @rule()
    def all_is_old_and_noted(self) -> None:
        sealed(self.root)
        self.is_dirty = False

    @invariant()
    def answers_are_right(self) -> None:
        if not self.root.exists():
            return
        self.number += 1
        word = WORDS[self.number % 2]
        was_dirty, self.is_dirty = self.is_dirty, False
        answer, _ = ask(self.root, word)
        Prompt.asked += 1
        for path, title, _, attempts in answer:
            assert f"title: {title}\n" in (self.root / ".memory" / path).read_text()
            for fix, stated in attempts:
                assert f"outcome: {stated}\n" in (self.root / ".memory" / fix).read_text()
        if not was_dirty:
            Prompt.compared += 1
            assert sorted(answer) == sorted(ask(self.root, word, prompt=False)[0])


@pytest.mark.slow
@pytest.mark.timeout(7200 if DEEP else 300)
def test_no_shown_record_is_stale_and_the_next_answer_is_complete(
    repo: "Checkout", tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(repo)
    Prompt.base, Prompt.kept = tmp_path, repo
    run_state_machine_as_test(
        Prompt,
        settings=settings(
            max_examples=amount(share=8, ci=20, whole=500),
            stateful_step_count=15,
            deadline=None,
            phases=[phase for phase in Phase if phase is not Phase.shrink],  # each step waits
        ),
    )
    assert Prompt.compared > 0
    with capsys.disabled():
        print(f"\n{Prompt.asked} questions, {Prompt.compared} of them held against all files")  # noqa: T201
