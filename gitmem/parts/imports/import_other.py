"""``gitmem import other``: records from another tool's memory; each is imported once."""

import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.git.dates import came
from gitmem.parts.imports.import_settings import import_settings
from gitmem.parts.imports.others import forms, sqlite_file
from gitmem.records.layout import kind_of
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.memory import Memory, Workspace
    from gitmem.parts.imports.others.imported import ForeignFile

_LARGEST: Final = 256 << 20
_MOST_NAMED: Final = 5
_ENDINGS: Final = (".json", ".jsonl", ".csv", ".db", ".sqlite", ".sqlite3", ".toml")
_TEXTS: Final = {"note": "body", "error": "message", "pattern": "code"}


def import_other(
    memory: "Memory", file: str, *, form: str = "", dry_run: bool = False
) -> ImportResult:
    """Write records of what a file of another tool holds.

    Args:
        memory: that they go to.
        file: as typed in the folder ``start``, or absolute; it may lie anywhere.
        form: one of ``forms.FORMS``; empty: told by its content.
        dry_run: only tell.

    Raises:
        NotFoundError: there is no such file.
        InvalidError: it can't be read, or is of no known form.

    """
    workspace = memory.workspace
    name = os.path.basename(file)
    full = os.path.realpath(os.path.join(workspace.start, file))
    if name.endswith(".toml") and os.path.isfile(full):
        return _settings(workspace, full, dry_run=dry_run)
    dirs = workspace.site.git_dirs
    root = os.path.realpath(dirs.root) if dirs else ""
    form, foreign = _read(full, form, _committed(workspace, full), root)
    new: list[Imported] = []
    present = 0
    changed: list[str] = []
    refused: Counter[str] = Counter()
    with memory.transfer.import_writer(dry_run=dry_run) as writer:
        writer.know(fields["id"] for thing in foreign.things for _, fields in thing.drafts)
        for thing in foreign.things:
            if kind_of(thing.source) and writer.has(thing.source):
                present += 1
                continue
            here = [draft for draft in thing.drafts if writer.has(draft[1]["id"])]
            changed += [record_id for draft in here[:1] if (record_id := _differs(memory, *draft))]
            drafts = [writer.whole(*draft) for draft in thing.drafts]
            try:
                ids = writer.write(drafts)
            except InvalidError as error:
                refused[f"{thing.source or thing.what}: {error.message}"] += 1
                continue
            if ids:
                new.append(Imported(thing.title, thing.source, thing.what, thing.at, ids))
            else:
                present += 1
    notices = [f"{name}: {form}"]
    notices += [f"left out: {why}" for why in refused]
    if changed := list(dict.fromkeys(changed)):
        shown = ", ".join(changed[:_MOST_NAMED]) + (", …" if len(changed) > _MOST_NAMED else "")
        notices.append(
            f"{len(changed)} changed there since the import and were not updated here: {shown}"
        )
    return writer.result(new, present, +foreign.passed, notices)


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


def _differs(memory: "Memory", kind: str, fields: dict[str, Any]) -> str:
    """Give the id of a record that was imported and says something else there by now."""
    field = _TEXTS.get(kind)
    name = fields["id"]
    if not field or name not in memory.workspace.ask(lambda now: now.catalog.by_id([name])):
        return ""
    here = getattr(memory.show(name).record, field)
    return "" if here.strip() == fields.get(field, "").strip() else fields["id"]
