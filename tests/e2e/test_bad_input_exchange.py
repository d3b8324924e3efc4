"""Archives that can't be taken in: case 14."""

import base64
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.depth import sampled
from tests.e2e.running import (
    CONFLICT,
    INVALID,
    USAGE,
    complains,
    content,
    in_process,
    ok,
    run,
    untouched,
)
from tests.e2e.samples import BAD, ERROR, NOTE, WHOLE, lay, plant

if TYPE_CHECKING:
    from tests.conftest import Checkout

Archive = dict[str, Any]


@pytest.fixture
def empty(make_repo: Callable[..., "Checkout"]) -> "Checkout":
    """Give a second repository with an empty memory."""
    made = make_repo("empty")
    in_process(made, "init")
    return made


FROM_ZERO = ("sh", "-c", 'exec "$@" </dev/zero', "sh")
PICTURE = b"\x89PNG not really" * 100
NAME = hashlib.sha256(PICTURE).hexdigest() + ".png"


def exported(repo: "Checkout") -> Archive:
    """Export a memory that also holds an error with an attachment."""
    picture = repo.parent / "shot.png"
    picture.write_bytes(PICTURE)
    ok(repo, "add", "error", "--message", "it looks wrong", "--attach", str(picture))
    archive: Archive = json.loads(ok(repo, "backup", "export"))
    return archive


def refused(repo: "Checkout", data: Archive | bytes | str, code: int, *words: str) -> None:
    text = json.dumps(data).encode() if isinstance(data, dict) else data
    text = text.encode() if isinstance(text, str) else text
    with untouched(repo):
        for flags in (("--dry-run",), ()):
            result = in_process(repo, "import", "-", *flags, stdin=text)
            complains(result, code, *words)
            assert max(map(len, result.err.splitlines())) < 400


def test_14_an_archive_cut_at_many_points(memory: "Checkout", empty: "Checkout") -> None:
    text = json.dumps(exported(memory), indent=1).encode()
    for at in (1, 2, 17, 40, *range(100, len(text) - 1, len(text) // 40), len(text) - 1):
        refused(empty, text[:at], INVALID, "line")


@sampled(8)
@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"{}", "not a gitmem export"),
        (b"[]", "not a gitmem export"),
        (b"3", "not a gitmem export"),
        (b"null", "not a gitmem export"),
        (b'{"name": "package", "version": "1.0.0"}', "not a gitmem export"),
        (b"archive: gitmem-memory\n", "not a readable archive"),
        (b"<html></html>", "not a readable archive"),
        (b'{"archive": "\xff"}', "UTF-8"),
        (b'{"archive": "gitmem-memory", "format": 9, "records": []}', "format 9"),
        (b'{"archive": "gitmem-memory", "format": 1, "records": {}}', "no list"),
        (b'{"archive": "gitmem-memory", "format": 1, "records": [3]}', "record 1"),
        (
            b'{"archive": "gitmem-memory", "format": 1, "records": [], "attachments": [1]}',
            "attachments",
        ),
        (
            b'{"archive": "gitmem-memory", "format": 1, "records": [], "attachments": null}',
            "attach",
        ),
        (b'{"archive": "gitmem-memory", "archive": "x", "format": 1, "records": []}', "twice"),
        (b'{"archive": "gitmem-memory", "format": 1, "records": [NaN]}', "NaN"),
        (b'{"archive": "gitmem-memory", "format": 1, "records": [1e999]}', "1e999"),
        (b'{"archive": "gitmem-memory", "format": ' + b"9" * 5000 + b"}", "too long"),
        (b"[" * 200_000, "nested"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested"),
    ],
    ids=range(19),
)
def test_14_what_is_no_archive_of_ours(empty: "Checkout", data: bytes, word: str) -> None:
    refused(empty, data, INVALID, word)


def test_14_compressed_files_are_not_unpacked(empty: "Checkout") -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("memory.json", b"0" * 50_000_000)
    refused(empty, bomb.getvalue(), INVALID, "compressed")
    refused(empty, gzip.compress(b"0" * 50_000_000), INVALID, "compressed")


def test_14_the_same_file_twice_adds_nothing(memory: "Checkout", empty: "Checkout") -> None:
    data = json.dumps(exported(memory))
    assert "5 records imported" in run(empty, "import", "-", stdin=data).err
    with untouched(empty):
        again = run(empty, "import", "-", stdin=data)
        assert again.code == 0, again
        assert "0 records imported, 5 were here already" in again.err
    assert ok(empty, "backup", "export") == ok(memory, "backup", "export")


def test_14_an_id_that_is_there_with_other_content(memory: "Checkout", empty: "Checkout") -> None:
    archive = exported(memory)
    lay(empty, f"notes/2026/01/{NOTE}.yaml", WHOLE.replace(BAD, NOTE))
    refused(empty, archive, CONFLICT, NOTE, "other content", "nothing was imported")


def test_14_an_id_that_is_there_in_a_file_that_can_not_be_read(
    memory: "Checkout", empty: "Checkout"
) -> None:
    archive = exported(memory)
    lay(empty, f"notes/2026/01/{NOTE}.yaml", "<<<<<<< broken")
    with untouched(empty):
        result = in_process(empty, "import", "-", stdin=json.dumps(archive).encode())
        complains(result, CONFLICT, f"notes/2026/01/{NOTE}.yaml")


def entry(archive: Archive, record_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        one for one in archive["records"] if one["record"]["id"] == record_id
    )
    return found


PATHS = (
    "../../../escaped.yaml",
    "notes/../../../x-{id}.yaml",
    "/tmp/x-{id}.yaml",
    "notes/2026/01/x.yaml",
    "errors/2026/01/{id}.yaml",
    "notes/2026/01/note-0000000002.yaml",
    "notes/2026/{id}.yaml",
    "notes\\2026\\01\\{id}.yaml",
    "notes/2026/01/../{id}.yaml",
    "notes/2026/01/a\x00-{id}.yaml",
    "gitmem.yaml",
    ".git/hooks/{id}.yaml",
    "",
    "notes/2026/01/{id}.yaml\n",
    "C:/notes/{id}.yaml",
)


@sampled(8)
@pytest.mark.parametrize("path", PATHS)
def test_14_paths_that_climb_out_or_lie(memory: "Checkout", empty: "Checkout", path: str) -> None:
    archive: Archive = json.loads(in_process(memory, "backup", "export").out)
    entry(archive, NOTE)["path"] = path.replace("{id}", NOTE)
    around = content(empty.parent)
    refused(empty, archive, INVALID, NOTE, "path")
    assert content(empty.parent) == around


def test_14_a_path_through_a_link_in_the_memory_is_not_followed(
    memory: "Checkout", empty: "Checkout"
) -> None:
    outside = empty.parent / "outside"
    outside.mkdir()
    (empty / ".memory" / "notes").symlink_to(outside)
    archive = in_process(memory, "backup", "export").out.encode()
    result = in_process(empty, "import", "-", stdin=archive)
    assert result.code != 0, result
    complains(result, result.code, "notes")
    assert list(outside.iterdir()) == []
    assert content(empty / ".memory" / "errors") == {}


@sampled(1)
@pytest.mark.parametrize("where", ["archive", "store"])
def test_14_attachments_that_are_missing(memory: "Checkout", empty: "Checkout", where: str) -> None:
    archive = exported(memory)
    if where == "archive":
        archive["attachments"] = {}
    else:
        del archive["attachments"]
    refused(empty, archive, INVALID, NAME, "--allow-missing")
    lay(empty, f"attachments/{NAME}", PICTURE)
    assert in_process(empty, "import", "-", stdin=json.dumps(archive).encode()).code == 0
    assert run(empty, "check").code == 0


def test_14_attachments_that_are_missing_can_be_allowed(
    memory: "Checkout", empty: "Checkout"
) -> None:
    archive = exported(memory) | {"attachments": {}}
    taken = run(empty, "import", "-", "--allow-missing", stdin=json.dumps(archive))
    assert taken.code == 0, taken
    checked = run(empty, "check")
    assert checked.code == 1
    assert f"attachment {NAME} is missing" in checked.out


@sampled(3)
@pytest.mark.parametrize(
    ("name", "packed", "word"),
    [
        (NAME, base64.b64encode(b"other").decode(), "does not match its name"),
        (NAME, "no base64!", "base64"),
        (NAME, 7, "not allowed"),
        ("../" + NAME, base64.b64encode(PICTURE).decode(), "not allowed"),
        (NAME.replace(".png", "./../../x"), base64.b64encode(PICTURE).decode(), "not allowed"),
        ("short.png", base64.b64encode(PICTURE).decode(), "not allowed"),
        (NAME.upper(), base64.b64encode(PICTURE).decode(), "not allowed"),
    ],
)
def test_14_attachments_that_are_not_what_they_say(
    memory: "Checkout", empty: "Checkout", name: str, packed: object, word: str
) -> None:
    archive = exported(memory)
    archive["attachments"] = {name: packed}
    refused(empty, archive, INVALID, word)


def test_14_a_damaged_attachment_here_is_not_overwritten(
    memory: "Checkout", empty: "Checkout"
) -> None:
    archive = exported(memory)
    lay(empty, f"attachments/{NAME}", b"damaged")
    refused(empty, archive, CONFLICT, NAME)


def test_14_a_large_attachment_that_is_here_already_is_recognised(
    memory: "Checkout", empty: "Checkout"
) -> None:
    log = memory.parent / "large.log"
    log.write_text("".join(f"row {number}\n" for number in range(180_000)))
    ok(memory, "add", "error", "--message", "big", "--attach", str(log))
    data = ok(memory, "backup", "export")
    ok(empty, "import", "-", stdin=data)
    ok(empty, "forget", "--yes", "err-0000000001")
    assert run(empty, "import", "-", stdin=data).code == 0
    assert ok(empty, "backup", "export") == data


def test_14_a_linked_attachment_is_not_exported(memory: "Checkout") -> None:
    exported(memory)
    secret = memory.parent / "secret"
    secret.write_text("outside")
    place = memory / ".memory" / "attachments" / NAME
    place.unlink()
    place.symlink_to(secret)
    done = run(memory, "backup", "export")
    assert done.code == 1
    assert base64.b64encode(b"outside").decode() not in done.out
    assert NAME in done.err


@sampled(5)
@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"title": ""}, "title"),
        ({"type": "gossip"}, "gotcha"),
        ({"id": "note-short"}, "id"),
        ({"kind": "remark"}, "kind"),
        ({"created": "yesterday"}, "created"),
        ({"author": None}, "author"),
        ({"x": [[[[[]]]]]}, None),
        ({"x": json.loads("[" * 60 + "]" * 60)}, "nested"),
        ({"x": json.loads("[" * 900 + "]" * 900)}, "nested"),
        ({"body": "y" * 2_000_000}, "larger"),
        ({"body": "half \ud800"}, "body"),
        ({"x": "half \ud800"}, ""),
    ],
    ids=range(12),
)
def test_14_a_record_that_is_none_is_named(
    memory: "Checkout", empty: "Checkout", change: dict[str, Any], word: str | None
) -> None:
    archive: Archive = json.loads(in_process(memory, "backup", "export").out)
    entry(archive, NOTE)["record"].update(change)
    if word is None:
        assert in_process(empty, "import", "-", stdin=json.dumps(archive).encode()).code == 0
    else:
        refused(empty, archive, INVALID, word, "record 4" if change.get("id") is None else "note")


def test_14_one_id_twice_in_an_archive(memory: "Checkout", empty: "Checkout") -> None:
    archive: Archive = json.loads(in_process(memory, "backup", "export").out)
    archive["records"].append(entry(archive, ERROR))
    refused(empty, archive, INVALID, ERROR, "twice")


def test_14_a_hundred_thousand_small_records_of_one_kind_of_fault_end_soon(
    empty: "Checkout",
) -> None:
    archive = {"archive": "gitmem-memory", "format": 1, "records": [{}] * 100_000}
    refused(empty, archive, INVALID, "record 1 ")


def test_14_a_planted_memory_is_what_the_tests_think(empty: "Checkout") -> None:
    plant(empty)
    assert run(empty, "check").code == 0


def test_more_than_an_archive_can_be_is_refused_before_it_fills_the_memory(
    empty: "Checkout",
) -> None:
    small = ("prlimit", f"--as={768 << 20}")
    with untouched(empty):
        endless = run(empty, "import", "-", stdin=None, wrap=(*small, *FROM_ZERO))
        complains(endless, USAGE, "more than 64 MiB on standard input", "save it as a file")
        with (empty.parent / "huge.json").open("wb") as huge:
            huge.truncate((1 << 30) + 1)
        complains(run(empty, "import", "../huge.json", wrap=small), USAGE, "larger than 1 GiB")
