"""Whatever happens to files and derived state, the answer is what the files say."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from gitmem.sync.derived import Derived
from tests import capabilities, faults
from tests.accounts import IS_ROOT
from tests.answers import a_record, assert_right, derived_folder, fill, from_files
from tests.depth import amount, deep, sampled
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    fill(repo)
    return repo


@pytest.fixture
def memory(world: Path) -> Iterator[Memory]:
    with Memory.open(str(world)) as opened:
        yield opened


# --- derived state is derived -------------------------------------------------------------------


def test_all_derived_state_deleted_and_rebuilt_is_identical(world: Path, memory: Memory) -> None:
    before = memory.workspace.derived.catalog().dump()
    hits = [(hit.row.id, hit.parts) for hit in memory.search("connection timeout").hits]
    memory.close()
    shutil.rmtree(derived_folder(world))
    with Memory.open(str(world)) as anew:
        assert anew.workspace.derived.catalog().dump() == before
        assert [(hit.row.id, hit.parts) for hit in anew.search("connection timeout").hits] == hits
        assert anew.checks.verify() == []
        anew.checks.rebuild()
        assert anew.workspace.derived.catalog().dump() == before
        assert_right(anew)


def test_files_alone_give_the_same_answers(world: Path, memory: Memory) -> None:
    assert_right(memory)
    with from_files(memory) as plain:
        assert plain.workspace.derived.catalog().dump() == memory.workspace.derived.catalog().dump()
        assert_right(plain)


@sampled(2)
@pytest.mark.parametrize(
    "names",
    [
        ("catalog.sqlite",),
        ("catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"),
        ("index",),
        ("lock",),
    ],
    ids=" and ".join,
)
def test_a_part_of_derived_state_may_go_away(world: Path, names: tuple[str, ...]) -> None:
    folder = derived_folder(world)
    for name in names:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        else:
            (folder / name).unlink(missing_ok=True)
    with Memory.open(str(world)) as memory:
        assert_right(memory)
        assert memory.workspace.derived.notices == []


@deep
def test_derived_state_may_go_away_in_the_middle_of_an_update(world: Path) -> None:
    folder = derived_folder(world)
    draw = Random(11)

    def write() -> str:
        data = record(draw, (), "note")
        path = world / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))
        return str(data["id"])

    for wished in range(0, 400, amount(share=3, ci=1, whole=1)):
        with Memory.open(str(world)) as memory:
            memory.search("connection")
            first = write()
            with faults.at_call(wished, lambda _name, _args: shutil.rmtree(folder)) as calls:
                memory.search("connection")
            second = write()
            assert {first, second} <= {row.id for row in memory.list("kind:note")}
            assert memory.workspace.derived.notices == []
            assert_right(memory)
        if wished >= len(calls):
            break
    else:
        pytest.fail("the update makes more calls than were tried")
    with Memory.open(str(world)) as memory:
        assert memory.checks.verify() == []


def test_each_single_index_file_may_go_away(world: Path) -> None:
    folder = derived_folder(world) / "index"
    for name in sorted(os.listdir(folder)):
        if (folder / name).exists():
            (folder / name).unlink()
            with Memory.open(str(world)) as memory:
                assert_right(memory)


def damages(size: int) -> dict[str, Callable[[bytes], bytes]]:
    rng = Random(size)
    return {
        "cut in half": lambda data: data[: len(data) // 2],
        "another file": lambda data: rng.randbytes(len(data)),
        "emptied": lambda _: b"",
        "cut by one": lambda data: data[:-1],
        "text": lambda _: b"this is no database\n" * 99,
        "zeroes": lambda data: bytes(len(data)),
    }


@sampled(3)
@pytest.mark.parametrize("damage", damages(0))
def test_a_damaged_file_of_derived_state_is_rebuilt(world: Path, damage: str) -> None:
    folder = derived_folder(world)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if not path.exists() or path.name == "lock":
            continue
        path.write_bytes(damages(1)[damage](path.read_bytes()))
        with Memory.open(str(world)) as memory:
            assert_right(memory)


@deep
@pytest.mark.parametrize("seed", [*range(amount(share=3, ci=8, whole=200)), 34])
def test_flipped_bytes_in_the_catalog_end_in_an_answer_or_a_rebuild(world: Path, seed: int) -> None:
    """SQLite has no checksums, so that a flipped letter may be shown; a crash never."""
    rng = Random(seed)
    path = derived_folder(world) / "catalog.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 10, 200))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data)
    with Memory.open(str(world)) as memory:
        memory.workspace.derived.mended(memory.list)
        memory.workspace.derived.mended(memory.checks.files)
        memory.workspace.derived.mended(partial(memory.search, "connection timeout"))
        memory.checks.rebuild()
        assert_right(memory)


def test_flipped_bytes_in_the_index_never_show(world: Path) -> None:
    folder = derived_folder(world) / "index"
    rng = Random(1)
    for path in sorted(folder.iterdir()):
        if path.exists() and path.stat().st_size:
            data = bytearray(path.read_bytes())
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            with Memory.open(str(world)) as memory:
                assert_right(memory)


@sampled(2)
@pytest.mark.parametrize("version", [1, 99, -1, 2**31 - 1])
def test_a_catalog_of_another_version_is_rebuilt(world: Path, version: int) -> None:
    path = derived_folder(world) / "catalog.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={version}")
        db.execute("DELETE FROM records")
    db.close()
    with Memory.open(str(world)) as memory:
        assert_right(memory)


def test_a_database_of_something_else_is_rebuilt(world: Path) -> None:
    path = derived_folder(world) / "catalog.sqlite"
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    with Memory.open(str(world)) as memory:
        assert_right(memory)


# --- files that change in sly ways --------------------------------------------------------------


@pytest.mark.parametrize("age", [0, 10**9], ids=["young", "old"])
def test_edits_that_keep_size_and_time_are_seen(world: Path, memory: Memory, age: int) -> None:
    path = world / ".memory" / path_of(record(Random(2), [], "note"))
    path.parent.mkdir(parents=True, exist_ok=True)
    when = time.time() - age
    for number in range(30):  # as fast as can be: several in one tick of the file system's clock
        data = record(Random(2), [], "note") | {"title": f"title {number:03}"}
        path.write_bytes(text_of(data))
        os.utime(path, (when, when))
        assert data["title"] in {row.title for row in memory.list()}
    assert_right(memory)


@sampled(2)
@pytest.mark.parametrize("when", [0, 2**33, 1, 4_000_000_000])
def test_times_of_long_ago_and_of_the_future_are_no_trouble(world: Path, when: int) -> None:
    path = a_record(world)
    with Memory.open(str(world)) as memory:
        os.utime(path, (when, when))
        assert_right(memory)
        path.write_bytes(path.read_bytes().replace(b"title: ", b"title: New "))
        os.utime(path, (when, when))
        assert_right(memory)


def test_an_unreadable_file_is_a_problem_until_it_can_be_read(world: Path, memory: Memory) -> None:
    path = a_record(world)
    count = len(memory.list())

    def without_rights() -> None:
        capabilities.heed_permissions()
        with Memory.open(str(world)) as other:
            assert len(other.list()) == count - 1
            assert [p.code for p in other.checks.files() if p.path in str(path)] == ["unreadable"]

    path.chmod(0)
    assert faults.in_child(without_rights) == 0
    if IS_ROOT:  # the very same file and stamps, but another user
        assert len(memory.list()) == count
    path.chmod(0o644)
    assert_right(memory)


def test_a_file_that_grows_beyond_the_limit_and_shrinks_again(world: Path) -> None:
    path = a_record(world)
    text = path.read_bytes()
    with Memory.open(str(world), settings={"limits.record_kib": 8}) as memory:
        for size in (9, 10, 200):
            path.write_bytes(text + b"# x\n" * 256 * size)
            assert [p.message for p in memory.checks.files() if p.code == "oversized"]
            assert_right(memory)
        path.write_bytes(text)
        assert_right(memory)


def test_a_raised_limit_counts_for_files_that_did_not_change(world: Path) -> None:
    path = a_record(world)
    path.write_bytes(path.read_bytes() + b"# x\n" * 256 * 20)
    os.utime(path, (1e9, 1e9))
    with Memory.open(str(world), settings={"limits.record_kib": 8}) as memory:
        assert "oversized" in {p.code for p in memory.checks.files()}
    with Memory.open(str(world)) as memory:
        assert_right(memory)


def test_pipes_links_in_a_circle_and_odd_names_are_problems_and_hide_nothing(
    world: Path, memory: Memory
) -> None:
    folder = a_record(world).parent
    count = len(memory.list())
    os.mkfifo(folder / "pipe.yaml")
    for name in ("loop", "loop.yaml", "aaa"):
        (folder / name).symlink_to(name)
    (folder / "out.yaml").symlink_to("/etc/passwd")
    (folder / "elsewhere").symlink_to(world)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.yaml")).write_bytes(b"")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xfe")).mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xfe/x.yaml")).symlink_to("y")
    (folder / "folder.yaml").mkdir()
    codes = [p.code for p in memory.checks.files() if "/" in p.path]
    assert len(memory.list()) == count
    assert all(p.path.encode() for p in memory.checks.files())  # no half characters
    for code, least in {"not-a-file": 2, "symlink": 4, "file-name": 1}.items():
        assert codes.count(code) >= least, code


def test_a_folder_that_became_a_file_or_a_link_is_a_problem(world: Path, memory: Memory) -> None:
    kept = len(memory.list("-kind:note -kind:decision"))
    for kind, code in (("notes", "not-a-folder"), ("decisions", "symlink")):
        target = world / ".memory" / kind
        target.rename(world / kind)
        if code == "symlink":
            target.symlink_to(world / kind)
        else:
            target.write_text("file")
        assert code in {p.code for p in memory.checks.files()}
    assert len(memory.list()) == kept


# --- places that can't be written ---------------------------------------------------------------


def test_a_read_only_derived_folder_answers_from_the_files_with_a_notice(world: Path) -> None:
    folder = derived_folder(world)
    a_record(world).unlink()

    def bound() -> None:
        capabilities.heed_permissions()
        with Memory.open(str(world), environ={}) as memory:
            assert_right(memory)
            assert "no writable folder for the index" in " ".join(memory.checks.status().notices)

    for path in (*folder.rglob("*"), folder, folder.parent):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert faults.in_child(bound) == 0
    finally:
        for path in (folder.parent, folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    with Memory.open(str(world)) as memory:
        assert_right(memory)


@pytest.mark.parametrize("inside", ["", "below"])
def test_a_file_in_place_of_the_derived_folder_answers_from_the_files(
    world: Path, memory: Memory, inside: str
) -> None:
    (world / "in-the-way").touch()
    memory.workspace.derived = Derived(
        memory.workspace.store, str(world / "in-the-way" / inside), 0
    )
    assert_right(memory)
    assert "answered from the files" in " ".join(memory.workspace.derived.notices)


def test_a_derived_folder_that_turns_read_only_while_it_is_used(world: Path) -> None:
    folder = derived_folder(world)

    def bound() -> None:
        capabilities.heed_permissions()
        with Memory.open(str(world)) as memory:
            assert_right(memory)
            for path in (*folder.rglob("*"), folder):
                path.chmod(0o555 if path.is_dir() else 0o444)
            a_record(world).unlink()
            assert_right(memory)
            assert "answered from the files" in " ".join(memory.checks.status().notices)

    try:
        assert faults.in_child(bound) == 0
    finally:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_reading_changes_no_tracked_file_and_leaves_nothing_to_commit(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        memory.checks.rebuild()
        assert_right(memory)
    assert world.git("status", "--porcelain") == ""
