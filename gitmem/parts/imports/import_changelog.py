"""``gitmem import changelog``: what a changelog says, as notes and decisions."""

import os
import re
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.errors import NotFoundError, UsageError
from gitmem.exchange.identity import id_of
from gitmem.git.dates import lines_written, tagged
from gitmem.parts.imports import changelog
from gitmem.parts.imports.written_texts import (
    IMPORTED,
    envelope,
    inside,
    path_in_repository,
    path_typed,
    read_text,
)

if TYPE_CHECKING:
    from gitmem.memory import Memory, Workspace
    from gitmem.parts.imports.changelog import ChangelogEntry, Version

_LARGEST: Final = 4 << 20
_LONGEST_TAG: Final = 100
_NAMES: Final = re.compile(
    r"(?:changelog|changes|history|news|releases)(?:\.(?:md|rst|txt))?", re.IGNORECASE
)
_LONGEST_TITLE: Final = 300
_MOST_NAMED: Final = 5


def import_changelog(memory: "Memory", file: str = "", *, dry_run: bool = False) -> ImportResult:
    """Write a note, or a decision, for what a changelog says was fixed, changed or removed.

    Args:
        memory: that they go to.
        file: as typed in the folder ``start``, or absolute; empty: the usual names.
        dry_run: only tell.

    Raises:
        NotFoundError: there is no such file, or none of the usual names.

    """
    workspace = memory.workspace
    full = path_typed(workspace, file) if file else _usual(workspace)
    path = workspace.path(full)
    versions, unreleased = changelog.read(read_text(full, _LARGEST))
    if not versions:
        raise UsageError(f"{path} names no version", "write each version as a heading: ## 1.2.0")
    dates = _VersionDates(workspace, path)
    passed: Counter[str] = Counter()
    passed["not released yet"] = unreleased
    notices: list[str] = []
    new: list[Imported] = []
    present = 0
    ids_so_far: set[str] = set()
    undated: list[str] = []
    with memory.transfer.import_writer(dry_run=dry_run) as writer:
        for version in reversed(versions):
            at = version.date or dates.of(version)
            if at is None:
                undated.append(version.name)
                continue
            passed["added, or under another heading"] += version.others
            for entry in version.entries:
                kind, fields = _record(path, version, entry, at)
                if fields["id"] in ids_so_far:
                    passed["listed twice"] += 1
                    continue
                ids_so_far.add(fields["id"])
                if ids := writer.write([(kind, fields)]):
                    new.append(Imported(entry.title, version.name, kind, at, ids))
                else:
                    present += 1
    if undated:
        what = ", ".join(undated[:_MOST_NAMED]) + (", …" if len(undated) > _MOST_NAMED else "")
        notices.append(
            f"{path}: {len(undated)} without a date, and git knows no tag or commit of them: {what}"
        )
    return writer.result(new, present, +passed, notices)


def _record(
    path: str, version: "Version", entry: "ChangelogEntry", at: datetime
) -> tuple[str, dict[str, Any]]:
    kind = "decision" if entry.decided and entry.group not in {"fixed", "security"} else "note"
    record_id = id_of(kind, "changelog", path, version.name, entry.group, _words(entry.text))
    title = entry.title if kind == "decision" else f"{entry.group} in {version.name}: {entry.title}"
    tags = [IMPORTED, "changelog", entry.group, f"v{version.name}", *entry.references]
    fields = {
        **envelope(record_id, title[:_LONGEST_TITLE], at, path, "changelog"),
        "tags": [tag for tag in dict.fromkeys(tags) if len(tag) <= _LONGEST_TAG],
    }
    return kind, fields | ({"decision": entry.text} if kind == "decision" else {"body": entry.text})


def _words(text: str) -> str:
    return " ".join(re.sub(r"\W+", " ", text).lower().split())


class _VersionDates:
    """When versions came whose headings do not say: by their tags, else by their headings."""

    def __init__(self, workspace: "Workspace", path: str) -> None:
        self._dirs = workspace.site.git_dirs
        self._path = path_in_repository(workspace, path)
        self._tags: dict[str, datetime] | None = None
        self._lines: dict[int, datetime] = {}

    def of(self, version: "Version") -> datetime | None:
        if self._dirs is None:
            return None
        if self._tags is None:
            self._tags = tagged(self._dirs)
            self._lines = lines_written(self._dirs, self._path)
        names = (version.name, f"v{version.name}", f"release-{version.name}")
        by_tag = next((self._tags[name] for name in names if name in self._tags), None)
        return by_tag or self._lines.get(version.line)


def _usual(workspace: "Workspace") -> str:
    root = workspace.site.root
    for name in sorted(os.listdir(root)):
        if _NAMES.fullmatch(name) and os.path.isfile(os.path.join(root, name)):
            return inside(workspace, os.path.join(root, name), name)
    raise NotFoundError(f"no changelog in {root}", "name the file")
