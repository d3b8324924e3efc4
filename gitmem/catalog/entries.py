"""The columns that the catalog stores for a record."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.catalog.efforts import efforts, traits
from gitmem.diffs import read_files

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

_GIST_LENGTH = 160


class CatalogEntry(NamedTuple):
    """What is written into the catalog for one record."""

    columns: tuple[Any, ...]
    links: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    paths: tuple[tuple[str, str], ...]
    attachments: tuple[str, ...]
    prints: tuple[tuple[str, str], ...]
    efforts: tuple[tuple[Any, ...], ...]
    traits: tuple[tuple[str, str], ...]


def created_text(record: "Record") -> str:
    """Format a record's time so that text order is time order (UTC, milliseconds)."""
    return record.created.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry(record: "Record", prints: tuple[tuple[str, str], ...] = ()) -> CatalogEntry:
    """Take out of a record what the catalog keeps; ``prints`` are (level, fingerprint)."""
    columns = (
        record.id, record.kind, record.title, created_text(record),
        record.author.name, record.author.email, record.author.via, record.author.tool,
        record.session,
        _stated(record), _text(record, "error_type") or _text(record, "code"),
        _text(record, "category"), _text(record, "subject"), _gist(record),
    )  # fmt: skip
    links = {(name, to) for name in record.links.RELATIONS for to in getattr(record.links, name)}
    if reuses := getattr(record, "reuses", None):
        links.add(("reuses", reuses))
    return CatalogEntry(
        columns,
        tuple(sorted(links)),
        record.tags,
        tuple(sorted(set(_paths(record)))),
        tuple(dict.fromkeys(getattr(record, "attachments", ()))),
        prints,
        tuple(efforts(record)),
        tuple(sorted(set(traits(record)))),
    )


def _text(record: "Record", field: str) -> str:
    return str(getattr(record, field, ""))


def _stated(record: "Record") -> str:
    if record.kind == "session":
        return {True: "succeeded", False: "failed", None: "ended"}[getattr(record, "success", None)]
    return _text(record, "outcome") or _text(record, "status")


def _gist(record: "Record") -> str:
    for field in ("approach", "symptom", "message", "decision", "summary", "when_to_use", "body"):
        text = getattr(record, field, "") or ""
        # Wrapped text is joined: its first line alone would stop in mid-sentence.
        line = " ".join(text[: 4 * _GIST_LENGTH].split())
        if line and line[:_GIST_LENGTH] not in record.title:
            return _up_to_a_word(line)
    return ""


def _up_to_a_word(line: str) -> str:
    """Cut a line that is too long, behind a word where there is one in its second half."""
    if len(line) <= _GIST_LENGTH:
        return line
    cut = line[: _GIST_LENGTH - 1]
    words = cut.rpartition(" ")[0]
    return (words if len(words) > _GIST_LENGTH // 2 else cut) + "…"


def _paths(record: "Record") -> Iterator[tuple[str, str]]:
    for anchor in record.anchors:
        yield "anchor", anchor.path
    location = getattr(record, "location", None)
    if location:
        yield "location", location.file
    for frame in getattr(record, "frames", ()):
        yield "frame" if frame.in_app is not False else "library", frame.file
    for change in getattr(record, "changes", ()):
        yield "change", change.path
    for glob in getattr(record, "governs", ()):
        yield "governs", glob
    for file in read_files(getattr(record, "patch", "")):
        yield from (("patch", path) for path in (file.old, file.new) if path)
    if branch := getattr(record, "branch", ""):
        yield "branch", branch
