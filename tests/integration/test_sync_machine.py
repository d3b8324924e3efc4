"""Random lives of a memory: after each step every way of answering says what the files say."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from gitmem.memory import Memory
from gitmem.system import lock
from tests.answers import assert_right, derived_folder
from tests.depth import DEEP, amount, deep
from tests.random_records import path_of, record, text_of

SEEDS = st.integers(0, 2**32)
BROKEN = (
    b"", b"kind: note\n", b"<<<<<<< HEAD\nid: x\n", b"title: [", b"\xff\xfe", b"a: 1\na: 2\n",
    b"""\
schema: 99
id: note-0000000001
kind: note
title: later
created: 2026-01-01T00:00:00Z
author: {name: Ann}
hologram: true
""",
)  # fmt: skip


class MemoryLife(RuleBasedStateMachine):
    """One repository, one resident reader, and everything that can happen around them."""

    base: Path
    steps = 0
    paths = Bundle("paths")

    def __init__(self) -> None:
        super().__init__()
        self.base.mkdir(exist_ok=True)
        self.root = self.base / f"life-{os.urandom(4).hex()}"
        self.folder = self.root / ".memory"
        self.ids: list[str] = []
        self.branches = 1
        self.resident: Memory | None = None

    @initialize()
    def begin(self) -> None:
        self.git("init", "-q", str(self.root), inside=False)
        Memory.init(str(self.root))
        self.save()

    def teardown(self) -> None:
        self.leave()
        shutil.rmtree(self.root, ignore_errors=True)

    def git(self, *arguments: str, inside: bool = True) -> None:
        where = self.root if inside else self.base
        subprocess.run(["git", *arguments], cwd=where, capture_output=True, check=True)

    def save(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")

    def leave(self) -> None:
        if self.resident is not None:
            self.resident.close()
            self.resident = None

    def put(self, path: str, data: bytes) -> str:
        full = self.folder / path
        if full.parent.is_dir() or not full.parent.exists():
            full.parent.mkdir(parents=True, exist_ok=True)
            if full.is_symlink():
                full.unlink()
            full.write_bytes(data)
        return path

    # Files

    @rule(target=paths, seed=SEEDS)
    def add(self, seed: int) -> str:
        data = record(Random(seed), self.ids)
        self.ids.append(data["id"])
        return self.put(path_of(data), text_of(data))

    @rule(target=paths, seed=SEEDS, path=paths)
    def add_the_same_id_elsewhere(self, seed: int, path: str) -> str:
        data = record(Random(seed), self.ids)
        if self.ids:
            same_kind = [one for one in self.ids if one[:3] == data["id"][:3]]
            data["id"] = Random(seed).choice([*same_kind, data["id"]])
            data.pop("links", None)
            data.pop("reuses", None)
        return self.put(path_of(data), text_of(data))

    @rule(path=paths, seed=SEEDS, keep_time=st.booleans())
    def rewrite(self, *, path: str, seed: int, keep_time: bool) -> None:
        full = self.folder / path
        before = full.lstat() if os.path.lexists(full) else None
        self.put(path, text_of(record(Random(seed), self.ids)))
        if keep_time and before:
            os.utime(full, ns=(before.st_atime_ns, before.st_mtime_ns), follow_symlinks=False)

    @rule(path=paths, text=st.sampled_from(BROKEN))
    def spoil(self, path: str, text: bytes) -> None:
        self.put(path, text)

    @rule(path=paths, swap=st.sampled_from([(b"worked", b"failed"), (b"title: ", b"title: X")]))
    def edit_by_hand(self, path: str, swap: tuple[bytes, bytes]) -> None:
        full = self.folder / path
        if full.is_file() and not full.is_symlink():
            before = full.stat()
            full.write_bytes(full.read_bytes().replace(*swap))
            os.utime(full, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(path=consumes(paths))
    def delete(self, path: str) -> None:
        (self.folder / path).unlink(missing_ok=True)

    @rule(target=paths, path=consumes(paths), ending=st.sampled_from(["-b.yaml", ".yml"]))
    def rename(self, path: str, ending: str) -> str:
        new = path.rpartition(".")[0] + ending
        if os.path.lexists(self.folder / path):
            os.replace(self.folder / path, self.folder / new)
        return new

    @rule(path=paths, mode=st.sampled_from([0o600, 0o644, 0o755]))
    def chmod(self, path: str, mode: int) -> None:
        if (self.folder / path).exists():
            (self.folder / path).chmod(mode)

    @rule(path=paths)
    def link(self, path: str) -> None:
        target = self.folder / path
        target.unlink(missing_ok=True)
        if target.parent.is_dir():
            target.symlink_to("nowhere")

    @rule(path=paths, when=st.sampled_from([0, 10**9, 2**32]))
    def touch(self, path: str, when: int) -> None:
        if (self.folder / path).exists():
            os.utime(self.folder / path, (when, when))

    # Branches

    @rule()
    def branch(self) -> None:
        self.save()
        self.git("checkout", "-q", "-b", f"b{self.branches}")
        self.branches += 1

    @rule(number=st.integers(0, 5))
    def switch(self, number: int) -> None:
        self.save()
        if 0 < number < self.branches:
            self.git("checkout", "-q", f"b{number}")

    # Derived state

    @rule(seed=SEEDS, damage=st.sampled_from(["delete", "truncate", "garbage", "empty"]))
    def damage_derived_state(self, seed: int, damage: str) -> None:
        self.leave()  # under an open database, memory maps would fail by signal
        rng = Random(seed)
        files = sorted(p for p in derived_folder(self.root).rglob("*") if p.is_file())
        for path in rng.sample(files, min(len(files), rng.randint(1, 3))):
            size = path.stat().st_size
            if damage == "delete":
                path.unlink()
            else:
                contents = {"truncate": path.read_bytes()[: size // 2], "empty": b""}
                path.write_bytes(contents.get(damage, rng.randbytes(size)))

    @rule()
    def delete_derived_state(self) -> None:
        shutil.rmtree(derived_folder(self.root), ignore_errors=True)

    @rule(fraction=st.floats(0, 1))
    def kill_an_update(self, fraction: float) -> None:
        child = os.fork()
        if child == 0:
            try:
                with Memory.open(str(self.root)) as memory:
                    memory.search("connection")
            finally:
                os._exit(0)
        time.sleep(fraction * 0.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    @rule()
    def another_process_rebuilds(self) -> None:
        with Memory.open(str(self.root)) as other:
            other.checks.rebuild()

    @rule()
    def ask_while_it_is_locked(self) -> None:
        folder = derived_folder(self.root)
        folder.mkdir(parents=True, exist_ok=True)
        with (
            lock(str(folder / "lock"), 1),
            Memory.open(str(self.root), settings={"index.wait_seconds": 0}) as memory,
        ):
            assert_right(memory)

    # What has to hold after each of them

    @invariant()
    def answers_are_right(self) -> None:
        if not self.folder.exists():
            return
        MemoryLife.steps += 1
        if self.resident is None:
            self.resident = Memory.open(str(self.root))
        assert_right(self.resident)
        assert self.resident.workspace.derived.notices == []
        with Memory.open(str(self.root)) as fresh:
            assert fresh.checks.verify() == []


@deep
@pytest.mark.slow
@pytest.mark.timeout(7200 if DEEP else 180)
def test_random_lives_of_a_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    MemoryLife.base = tmp_path
    examples = amount(share=2, ci=15, whole=2000)
    run_state_machine_as_test(
        MemoryLife,
        settings=settings(max_examples=examples, stateful_step_count=20, deadline=None),
    )
    with capsys.disabled():
        print(f"\n{MemoryLife.steps} steps of random lives: answers equal the oracle's")  # noqa: T201
