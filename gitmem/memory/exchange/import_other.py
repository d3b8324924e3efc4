"""``gitmem import other``: records from another tool's memory; each is imported once."""

import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.exchange.others import forms, sqlite_file
from gitmem.git.dates import came
from gitmem.memory.exchange.import_settings import import_settings
from gitmem.memory.exchange.import_writer import ImportWriter
from gitmem.memory.failures.watched_in_full import shown_by_itself
from gitmem.records.ids import kind_of
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.exchange.others.imported import ForeignFile
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_LARGEST: Final = 256 << 20
_MOST_NAMED: Final = 5
_ENDINGS: Final = (".json", ".jsonl", ".csv", ".db", ".sqlite", ".sqlite3", ".toml")
_TEXTS: Final = {"note": "body", "error": "message", "pattern": "code"}


def import_other(records: "RecordAccess", file: str, *, form: str, dry_run: bool) -> ImportResult:
    """Write records of what a file of another tool holds.

    Args:
        records: of the memory that they go to.
        file: as typed in the folder ``start``, or absolute; it may lie anywhere.
        form: one of ``forms.FORMS``; empty: told by its content.
        dry_run: only tell.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it can't be read, or is of no known form.

    """
    name = os.path.basename(file)
    full = os.path.realpath(os.path.join(records.workspace.start, file))
    if name.endswith(".toml") and os.path.isfile(full):
        return _settings(records.workspace, full, dry_run=dry_run)
    dirs = records.workspace.site.git_dirs
    root = os.path.realpath(dirs.root) if dirs else ""
    form, foreign = _read(full, form, _committed(records.workspace, full), root)
    new: list[Imported] = []
    present = 0
    changed: list[str] = []
    refused: Counter[str] = Counter()
    with ImportWriter(records.writer, dry_run=dry_run) as writer:
        writer.know(fields["id"] for thing in foreign.things for _, fields in thing.drafts)
        for thing in foreign.things:
            if kind_of(thing.source) and writer.has(thing.source):
                present += 1
                continue
            here = [draft for draft in thing.drafts if writer.has(draft[1]["id"])]
            changed += [record_id for draft in here[:1] if (record_id := _differs(records, *draft))]
            drafts = [_whole(records.workspace, *draft) for draft in thing.drafts]
            try:
                ids = writer.write(drafts)
            except InvalidError as error:
                refused[f"{thing.source or thing.what}: {error.message}"] += 1
                continue
            if ids:
                new.append(Imported(thing.title, thing.source, thing.what, thing.at, ids))
            else:
                present += 1
        forgotten = writer.forgotten
    notices = [f"{name}: {form}"]
    notices += [f"left out: {why}" for why in refused]
    if changed := list(dict.fromkeys(changed)):
        shown = ", ".join(changed[:_MOST_NAMED]) + (", …" if len(changed) > _MOST_NAMED else "")
        notices.append(
            f"{len(changed)} changed there since the import and were not updated here: {shown}"
        )
    if forgotten:
        notices.append(f"{forgotten} were deleted here before and stay deleted")
    return ImportResult(new, present, dict(+foreign.passed), notices)


def _whole(workspace: "Workspace", kind: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Add to an error what its output shows, such as its frames: by these it is recognised."""
    if kind != "error" or not fields.get("excerpt"):
        return kind, fields
    whole = shown_by_itself(workspace, fields["excerpt"], fields.get("error_type", ""))
    return kind, {**(whole or {}), **fields}


def _settings(workspace: "Workspace", full: str, *, dry_run: bool) -> ImportResult:
    with open(full, "rb") as file:
        data = file.read(_LARGEST)
    return import_settings(workspace, os.path.basename(full), data, dry_run=dry_run)


def _committed(workspace: "Workspace", full: str) -> datetime | None:
    """Give the time of the commit that added a file, which is the same in every clone."""
    dirs = workspace.site.git_dirs
    root = os.path.realpath(dirs.root) if dirs else ""
    if dirs is None or os.path.commonpath([root, full]) != root:
        return None
    return came(dirs, relative_path(full, root))


def _read(full: str, form: str, at: datetime | None, root: str) -> "tuple[str, ForeignFile]":
    if form and form not in forms.FORMS:
        raise UsageError(f"there is no format {form}", f"one of {', '.join(forms.FORMS)}")
    try:
        if os.path.isdir(full):
            raise UsageError(f"{os.path.basename(full)} is a folder", _files_hint(full))
        # A pipe would be waited for.
        if os.path.exists(full) and not os.path.isfile(full):
            raise UsageError(
                f"{os.path.basename(full)} is not a file", "name the file that the other tool wrote"
            )
        with open(full, "rb") as file:
            start = file.read(len(forms.SQLITE))
            written = at or datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
            if start == forms.SQLITE:
                kind = form if form in sqlite_file.FORMS else ""
                return sqlite_file.read(full, written, kind, root)
            data = start + file.read(_LARGEST + 1 - len(start))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NotFoundError(f"can't read {full}: {reason}", "name a file that is there") from None
    if len(data) > _LARGEST:
        raise UsageError(
            f"{os.path.basename(full)} is larger than {_LARGEST >> 20} MiB", "split it"
        )
    return forms.read(data, written, form, root, os.path.dirname(full))


def _files_hint(folder: str) -> str:
    """Name the files of a folder that another tool may have written."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(_ENDINGS))
    if not names:
        return f"name a file: none in it ends with {', '.join(_ENDINGS)}"
    more = f", or one of {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"name one of its files: {', '.join(names[:_MOST_NAMED])}{more}"


def _differs(records: "RecordAccess", kind: str, fields: dict[str, Any]) -> str:
    """Give the id of a record that was imported and says something else there by now."""
    field = _TEXTS.get(kind)
    name = fields["id"]
    if not field or name not in records.workspace.ask(lambda now: now.catalog.by_id([name])):
        return ""
    here = getattr(records.reader.show(name).record, field)
    return "" if here.strip() == fields.get(field, "").strip() else fields["id"]
