"""``gitmem import adr`` and ``gitmem import changelog``: files that people wrote, as records."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import NotFoundError, UsageError
from gitmem.exchange import adr, changelog
from gitmem.exchange.identity import id_of
from gitmem.git.dates import came, lines_written, tagged
from gitmem.memory.exchange.importing import Imported, ImportResult, Writing
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.exchange.changelog import ChangelogEntry, Version
    from gitmem.memory.writable import Writable

_LARGEST: Final = 4 << 20
_LARGEST_ADR: Final = 256 << 10
_LONGEST_TAG: Final = 100
_ENDINGS: Final = (".md", ".markdown", ".mdown")
_NAMES: Final = re.compile(
    r"(?:changelog|changes|history|news|releases)(?:\.(?:md|rst|txt))?", re.IGNORECASE
)
_TAG: Final = "imported"
_LONGEST_TITLE: Final = 300
_MOST_NAMED: Final = 5


class _DecisionText(NamedTuple):
    """A decision record that was read: where it stands, what it says, the id that it gets."""

    path: str
    said: adr.Adr
    at: datetime
    id: str


def import_adr(memory: "Writable", folder: str, *, dry_run: bool) -> ImportResult:
    """Write a decision for each decision record in a folder; those that can't be read are told.

    Raises:
        NotFoundError: there is no such folder.

    """
    full = _full(memory, folder)
    if not os.path.isdir(full):
        raise NotFoundError(f"{folder} is not a folder", "name the folder that holds the ADRs")
    notices: list[str] = []
    found: list[_DecisionText] = []
    for name in sorted(os.listdir(full)):
        if not name.lower().endswith(_ENDINGS):
            continue
        path = memory.path(os.path.join(full, name))
        if not is_text(path):
            notices.append(f"{_printable(path)} is left out: its name is not UTF-8")
            continue
        try:
            # A link may lead anywhere, and what is read is written down.
            said = adr.read(_read(_inside(memory, os.path.join(full, name), name), _LARGEST_ADR),
                            name)  # fmt: skip
            at = said.date or _came(memory, path)
        except (adr.NotAnAdrError, UsageError, NotFoundError) as error:
            notices.append(f"{path} is left out: {error}")
            continue
        if at is None:
            notices.append(f"{path} is left out: it bears no date, and is in no commit")
            continue
        found.append(_DecisionText(path, said, at, id_of("decision", "adr", path)))
    older = _replaced(found, notices)
    new: list[Imported] = []
    there: list[tuple[_DecisionText, dict[str, Any]]] = []
    with Writing(memory, dry_run=dry_run) as writing:
        # The oldest first: links lead to what was written before.
        for one in sorted(found, key=lambda one: (one.at, one.path)):
            fields = _decision(one, found, older.get(one.id, ()))
            made = writing.write([("decision", fields)])
            if made:
                new.append(Imported(fields["title"], one.path, "decision", one.at, made))
            else:
                there.append((one, fields))
        for one, fields in there:
            notices += _differs(memory, writing, one, fields)
    if not found and not notices:
        notices.append(f"there are no Markdown files in {folder}")
    return ImportResult(new, len(there), {}, notices + _forgotten(writing))


def _replaced(found: list[_DecisionText], notices: list[str]) -> dict[str, list[str]]:
    """Give the ids of the decisions that each one supersedes, whichever of the two says so."""
    older: dict[str, list[str]] = {}
    for one in found:
        for name in one.said.supersedes:
            if (other := _named(found, name)) and other.id != one.id:
                older.setdefault(one.id, []).append(other.id)
        newer = [_named(found, name) for name in one.said.superseded_by]
        for other in newer:
            if other and other.id != one.id:
                older.setdefault(other.id, []).append(one.id)
        if one.said.superseded and not any(newer):
            named_by = [other for other in found if one.id in older.get(other.id, ())]
            if not named_by:
                notices.append(f"{one.path} says that it is superseded, by none that is here")
    circular = {
        id_ for id_, olds in older.items() if any(id_ in older.get(old, ()) for old in olds)
    }
    notices += [
        f"{one.path}: it and another say that each supersedes the other"
        for one in found
        if one.id in circular
    ]
    return {id_: list(dict.fromkeys(olds)) for id_, olds in older.items() if id_ not in circular}


def _named(found: list[_DecisionText], name: str) -> _DecisionText | None:
    for one in found:
        base = os.path.basename(one.path)
        if name in {base, os.path.splitext(base)[0]}:
            return one
    number = adr.number_of(name)
    if number is None:
        return None
    having = [one for one in found if adr.number_of(os.path.basename(one.path)) == number]
    return having[0] if len(having) == 1 else None


def _decision(
    one: _DecisionText, found: list[_DecisionText], older: "list[str] | tuple[str, ...]"
) -> dict[str, Any]:
    said = dict(one.said.fields)
    if one.said.superseded and not any(_named(found, name) for name in one.said.superseded_by):
        said["status"] = "deprecated"
    related = (_named(found, name) for name in one.said.related)
    relates = list(dict.fromkeys(other.id for other in related if other and other.id != one.id))
    links = {"supersedes": list(older), "relates": relates}
    return {
        **said,
        **_envelope(one.id, said["title"], one.at, one.said.deciders or one.path, "adr"),
        "tags": list(dict.fromkeys([_TAG, "adr", *said.get("tags", ())])),
        "links": {name: ids for name, ids in links.items() if ids},
    }


def _differs(
    memory: "Writable", writing: Writing, one: _DecisionText, fields: Mapping[str, Any]
) -> list[str]:
    """Tell when an imported record says something else by now; it stays as it was written."""
    if not writing.has(one.id):
        return []
    record: Any = memory.show(one.id).record
    changed = [
        name
        for name in ("title", "status", "decision")
        if fields.get(name, "accepted" if name == "status" else "") != getattr(record, name)
    ]
    links = fields["links"].get("supersedes", [])
    changed += ["supersedes"] if set(links) - set(record.links.supersedes) else []
    if not changed:
        return []
    what = ", ".join(changed)
    return [f"{one.path} was changed since it was imported ({what}): edit or supersede {one.id}"]


def import_changelog(memory: "Writable", file: str, *, dry_run: bool) -> ImportResult:
    """Write a note or a decision for what a changelog says.

    Raises:
        NotFoundError: there is no such file, or none of the usual names.

    """
    full = _full(memory, file) if file else _usual(memory)
    path = memory.path(full)
    versions, unreleased = changelog.read(_read(full))
    if not versions:
        raise UsageError(f"{path} names no version", "a version stands in a heading: ## 1.2.0")
    dates = _Dates(memory, path)
    passed: Counter[str] = Counter()
    passed["not released yet"] = unreleased
    notices: list[str] = []
    new: list[Imported] = []
    present = 0
    seen: set[str] = set()
    undated: list[str] = []
    with Writing(memory, dry_run=dry_run) as writing:
        for version in reversed(versions):
            at = version.date or dates.of(version)
            if at is None:
                undated.append(version.name)
                continue
            passed["added, or under another heading"] += version.others
            for entry in version.entries:
                kind, fields = _noted(path, version, entry, at)
                if fields["id"] in seen:
                    passed["said twice"] += 1
                    continue
                seen.add(fields["id"])
                if made := writing.write([(kind, fields)]):
                    new.append(Imported(entry.title, version.name, kind, at, made))
                else:
                    present += 1
    if undated:
        what = ", ".join(undated[:_MOST_NAMED]) + (", …" if len(undated) > _MOST_NAMED else "")
        notices.append(
            f"{path}: {len(undated)} without a date, and git knows no tag or commit of them: {what}"
        )
    return ImportResult(new, present, dict(+passed), notices + _forgotten(writing))


def _noted(
    path: str, version: "Version", entry: "ChangelogEntry", at: datetime
) -> tuple[str, dict[str, Any]]:
    kind = "decision" if entry.decided and entry.group not in {"fixed", "security"} else "note"
    record_id = id_of(kind, "changelog", path, version.name, entry.group, _words(entry.text))
    title = entry.title if kind == "decision" else f"{entry.group} in {version.name}: {entry.title}"
    tags = [_TAG, "changelog", entry.group, f"v{version.name}", *entry.references]
    fields = {
        **_envelope(record_id, title[:_LONGEST_TITLE], at, path, "changelog"),
        "tags": [tag for tag in dict.fromkeys(tags) if len(tag) <= _LONGEST_TAG],
    }
    return kind, fields | ({"decision": entry.text} if kind == "decision" else {"body": entry.text})


def _words(text: str) -> str:
    return " ".join(re.sub(r"\W+", " ", text).lower().split())


class _Dates:
    """When versions came whose headings do not say: by their tags, else by their headings."""

    def __init__(self, memory: "Writable", path: str) -> None:
        self._places = memory.site.git_dirs
        self._path = _from_top(memory, path)
        self._tags: dict[str, datetime] | None = None
        self._lines: dict[int, datetime] = {}

    def of(self, version: "Version") -> datetime | None:
        if self._places is None:
            return None
        if self._tags is None:
            self._tags = tagged(self._places)
            self._lines = lines_written(self._places, self._path)
        names = (version.name, f"v{version.name}", f"release-{version.name}")
        by_tag = next((self._tags[name] for name in names if name in self._tags), None)
        return by_tag or self._lines.get(version.line)


def _envelope(record_id: str, title: str, at: datetime, name: str, what: str) -> dict[str, Any]:
    return {
        "id": record_id,
        "title": title,
        "created": at.isoformat().replace("+00:00", "Z"),
        "author": {"name": name, "via": "tool", "tool": f"gitmem import {what}"},
    }


def _forgotten(writing: Writing) -> list[str]:
    number = writing.forgotten
    return [f"{number} were forgotten before and stay so"] if number else []


def _full(memory: "Writable", typed: str) -> str:
    """Give the absolute path of what was typed; what is no part of the repository is refused.

    Its path becomes a part of the records, and would be one of this machine.
    """
    return _inside(memory, os.path.join(memory.start, typed), typed)


def _inside(memory: "Writable", path: str, named: str) -> str:
    """Give where a path leads; raise UsageError if that is outside of the memory's folder."""
    full, root = os.path.realpath(path), os.path.realpath(memory.site.root)
    if os.path.commonpath([root, full]) != root:
        raise UsageError(f"{named} lies outside of the repository", "copy it into the repository")
    return full


def _usual(memory: "Writable") -> str:
    root = memory.site.root
    for name in sorted(os.listdir(root)):
        if _NAMES.fullmatch(name) and os.path.isfile(os.path.join(root, name)):
            return _inside(memory, os.path.join(root, name), name)
    raise NotFoundError(f"no changelog in {root}", "name the file")


def _printable(path: str) -> str:
    """Give a name that can be printed, whatever its bytes are."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _read(full: str, most: int = _LARGEST) -> str:
    try:
        # A pipe would be waited for.
        if os.path.exists(full) and not os.path.isfile(full):
            raise UsageError(f"{os.path.basename(full)} is not a file")
        with open(full, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise NotFoundError(f"can't read {full}: {(error.strerror or '').lower()}") from None
    if len(data) > most:
        raise UsageError(f"{os.path.basename(full)} is larger than {most >> 10} KiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UsageError(f"{os.path.basename(full)} is not UTF-8", "save it as UTF-8") from None


def _came(memory: "Writable", path: str) -> datetime | None:
    return came(memory.site.git_dirs, _from_top(memory, path)) if memory.site.git_dirs else None


def _from_top(memory: "Writable", path: str) -> str:
    places = memory.site.git_dirs
    root = os.path.realpath(memory.site.root)
    return os.path.relpath(os.path.join(root, path), places.root) if places else path
