"""The JSON archive: every record with its path, every attachment, byte-identical when repeated.

It holds plain data, not files: what a record file says, unknown fields included, and not
how it was laid out. There is no time stamp in it, so the same memory gives the same bytes.
"""

import base64
import binascii
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from gitmem.errors import ConflictError, InvalidError
from gitmem.records import codec
from gitmem.records.convert import encode, from_data
from gitmem.records.kinds import Record
from gitmem.records.layout import ARCHIVE, ATTACHMENTS, FOLDERS, id_in, is_record_path
from gitmem.records.migrations import SCHEMA
from gitmem.store.archives import keep_bytes, unpacked
from gitmem.store.files import ProblemError, Store

FORMAT: Final = 1
_NAME: Final = "gitmem-memory"
_NO_LIMIT: Final = 1 << 40
_ATTACHMENT = re.compile(r"[0-9a-f]{64}(?:\.[a-z0-9]{1,10})?\Z")


class Exported(NamedTuple):
    """The archive's bytes, and the files that are not in it because they can't be read."""

    data: bytes
    records: int
    left_out: list[str]
    content: dict[str, Any] = {}  # noqa: RUF012  never changed


class ImportPlan(NamedTuple):
    """What an import would do: files to create, and how many already exist."""

    files: dict[str, bytes]
    records: int
    present: int
    ids: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()


def export(
    store: Store,
    paths: Iterable[str],
    attachments: Iterable[str],
    archives: Iterable[str] = (),
    shown: Callable[[str, dict[str, Any]], dict[str, Any]] = lambda _, data: data,
) -> Exported:
    """Pack records, attachments and archives.

    Args:
        store: where they are.
        paths: of the records.
        attachments: their names.
        archives: their names; they are packed as they are.
        shown: gives a record's data as it is to be packed, by its path and data.

    """
    records: list[dict[str, Any]] = []
    left_out: list[str] = []
    for path in sorted(paths):
        try:
            data = codec.load(store.read(path))
            from_data(data)
        except (codec.YamlError, InvalidError, ProblemError, FileNotFoundError):
            left_out.append(path)
        else:
            records.append({"path": path, "record": shown(path, data)})
    packed = {}
    for name in sorted(set(attachments)):
        try:
            packed[name] = base64.b64encode(store.read(f"{ATTACHMENTS}/{name}")).decode()
        except (ProblemError, FileNotFoundError):
            left_out.append(f"{ATTACHMENTS}/{name}")
    archive: dict[str, Any] = {
        "archive": _NAME, "format": FORMAT, "records": records, "attachments": packed,
    }  # fmt: skip
    old = {}
    for name in sorted(set(archives)):
        try:
            old[name] = base64.b64encode(Store(store.root, _NO_LIMIT).read(f"{ARCHIVE}/{name}"))
        except (ProblemError, FileNotFoundError):
            left_out.append(f"{ARCHIVE}/{name}")
    if old:
        archive["archives"] = {name: data.decode() for name, data in old.items()}
    text = json.dumps(archive, ensure_ascii=False, indent=1, allow_nan=False)
    return Exported((text + "\n").encode(), len(records), left_out, archive)


def plan(
    store: Store, existing: Mapping[str, str], data: bytes, *, allow_missing: bool = False
) -> ImportPlan:
    """Check a whole archive against the memory; nothing is written.

    Args:
        store: where it is to go.
        existing: path by id of the records that are there.
        data: the archive's bytes.
        allow_missing: also take records whose attachments are nowhere.

    Raises:
        InvalidError: it is damaged, another tool's, a record in it is not valid, or names an
            attachment that is neither in the archive nor in the memory.
        ConflictError: an id or an attachment is there with other content.

    """
    archive = _read(data)
    files: dict[str, bytes] = {}
    present = 0
    ids: set[str] = set()
    named: dict[str, str] = {}
    for number, entry in enumerate(archive["records"], 1):
        record, text, path = _entry(number, entry)
        if record.id in ids:
            raise InvalidError(
                f"record {number}: {record.id} is in this archive twice", "keep one of them"
            )
        ids.add(record.id)
        if record.id in existing:
            if not _same(store, existing[record.id], text):
                there = existing[record.id]
                hint = "compare them; nothing was imported"
                raise ConflictError(f"{record.id} exists here with other content, in {there}", hint)
            present += 1
        else:
            if len(text) > store.max_bytes:
                limit = f"{store.max_bytes // 1024} KiB"
                hint = "raise limits.record_kib, or shorten it where it was exported"
                raise InvalidError(f"record {number} ({record.id}) is larger than {limit}", hint)
            files[path] = text
            named |= dict.fromkeys(getattr(record, "attachments", ()), record.id)
    packed = _attachments(archive)
    for name, content in packed.items():
        if not _is_here(store, name):
            files[f"{ATTACHMENTS}/{name}"] = content
    files |= _archives(store, archive)
    for name, record_id in named.items() if not allow_missing else ():
        if name not in packed and not _is_here(store, name):
            raise InvalidError(
                f"{record_id} names the attachment {name}, neither in the archive nor here",
                "export again where the file is, or leave it out with --allow-missing",
            )
    old = tuple(archive.get("archives", ()))
    return ImportPlan(files, len(ids) - present, present, tuple(ids), old)


def carry_out(store: Store, import_plan: ImportPlan) -> None:
    """Write the planned files; if one can't be written, those before it are taken back."""
    written: list[str] = []
    try:
        if any(path.startswith(f"{ARCHIVE}/") for path in import_plan.files):
            keep_bytes(store)
        for path, data in import_plan.files.items():
            store.create(path, data)
            written.append(path)
    except BaseException:
        for path in written:
            store.take_back(path)
        raise


def _read(data: bytes) -> dict[str, Any]:
    hint = "expected what gitmem backup export wrote; of another tool: gitmem import other FILE"
    if data[:2] in {b"PK", b"\x1f\x8b"}:
        raise InvalidError("this is a compressed file, not a gitmem export", "unpack it first")
    try:
        archive = json.loads(
            data, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
    except InvalidError:
        raise
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        end = "it ends too early" if error.pos >= len(data.rstrip()) - 1 else error.msg.lower()
        raise InvalidError(f"not a readable archive ({where}: {end})", hint) from None
    except RecursionError:
        raise InvalidError("not a readable archive (nested too deeply)", hint) from None
    except UnicodeDecodeError:
        raise InvalidError("not a readable archive (not JSON in UTF-8)", hint) from None
    except ValueError:  # an integer of more than 4,300 digits
        raise InvalidError("not a readable archive (a number in it is too long)", hint) from None
    if not isinstance(archive, dict) or archive.get("archive") != _NAME:
        raise InvalidError("this JSON is not a gitmem export", hint)
    if archive.get("format") != FORMAT:
        version = archive.get("format")
        raise InvalidError(
            f"this archive has format {version}; this gitmem knows {FORMAT}", "use a newer gitmem"
        )
    if not isinstance(archive.get("records"), list):
        raise InvalidError("this archive has no list of records", hint)
    if not isinstance(archive.get("attachments", {}), dict):
        raise InvalidError("in this archive, attachments is not an object", hint)
    return archive


def _entry(number: int, entry: object) -> tuple[Record, bytes, str]:
    if not isinstance(entry, dict) or not isinstance(entry.get("record"), dict):
        raise InvalidError(f"record {number} is not an object with path and record")
    path, data = entry.get("path"), entry["record"]
    try:
        record = from_data(data)
    except InvalidError as error:
        name = data.get("id", "without an id")
        raise InvalidError(
            f"record {number} ({name}): {error.message}", error.hint, error.field
        ) from None
    if not isinstance(path, str) or not is_record_path(path):
        hint = "a path is kind/year/month/name-ID.yaml"
        raise InvalidError(f"record {number} ({record.id}): the path {path!r} is not allowed", hint)
    if id_in(path) != record.id or not path.startswith(f"{FOLDERS[record.kind]}/"):
        raise InvalidError(f"record {number} ({record.id}): the path {path!r} is another record's")
    try:
        # A newer schema is carried over as it is; ours is written canonically.
        text = codec.dump(data) if record.schema != SCHEMA else _canonical(record, data)
        codec.load(text)
    except (codec.YamlError, RecursionError, ValueError) as error:
        what = getattr(error, "message", "") or "it is nested too deeply"
        raise InvalidError(
            f"record {number} ({record.id}) can't be written to a file: {what}"
        ) from None
    return record, text, path


def _canonical(record: Record, data: dict[str, Any]) -> bytes:
    encoded = encode(record)
    return encoded if codec.load(encoded) == data else codec.dump(data)


def _same(store: Store, path: str, text: bytes) -> bool:
    try:
        return codec.load(store.read(path)) == codec.load(text)
    except (codec.YamlError, ProblemError, FileNotFoundError):
        return False


def _is_here(store: Store, name: str) -> bool:
    """Tell whether an attachment is in the memory; raise ConflictError if it is damaged there."""
    path = f"{ATTACHMENTS}/{name}"
    try:
        content = Store(store.root, _NO_LIMIT).read(path)
    except FileNotFoundError:
        return False
    except ProblemError as error:
        raise ConflictError(f"{path} is in the way: {error}", "nothing was imported") from None
    if hashlib.sha256(content).hexdigest() != name.partition(".")[0]:
        message = f"{path} is damaged: its content does not match its name"
        raise ConflictError(message, "restore it from git; nothing was imported")
    return True


def _attachments(archive: dict[str, Any]) -> dict[str, bytes]:
    members = {}
    for name, packed in archive.get("attachments", {}).items():
        if not _ATTACHMENT.match(name) or not isinstance(packed, str):
            raise InvalidError(
                f"the attachment name {name!r} is not allowed", "a name is sha256 and ending"
            )
        try:
            content = base64.b64decode(packed, validate=True)
        except (binascii.Error, ValueError):
            raise InvalidError(f"attachment {name} is not valid base64") from None
        if hashlib.sha256(content).hexdigest() != name.partition(".")[0]:
            raise InvalidError(f"attachment {name} is damaged: its content does not match its name")
        members[name] = content
    return members


def _archives(store: Store, archive: dict[str, Any]) -> dict[str, bytes]:
    """Give the archives of old records that are not here; a name says what the bytes are."""
    packed = archive.get("archives", {})
    if not isinstance(packed, dict):
        raise InvalidError("archives must be an object", "the archive was changed by hand?")
    attached = {}
    for name, text in packed.items():
        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError, TypeError):
            raise InvalidError(f"archive {name} is not valid base64") from None
        unpacked(name, data)
        if not os.path.lexists(os.path.join(store.root, ARCHIVE, name)):
            attached[f"{ARCHIVE}/{name}"] = data
    return attached


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise InvalidError(
            "an object in this archive has the same key twice", "the archive was changed by hand?"
        )
    return mapping


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


def _no_constant(name: str) -> NoReturn:
    raise InvalidError(
        f"{name} in this archive is not a number", "the archive was changed by hand?"
    )
