"""The searched texts of a record, sorted into fields of different weight.

Everything that someone may look for goes in, unknown fields too. What filters are for
(statuses, outcomes, dates) and what nobody types (hashes, counts, durations) stays out.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.index.analysis import plain

if TYPE_CHECKING:
    from gitmem.index.evidence import FileLine
    from gitmem.records.kinds import Record

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
_LAST: Final = "asked_as"
"""It is about what the record says: the head of a record is in its own words."""
# Between texts, so that no phrase reaches from one into the next.
_BREAK: Final = "\n\0\n"


_Said = tuple[list[str], list[str]]  # what is no name, what is one
Impacts = dict[str, int]
"""A document's terms, weighed: what the index keeps of it (see ``scoring.impacts``)."""


_Plan = tuple[tuple[tuple[str, bool, bool], ...], bool]


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
    places: "tuple[FileLine, ...]" = ()


def document(record: "Record") -> Document:
    """Sort a record's texts into fields."""
    from gitmem.index import evidence

    body: list[str] = []
    names: list[str] = []
    both = (body, names)
    for field, is_name, numbers in _plan(type(record))[0]:
        if field != "title":
            _gather_field(getattr(record, field), both, is_name=is_name, numbers=numbers)
    texts = Document(record.title, _BREAK.join(names), _BREAK.join(body))
    if record.kind == "error":
        return _with_evidence(texts, record)
    text = "\n".join(body)[: evidence.MOST]
    return texts._replace(head=evidence.head(text), quoted=evidence.quoted(text))


def _with_evidence(texts: Document, error: Any) -> Document:  # noqa: ANN401  start-up
    from gitmem.index import evidence

    text = f"{error.message}\n{error.excerpt}"[: evidence.MOST]
    frames = [frame for frame in error.frames if frame.in_app is not False]
    steps = [evidence.TraceStep(f.file, f.line or 0, f.function, f.code) for f in frames]
    if not steps:
        steps = list(evidence.own_steps(error.excerpt or error.message))
    location = error.location
    if location is not None:
        steps.append(evidence.TraceStep(location.file, location.line or 0, "", location.code))
    return texts._replace(
        head=evidence.head(error.message or error.excerpt),
        quoted=evidence.quoted(text),
        code=evidence.source_lines(text, steps),
        # Beside a stack the text around it names no further places.
        places=evidence.places("" if steps else text, steps),
    )


def plain_text(document: Document) -> str:
    """Give the text in which phrases are looked for: no case, single blanks."""
    return plain(_BREAK.join(document[:3]))


def _gather(value: Any, texts: _Said, *, is_name: bool) -> None:  # noqa: ANN401
    """Add the texts in a value to those of names, or to the others."""
    kind = type(value)
    if kind is str:
        if value:
            texts[is_name].append(value)
    elif kind is tuple or kind is list:
        for item in value:
            _gather(item, texts, is_name=is_name)
    elif hasattr(value, "__struct_fields__"):
        plan, is_location = _plan(value.__class__, is_name=is_name)
        if is_location and value.line:  # as people paste it: src/auth.py:42
            texts[True].append(f"{value.file}:{value.line}")
        else:
            is_location = False
        for field, named, numbers in plan:
            if not (is_location and field == "file"):
                _gather_field(getattr(value, field), texts, is_name=named, numbers=numbers)
    elif kind is dict or isinstance(value, Mapping):
        _gather_mapping(value, texts, is_name=is_name)


def _gather_field(value: Any, texts: _Said, *, is_name: bool, numbers: bool) -> None:  # noqa: ANN401
    if value is None:
        return
    if numbers and isinstance(value, (int, float)) and not isinstance(value, bool):
        texts[is_name].append(str(value))
    else:
        _gather(value, texts, is_name=is_name)


@cache
def _plan(block: type[object], *, is_name: bool = False) -> "_Plan":
    """Say of a block's fields: name, whether it holds names, whether its numbers count.

    And whether the block is a line of a file.
    """
    fields: tuple[str, ...] = getattr(block, "__struct_fields__")  # noqa: B009  its type is Any
    plan = tuple(
        (field, (is_name or field in _NAMES) and field not in _PROSE, field in _NUMBERS)
        for field in sorted(fields, key=_LAST.__eq__)
        if field not in _UNSEARCHED
    )
    return plan, "file" in fields


def _gather_mapping(mapping: Mapping[Any, Any], texts: _Said, *, is_name: bool) -> None:
    """Add keys and values; of an unknown mapping every number may be asked for."""
    for key, value in mapping.items():
        texts[is_name].append(str(key))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            texts[is_name].append(str(value))
        else:
            _gather(value, texts, is_name=False)
