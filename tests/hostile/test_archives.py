"""Archives that a clone brings: none makes a command work or hold more than its bytes deserve.

Another archive is one line in ``HOSTILE``.
"""

import gzip
import io
import tarfile
import tracemalloc
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import InvalidError
from gitmem.store.archives import name_of, packed, unpacked
from tests.depth import amount, sampled
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]

LARGE = amount(share=80_000_000, ci=250_000_000, whole=250_000_000)
PATH = "notes/2020/01/old-note-00000000aa.yaml"
RECORD = b"""\
schema: 1
id: note-00000000aa
kind: note
title: an old thing
created: 2020-01-01T00:00:00Z
author: {name: Ann}
body: it was blue
"""


def member(name: str = PATH, data: bytes = RECORD, **changes: object) -> bytes:
    """Pack one member whose header says something else."""
    tape = io.BytesIO()
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in changes.items():
        setattr(info, field, value)
    with tarfile.open(fileobj=tape, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(info, io.BytesIO(data))
    return gzip.compress(tape.getvalue(), 9, mtime=0)


def sparse(size: str) -> bytes:
    return member(pax_headers={"GNU.sparse.major": "1", "GNU.sparse.minor": "0",
                               "GNU.sparse.name": PATH, "GNU.sparse.realsize": size},
                  data=b"1\n0\n" + size.encode() + b"\n" + RECORD)  # fmt: skip


def old_sparse(size: int) -> bytes:
    """Pack a member with the header of old GNU tar: a map of one piece at the end of so much."""
    tape = bytearray(gzip.decompress(member()))
    tape[156:157] = b"S"
    tape[257:265] = b"ustar  \0"
    tape[386:410] = b"%011o\0" % size + b"%011o\0" % 0
    tape[483:495] = b"%011o\0" % size
    tape[148:156] = b" " * 8
    tape[148:156] = b"%06o\0 " % sum(tape[:512])
    return gzip.compress(bytes(tape), 9, mtime=0)


def headers(kind: bytes, content: bytes, times: int = 1) -> bytes:
    """Pack a member behind headers of a kind, each of which says so much."""
    tape = io.BytesIO()
    info = tarfile.TarInfo("header")
    info.type, info.size = kind, len(content)
    with tarfile.open(fileobj=tape, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for _ in range(times):
            tar.addfile(info, io.BytesIO(content))
    before = tape.getvalue()[: times * (512 + -(-len(content) // 512) * 512)]
    return gzip.compress(before + gzip.decompress(member()), 9, mtime=0)


def with_size(field: bytes) -> bytes:
    """Pack a member whose header has another size."""
    tape = bytearray(gzip.decompress(member()))
    tape[124:136] = field
    tape[148:156] = b" " * 8
    tape[148:156] = b"%06o\0 " % sum(tape[:512])
    return gzip.compress(bytes(tape), 9, mtime=0)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "one large member": lambda: packed({PATH: b"# " + b"x" * LARGE}),
    "sparse": lambda: sparse("8589934592"),
    "link": lambda: member(type=tarfile.SYMTYPE, linkname="/etc/passwd", size=0, data=b""),
    "a path that climbs": lambda: member(f"../{PATH}"),
    "many members": lambda: packed({
        f"notes/2020/01/n-note-{number:010d}.yaml": b"#" * 60_000 for number in range(4_000)
    }),
    "zeros behind its end": lambda: gzip.compress(
        gzip.decompress(packed({PATH: RECORD})) + bytes(250_000_000), 9, mtime=0
    ),
    "sparse with a map that never ends": lambda: member(
        pax_headers={"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": PATH,
                     "GNU.sparse.realsize": "9"}, data=b"99999999999\n0\n"),
    "old sparse": lambda: old_sparse(0o7777777777),
    "a size that is not there": lambda: member()[:-40],
    "hard link": lambda: member(type=tarfile.LNKTYPE, linkname="/etc/passwd", size=0, data=b""),
    "device": lambda: member(type=tarfile.CHRTYPE, size=0, data=b""),
    "pipe": lambda: member(type=tarfile.FIFOTYPE, size=0, data=b""),
    "an absolute path": lambda: member(f"/{PATH}"),
    "a size below zero": lambda: with_size((2**96 - 512).to_bytes(12, "big")),
    "a size in other digits": lambda: with_size(b"\x80" + (1 << 40).to_bytes(11, "big")),
    "headers upon headers": lambda: headers(tarfile.XHDTYPE, b"9 path=a\n", 3000),
    "a header for all": lambda: headers(tarfile.XGLTYPE, b"9 path=a\n"),
    "a header of digits": lambda: headers(tarfile.XHDTYPE, b"1" * 900_000),
    "a header that is too short": lambda: headers(tarfile.XHDTYPE, b"3000 path=a\n"),
    "a name without end": lambda: headers(tarfile.GNUTYPE_LONGNAME, b"a/" * 400_000),
    "a link's name without end": lambda: headers(tarfile.GNUTYPE_LONGLINK, b"a/" * 400_000),
    "a second archive inside": lambda: gzip.compress(packed({PATH: RECORD}), 9, mtime=0),
    "two, one behind the other": lambda: packed({PATH: RECORD}) + gzip.compress(bytes(250_000_000)),
    "no tar": lambda: gzip.compress(b"hello" * 1000, 9, mtime=0),
    "no gzip": lambda: b"hello",
}  # fmt: skip


@sampled(4)
@pytest.mark.parametrize("what", HOSTILE)
def test_it_is_refused_before_it_costs_anything(repo: "Checkout", what: str) -> None:
    data = HOSTILE[what]()
    assert len(data) < 600_000
    name = name_of(2020, data)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidError) as refused:
            unpacked(name, data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert refused.value.hint
    assert most < 4_000_000 + 250 * len(data), most
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "a young thing", "--body", "it is blue")
    folder = repo / ".memory/archive"
    folder.mkdir()
    (folder / name).write_bytes(data)
    found = run(repo, "search", "blue")
    assert found.code == 0, found
    assert "a young thing" in found.out
    checked = run(repo, "check")
    assert checked.code == 1, checked
    assert name in checked.out
    assert "Traceback" not in checked.out + checked.err


def test_one_of_real_records_is_read() -> None:
    records = {
        f"notes/2020/01/old-note-{number:010d}.yaml": RECORD.replace(
            b"00000000aa", b"%010d" % number
        )
        for number in range(1000)
    }
    data = packed(records)
    assert unpacked(name_of(2020, data), data) == records
