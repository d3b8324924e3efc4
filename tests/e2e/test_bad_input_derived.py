"""Catalog and index that are damaged, locked or half made, and writers that are killed: case 9."""

import fcntl
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.answers import derived_folder
from tests.depth import amount, deep, sampled
from tests.e2e.running import COMMAND, in_process, ok, run, untouched
from tests.e2e.samples import DECISION, ERROR, FIX, NOTE, TITLES, WHOLE, lay, record

if TYPE_CHECKING:
    from tests.conftest import Checkout


def warm(repo: Path) -> Path:
    ok(repo, "search", "flux")
    return derived_folder(repo)


def answers_are_right(repo: Path) -> None:
    """Check the answers to a filter, to a text and to a lookup, and that nothing was said."""
    for command, expected in (
        (("search", "overheats"), {ERROR}),
        (("list",), {ERROR, FIX, DECISION, NOTE}),
    ):
        result = run(repo, *command)
        assert result.code == 0, result
        assert result.err == "", result
        found = {word for word in result.out.split() if word in {ERROR, FIX, DECISION, NOTE}}
        assert found - ({FIX} if command == ("search", "overheats") else set()) == expected
    assert in_process(repo, "index", "verify").code == 0


def catalog_of_newer_version(folder: Path) -> None:
    with sqlite3.connect(folder / "catalog.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def catalog_without_tables(folder: Path) -> None:
    with sqlite3.connect(folder / "catalog.sqlite") as database:
        database.execute("DROP VIEW memory")
        database.execute("DROP TABLE records")
    database.close()


def every(pattern: str, spoil: Callable[[Path], object]) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        found = sorted(folder.glob(pattern))
        assert found
        for file in found:
            spoil(file)

    return act


def cut(share: float) -> Callable[[Path], None]:
    return lambda file: os.truncate(file, int(file.stat().st_size * share))


def scramble(file: Path) -> None:
    size = max(file.stat().st_size, 40)
    file.write_bytes(random.Random(9).randbytes(size))


def flip(file: Path) -> None:
    """Change one byte in the middle, size and time unchanged: what a bad disk does."""
    data = bytearray(file.read_bytes() or b"?")
    stamp = file.stat()
    data[len(data) // 2] ^= 0x55
    file.write_bytes(data)
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))


def newer_index(folder: Path) -> None:
    for file in folder.glob("index/gitmem_*.files"):
        file.write_bytes(file.read_bytes().replace(b"gitmem 1.", b"gitmem 9."))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "catalog-truncated": every("catalog.sqlite", cut(0.4)),
    "index-random": every("index/*", scramble),
    "catalog-newer": catalog_of_newer_version,
    "everything-random": every("**/*.*", scramble),
    "all-deleted": shutil.rmtree,
    "catalog-deleted": every("catalog.sqlite*", os.unlink),
    "catalog-empty": every("catalog.sqlite", cut(0)),
    "catalog-random": every("catalog.sqlite*", scramble),
    "catalog-without-tables": catalog_without_tables,
    "index-deleted": lambda folder: shutil.rmtree(folder / "index"),
    "index-empty": every("index/*", cut(0)),
    "index-truncated": every("index/*", cut(0.5)),
    "index-newer": newer_index,
    "index-one-byte": every("index/*", flip),
    "index-toc-deleted": every("index/_*", os.unlink),
    "index-list-deleted": every("index/*.files", os.unlink),
    "lock-deleted": every("lock", os.unlink),
}  # fmt: skip


@sampled(4)
@pytest.mark.parametrize("damage", DAMAGES)
def test_9_damage_is_mended_without_a_word(memory: "Checkout", damage: str) -> None:
    DAMAGES[damage](warm(memory))
    with untouched(memory):
        answers_are_right(memory)


@sampled(1)
@pytest.mark.parametrize("name", ["catalog.sqlite", "index"])
def test_9_something_else_in_its_place_is_told_and_a_rebuild_mends_it(
    memory: "Checkout", name: str
) -> None:
    place = warm(memory) / name
    if name == "index":
        shutil.rmtree(place)
        place.write_text("no folder")
    else:
        every("catalog.sqlite*", os.unlink)(place.parent)
        place.mkdir()
    found = run(memory, "search", "overheats")
    assert found.code == 0, found
    assert ERROR in found.out
    assert found.err == "" or found.err.startswith("note: index not usable"), found
    rebuilt = run(memory, "index", "rebuild")
    assert rebuilt.code == 0, rebuilt
    answers_are_right(memory)


@deep
@pytest.mark.timeout(600)
def test_9_a_catalog_with_one_damaged_page_is_never_a_fault(memory: "Checkout") -> None:
    many(memory, 120)
    catalog = warm(memory) / "catalog.sqlite"
    whole = catalog.read_bytes()
    pages = range(1, len(whole) // 4096)
    for page in pages[:: max(1, len(pages) // amount(share=2, ci=1000, whole=1000))]:
        catalog.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        for command in (("list",), ("search", "overheats"), ("show", ERROR), ("check",)):
            result = run(memory, *command)
            assert result.code == 0, (page, result)
            assert command == ("check",) or ERROR in result.out, (page, command)


@deep
def test_9_each_file_of_the_index_truncated_or_scrambled_alone(memory: "Checkout") -> None:
    folder = warm(memory)
    kept = memory.parent / "kept"
    shutil.copytree(folder, kept)
    names = sorted(os.listdir(folder / "index"))
    assert names
    spoils = (cut(0), cut(0.7), scramble, os.unlink)
    for number, name in enumerate(names):
        # In turn where not every file gets all of it.
        for spoil in (spoils * 2)[number % 4 :][: amount(share=1, ci=4, whole=4)]:
            shutil.rmtree(folder)
            shutil.copytree(kept, folder)
            spoil(folder / "index" / name)
            found = run(memory, "search", "overheats")
            assert found.code == 0, (name, found)
            assert ERROR in found.out, (name, spoil)
            assert found.err == "", found


def test_9_an_older_index_beside_a_newer_catalog_is_never_believed(memory: "Checkout") -> None:
    folder = warm(memory)
    kept = memory.parent / "kept"
    shutil.copytree(folder / "index", kept)
    lay(memory, "notes/2026/02/late-note-0000000bad.yaml", WHOLE)
    assert "note-0000000bad" in ok(memory, "search", "a thing to know")
    shutil.rmtree(folder / "index")
    shutil.copytree(kept, folder / "index")
    assert "note-0000000bad" in ok(memory, "search", "a thing to know")


_HOLDER = """
import fcntl, os, sys, time
handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(handle, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(120)
"""


def held(file: Path) -> "subprocess.Popen[bytes]":
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, str(file)], stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    return holder


@sampled(1)
@pytest.mark.parametrize("state", ["cold", "warm"])
def test_9_locked_by_a_live_process_the_files_answer_and_it_says_so(
    memory: "Checkout", state: str
) -> None:
    folder = derived_folder(memory)
    folder.mkdir(parents=True)
    if state == "warm":
        warm(memory)
    lay(memory, "notes/2026/02/note-0000000bad.yaml", WHOLE)
    env = {"GITMEM_INDEX_WAIT_SECONDS": "0.1"}
    with held(folder / "lock") as holder:
        try:
            for command in (("list",), ("search", "a thing to know")):
                result = run(memory, *command, env=env)
                assert result.code == 0, result
                assert "note-0000000bad" in result.out
                assert len(result.notes) == 1, result
                assert "another process is updating it" in result.err
            assert run(memory, "add", "note", "--title", "meanwhile", env=env).code == 0
            rebuilt = run(memory, "index", "rebuild", env=env)
            assert "Traceback" not in rebuilt.err, rebuilt
            assert rebuilt.code in {0, 5, 6}, rebuilt
            assert rebuilt.code == 0 or rebuilt.err.startswith("gitmem: "), rebuilt
        finally:
            holder.kill()
    assert "meanwhile" in ok(memory, "search", "meanwhile")


def test_9_locked_by_a_process_that_is_killed_meanwhile_it_goes_on(memory: "Checkout") -> None:
    folder = derived_folder(memory)
    folder.mkdir(parents=True)
    with held(folder / "lock") as holder:
        holder.kill()
    assert (folder / "lock").exists()
    answers_are_right(memory)


def test_9_a_catalog_that_another_process_writes_is_waited_for(memory: "Checkout") -> None:
    folder = warm(memory)
    lay(memory, "notes/2026/02/note-0000000bad.yaml", WHOLE)
    database = sqlite3.connect(folder / "catalog.sqlite", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    waiting = subprocess.Popen([COMMAND, "list"], cwd=memory, stdout=subprocess.PIPE)
    time.sleep(0.6)
    database.execute("ROLLBACK")
    database.close()
    out, _ = waiting.communicate(timeout=30)
    assert waiting.returncode == 0
    assert b"note-0000000bad" in out


def test_9_on_a_file_system_without_locks_the_files_answer(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_handle: int, _how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    for command in (("list",), ("search", "overheats"), ("show", ERROR)):
        result = in_process(memory, *command)
        assert result.code == 0, result
        assert ERROR in result.out
    assert in_process(memory, "add", "note", "--title", "x").code == 0
    assert in_process(memory, "check").code == 0


def many(repo: Path, count: int) -> None:
    for number in range(count):
        name = f"note-{number:08}zz"
        text = record("note", name, f"Bulk {number}", more=f"body: words w{number} w{number % 7}\n")
        lay(repo, f"notes/2026/04/{name}.yaml", text)


def test_9_several_processes_rebuild_and_search_at_once(memory: "Checkout") -> None:
    many(memory, 200)
    commands = [("index", "rebuild"), ("index", "rebuild"), ("search", "overheats"), ("list",)] * 2
    running = [
        subprocess.Popen([COMMAND, *command], cwd=memory, stdout=-1, stderr=-1)
        for command in commands
    ]
    for command, process in zip(commands, running, strict=True):
        out, err = process.communicate(timeout=60)
        assert b"Traceback" not in err, (command, err)
        if command[0] == "index":
            assert process.returncode == 0 or err.startswith(b"gitmem: "), (command, err)
        else:
            assert process.returncode == 0, (command, err)
            assert ERROR.encode() in out, (command, out, err)
    answers_are_right_among_many(memory, 204)


def answers_are_right_among_many(repo: Path, count: int) -> None:
    assert len(ok(repo, "list").splitlines()) == count
    assert ERROR in ok(repo, "search", "overheats")
    assert ok(repo, "index", "verify") == ""


def killed(repo: Path, *command: str, after: float) -> None:
    process = subprocess.Popen([COMMAND, *command], cwd=repo, stdout=-1, stderr=-1)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()


@deep
def test_9_killed_at_any_moment_of_a_rebuild(memory: "Checkout") -> None:
    many(memory, 150)
    moments = random.Random(4)
    for _ in range(amount(share=4, ci=8, whole=80)):
        killed(memory, "index", "rebuild", after=0.1 + moments.random() * 0.3)
        found = run(memory, "search", "overheats")
        assert found.code == 0, found
        assert ERROR in found.out
        assert found.err == "", found
    answers_are_right_among_many(memory, 154)


@deep
def test_9_killed_at_any_moment_of_writing_records(memory: "Checkout") -> None:
    moments = random.Random(5)
    entries = memory.parent / "entries.yaml"
    entries.write_text("".join(f"- title: entry {n}\n  body: b{n}\n" for n in range(60)))
    for _ in range(amount(share=3, ci=8, whole=80)):
        killed(memory, "add", "note", "--from", str(entries), after=0.12 + moments.random() * 0.15)
        checked = run(memory, "check")
        assert checked.code == 0, checked
        assert all(
            "[leftover]" in line or line.startswith("    ") for line in checked.out.splitlines()
        )
    listed = ok(memory, "list")
    assert all(title in listed for title in TITLES)
    assert listed.count("\n") == ok(memory, "backup", "export").count('"path": "') - ok(
        memory, "backup", "export"
    ).count('"path": "src')
