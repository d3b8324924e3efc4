"""Backup and restore: verified at both ends, and nothing is ever overwritten."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory, errors
from gitmem.exchange.backup import pack, verify
from tests.depth import sampled
from tests.pixel import PIXEL

if TYPE_CHECKING:
    from tests.conftest import Checkout


def open_then(start: str) -> Memory:
    """Open a memory whose present is 2020."""
    memory = Memory.open(start)
    memory.workspace.clock = lambda: datetime(2020, 5, 1, tzinfo=UTC)
    return memory


@pytest.fixture
def full(repo: "Checkout", tmp_path: Path) -> "Checkout":
    """Give a memory with records of every sort, an attachment, an archive and settings."""
    Memory.init(str(repo))
    repo.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  search.limit: 7\n")
    picture = tmp_path / "picture.png"
    picture.write_bytes(PIXEL + bytes(range(256)))
    with open_then(str(repo)) as memory:
        error = memory.add("error", {"error_type": "OSError", "message": "no marble here"})
        memory.resolve(error.id, {"title": "bring marble"})
    with Memory.open(str(repo)) as memory:
        memory.add("error", {"error_type": "KeyError", "message": "'x'"}, attach=[str(picture)])
        memory.add("decision", {"title": "Use UTC", "decision": "everywhere"})
        memory.add("note", {"title": "Grüße", "body": "zeile\nzwei\n"})
    repo.commit("all")
    with Memory.open(str(repo)) as memory:
        memory.transfer.archive(apply=True)
    return repo


@pytest.fixture
def empty(make_repo: Callable[..., "Checkout"]) -> "Checkout":
    made = make_repo("empty")
    Memory.init(str(made))
    return made


def backup_of(place: "Checkout") -> bytes:
    with Memory.open(str(place)) as memory:
        made = memory.transfer.backup()
    assert made.left_out == []
    return made.data


def test_s1_97_a_backup_is_verified_from_end_to_end(full: "Checkout") -> None:
    data = backup_of(full)
    manifest = verify(data).manifest
    assert manifest["records"] == 3
    assert manifest["kinds"] == {"decision": 1, "error": 1, "note": 1}
    assert (manifest["attachments"], manifest["archives"]) == (1, 1)
    assert len(manifest["sha256"]) == 64


def test_s1_99_the_same_memory_gives_the_same_backup(full: "Checkout") -> None:
    assert backup_of(full) == backup_of(full)


def test_s1_101_a_backup_is_compressed(full: "Checkout") -> None:
    data = backup_of(full)
    assert data[:2] == b"\x1f\x8b"
    assert json.loads(gzip.decompress(data))["backup"] == "gitmem"


def test_s1_102_a_restore_is_proved(full: "Checkout", empty: "Checkout") -> None:
    with Memory.open(str(empty)) as memory:
        told = memory.transfer.restore(backup_of(full), dry_run=True)
        assert (told.written, told.archives, told.found) == (3, 1, 0)
        assert memory.statistics.count() == 0
        done = memory.transfer.restore(backup_of(full))
        assert (done.written, done.present, done.found) == (3, 0, 5)
        assert done.settings == "written"
    with Memory.open(str(empty)) as memory, Memory.open(str(full)) as other:
        assert memory.checks.files() == []
        assert memory.workspace.site.config.search_limit == 7
        for row in [*other.list(), *other.transfer.archived()]:
            assert memory.show(row.id).record == other.show(row.id).record
        assert memory.search("marble").hits[0].layer == "archived"
    assert backup_of(empty) == backup_of(full)


def test_a_second_restore_changes_nothing(full: "Checkout", empty: "Checkout") -> None:
    data = backup_of(full)
    with Memory.open(str(empty)) as memory:
        memory.transfer.restore(data)
        again = memory.transfer.restore(data)
        assert (again.written, again.present, again.archives, again.found) == (0, 3, 0, 5)
        assert again.settings == "same"


def test_other_content_is_never_overwritten(full: "Checkout", empty: "Checkout") -> None:
    data = backup_of(full)
    with Memory.open(str(empty)) as memory:
        memory.transfer.restore(data)
        row = memory.list("kind:note")[0]
        path = empty / ".memory" / row.path
        path.write_bytes(path.read_bytes().replace(b"zwei", b"drei"))
        edited = path.read_bytes()
        with pytest.raises(errors.ConflictError, match="other content"):
            memory.transfer.restore(data)
        assert path.read_bytes() == edited


def test_own_settings_stay(full: "Checkout", empty: "Checkout") -> None:
    empty.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  search.limit: 3\n")
    with Memory.open(str(empty)) as memory:
        assert memory.transfer.restore(backup_of(full)).settings == "different"
    with Memory.open(str(empty)) as memory:
        assert memory.workspace.site.config.search_limit == 3


def tampered(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    whole = json.loads(gzip.decompress(data))
    change(whole)
    return gzip.compress(json.dumps(whole).encode())


@sampled(5)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: b"hello",
        lambda data: gzip.compress(b"[1]"),
        lambda data: gzip.compress(b'{"backup": "gitmem", "records": []}'),
        lambda data: tampered(data, lambda whole: whole["records"].pop()),
        lambda data: tampered(data, lambda whole: whole.update(settings="format: 1\n")),
        lambda data: tampered(data, lambda whole: whole["records"][0]["record"].update(title="x")),
        lambda data: tampered(data, lambda whole: whole["attachments"].clear()),
        lambda data: tampered(data, lambda whole: whole["archives"].clear()),
    ],
)
def test_a_damaged_backup_is_refused(
    full: "Checkout", empty: "Checkout", damage: Callable[[bytes], bytes]
) -> None:
    data = damage(backup_of(full))
    with Memory.open(str(empty)) as memory:
        with pytest.raises(errors.InvalidError):
            memory.transfer.restore(data)
        assert memory.statistics.count() == 0
        assert memory.transfer.archived() == []


def test_one_that_would_unpack_to_far_more_than_its_size_is_not_unpacked() -> None:
    bomb = gzip.compress(b'{"backup": "gitmem", "records": ["' + bytes(100_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(errors.InvalidError, match="hold more than"):
            verify(bomb)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(bomb) < 150_000
    assert most < 40_000_000


def test_one_with_an_attachment_of_zeros_is_read_all_the_same(
    full: "Checkout", empty: "Checkout", tmp_path: Path
) -> None:
    zeros = tmp_path / "zeros.bin"
    zeros.write_bytes(bytes(4_000_000))
    with Memory.open(str(full)) as memory:
        memory.add("error", {"error_type": "E", "message": "zeros"}, attach=[str(zeros)])
    with Memory.open(str(empty)) as memory:
        assert memory.transfer.restore(backup_of(full)).found
    assert backup_of(empty) == backup_of(full)


def test_a_wrong_archive_with_a_right_checksum_is_refused(
    full: "Checkout", empty: "Checkout"
) -> None:
    whole = json.loads(verify(backup_of(full)).data)
    (name,) = whole["archives"]
    whole["archives"] = {name: "AAAA"}
    data, _ = pack(whole, "")
    with Memory.open(str(empty)) as memory:
        with pytest.raises(errors.InvalidError, match="content does not match its name"):
            memory.transfer.restore(data)
        assert memory.statistics.count() == 0


def test_export_and_import_carry_archives_too(full: "Checkout", empty: "Checkout") -> None:
    with Memory.open(str(full)) as memory:
        data = memory.transfer.export().data
    with Memory.open(str(empty)) as memory:
        memory.transfer.import_(data)
        assert len(memory.transfer.archived()) == 2
