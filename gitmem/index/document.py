"""What of a record is searched: its texts, sorted into fields of different weight.

Everything that someone may look for goes in, unknown fields too. What filters are for
(statuses, outcomes, dates) and what nobody types (hashes, counts, durations) stays out.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.index.analysis import plain

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

VERSION: Final = 2
"""Raise it when other texts are searched: an index of another version is rebuilt."""

_NAMES: Final = frozenset({
    "id", "author", "tags", "session", "anchors", "links", "error_type", "category", "subject",
    "tool", "language", "location", "frames", "test", "fixer", "reuses", "applies_to",
    "governs", "branch", "tools_used", "path", "name", "symbol", "file", "function",
    "failing_function", "renamed_from", "related_files", "models", "dependencies",
    "dependencies_resolved", "attachments", "type",
})  # fmt: skip
_PROSE: Final = frozenset({
    "code", "quote", "message", "input", "expected", "actual", "reason", "diff", "text",
    "summary", "extra",
})  # fmt: skip
_UNSEARCHED: Final = frozenset({
    "schema", "created", "started", "ended", "at", "status", "outcome", "result", "action",
    "via", "complexity", "effort", "content_hash", "stated_confidence", "confidence", "role",
})  # fmt: skip
_NUMBERS: Final = frozenset({"exit_code"})
# Between texts, so that no phrase reaches from one into the next.
_BREAK: Final = "\n\0\n"


Impacts = dict[str, int]
"""A document's terms, weighed: what the index keeps of it (see ``scoring.impacts``)."""


class Place(NamedTuple):
    """A line of a file, by the file's name in lower case."""

    file: str
    line: int


class Document(NamedTuple):
    """The searched texts of one record; each field is a string of any length.

    Attributes:
        title: the title.
        names: files, functions, symbols, types, tags, ids, authors.
        body: everything else.
        head: the start of what it says, without paths: text that ``body`` has, too.
        quoted: what its text has in quotes.
        code: the source lines that failed, innermost last.
        places: the lines of files that it names.

    """

    title: str = ""
    names: str = ""
    body: str = ""
    head: str = ""
    quoted: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


def document(record: "Record") -> Document:
    """Sort a record's texts into fields."""
    from gitmem.index import evidence  # noqa: PLC0415  start-up

    names: list[str] = []
    body: list[str] = []
    for field in record.__struct_fields__:
        if field != "title" and field not in _UNSEARCHED:
            for is_name, text in _texts(getattr(record, field), field, is_name=False):
                (names if is_name else body).append(text)
    texts = Document(record.title, _BREAK.join(names), _BREAK.join(body))
    if record.kind == "error":
        return _with_evidence(texts, record)
    said = "\n".join(body)[: evidence.MOST]
    return texts._replace(head=evidence.head(said), quoted=evidence.quoted(said))


def _with_evidence(texts: Document, error: Any) -> Document:  # noqa: ANN401  start-up
    from gitmem.index import evidence  # noqa: PLC0415  start-up

    said = f"{error.message}\n{error.excerpt}"[: evidence.MOST]
    frames = [frame for frame in error.frames if frame.in_app is not False]
    steps = [evidence.Step(f.file, f.line or 0, f.function, f.code) for f in frames]
    if not steps:
        steps = list(evidence.own_steps(error.excerpt or error.message))
    place = error.location
    if place is not None:
        steps.append(evidence.Step(place.file, place.line or 0, "", place.code))
    return texts._replace(
        head=evidence.head(error.message or error.excerpt),
        quoted=evidence.quoted(said),
        code=evidence.source_lines(said, steps),
        # Beside a stack the text around it names no further places.
        places=evidence.places("" if steps else said, steps),
    )


def plain_text(document: Document) -> str:
    """Give the text in which phrases are looked for: no case, single blanks."""
    return plain(_BREAK.join(document[:3]))


def _texts(value: Any, field: str, *, is_name: bool) -> Iterator[tuple[bool, str]]:  # noqa: ANN401
    """Yield the texts in a value, each with whether it belongs to the names."""
    is_name = (is_name or field in _NAMES) and field not in _PROSE
    if isinstance(value, str):
        if value:
            yield is_name, value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, float)):
        if field in _NUMBERS:
            yield is_name, str(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _texts(item, field, is_name=is_name)
    elif isinstance(value, Mapping):
        yield from _mapping(value, is_name=is_name)
    elif hasattr(value, "__struct_fields__"):
        yield from _block(value, is_name=is_name)


def _block(block: Any, *, is_name: bool) -> Iterator[tuple[bool, str]]:  # noqa: ANN401
    fields = block.__struct_fields__
    if "file" in fields and block.line:  # as people paste it: src/auth.py:42
        yield True, f"{block.file}:{block.line}"
        fields = [field for field in fields if field != "file"]
    for field in fields:
        if field not in _UNSEARCHED:
            yield from _texts(getattr(block, field), field, is_name=is_name)


def _mapping(mapping: Mapping[Any, Any], *, is_name: bool) -> Iterator[tuple[bool, str]]:
    """Yield keys and values; of an unknown mapping every number may be asked for."""
    for key, value in mapping.items():
        yield is_name, str(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield is_name, str(value)
        else:
            yield from _texts(value, "extra", is_name=is_name)
