"""A whole record as a page to read, in Markdown. What records say is quoted, never markup."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.render.markdown import escaped, fence_language, fenced, prose
from gitmem.render.match_markdown import Link, match_text, no_link
from gitmem.render.record import BACK, RELATIONS

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from gitmem.capture.telling import AttemptDetails, MatchDetails
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin

PlaceLink = Callable[[str, str, int], str]
"""Makes a link to a place in code from a title, a file and a line; empty where none is wanted."""

HEAD: Final = frozenset({"schema", "id", "kind", "title", "created", "author", "tags", "session",
                          "links", "status"})  # fmt: skip
# What a reader wants first; every other field follows in the order of the file.
FIRST: Final[dict[str, tuple[str, ...]]] = {
    "error": ("message", "symptom", "cause", "excerpt", "location", "frames", "test"),
    "fix": ("outcome", "symptom", "cause", "approach", "why_failed", "worked_partially", "steps",
            "patch", "verification", "lessons"),
    "decision": ("context", "decision", "rationale", "alternatives", "consequences", "governs"),
    "session": ("goal", "summary", "success", "approach", "changes", "test_runs", "events"),
    "pattern": ("when_to_use", "code"),
    "note": ("body",),
}  # fmt: skip
_NAMES: Final = {
    "excerpt": "Evidence", "location": "Where", "frames": "Stack, innermost last",
    "why_failed": "Why it failed", "worked_partially": "What did work",
    "when_to_use": "When to use", "patch": "Change", "body": "Text", "governs": "Applies to",
}  # fmt: skip
# As a tool or a program wrote it: every blank counts.
AS_IT_IS: Final = frozenset(
    {"message", "excerpt", "code", "around", "diff", "patch", "input", "expected", "actual"}
)
# Each has a heading, however short it is.
_TELLING: Final = AS_IT_IS | {
    "approach", "body", "consequences", "context", "decision", "goal", "lessons", "rationale",
    "summary", "when_to_use", "why_failed", "worked_partially",
}  # fmt: skip
DIFFS: Final = frozenset({"patch", "diff"})
_INDENTED: Final = re.compile(r"^(?: {2,}|\t)\S", re.MULTILINE)
_SHORT: Final = 100
# The parts of a second and the zone are for programs.
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z\Z")


def no_place(_title: str, _file: str, _line: int) -> str:
    """Make no link."""
    return ""


class _Form(NamedTuple):
    """How values are written: the record's language, and what makes links to places."""

    language: str
    place: PlaceLink


def page(
    shown: "Shown",
    details: "MatchDetails | None" = None,
    origin: "Origin | None" = None,
    link: Link = no_link,
    place: PlaceLink = no_place,
    *,
    uncommitted: bool = False,
) -> str:
    """Write a record as a page: head, fields in reading order, attempts, links.

    Args:
        shown: the record.
        details: of an error, what was tried and what came of it.
        origin: the commit that added it; None: nobody has looked, or there is none.
        link: makes links to other records.
        place: makes links to places in code.
        uncommitted: somebody has looked, and it is in no commit.

    """
    from gitmem.records.convert import to_data

    data = to_data(shown.record)
    form = _Form(str(data.get("language", "")), place)
    if " ".join(str(data.get("message", "")).split()) == " ".join(shown.row.title.split()):
        data.pop("message", None)  # the heading says it
    first = FIRST[shown.row.kind]
    rest = [name for name in data if name not in first and name not in HEAD]
    parts = [*_head(shown, origin, link, uncommitted=uncommitted), *_fields(data, first, form)]
    if details:
        parts += [*_attempts(details, link), *(["## Details"] if rest else [])]
    parts += _fields(data, rest, form)
    parts += _links(shown, link, attempts=details is None)
    return "\n\n".join(parts) + "\n"


def _head(
    shown: "Shown", origin: "Origin | None", link: Link, *, uncommitted: bool
) -> Iterator[str]:
    row, author = shown.row, shown.record.author
    yield f"# {escaped(row.title)}"
    tool = " ".join(filter(None, (author.tool, author.model)))
    who = escaped(author.name)
    if author.via != "human":
        who += f" via {escaped(f'{author.via} {tool}')}"
    kind = f"**{row.kind}**" + (f" · **{escaped(row.shown_status)}**" if row.shown_status else "")
    yield f"{kind} · {row.id} · {who} · {row.created[:16].replace('T', ' ')} UTC"
    for relation, other in shown.backlinks:
        if relation == "supersedes":
            yield f"**Superseded by** {_reference(other, link)}"
    if shown.record.tags:
        yield f"tags: {', '.join(map(escaped, shown.record.tags))}"
    if shown.record.session:
        session = shown.record.session
        yield f"session: {link(session, 'show', session) or session}"
    if origin:
        yield f"commit {escaped(origin.id)} · {escaped(origin.subject)} · {origin.at:%Y-%m-%d}"
    elif uncommitted:
        yield "in no commit yet"


def _fields(data: Mapping[str, Any], names: Sequence[str], form: _Form) -> Iterator[str]:
    """Write fields: short ones together as a list, the others each below a heading."""
    short = [
        name for name in names if name in data and name not in _TELLING and _is_short(data[name])
    ]
    if short:
        yield "\n".join(
            f"- **{escaped(field_name(name))}**: {_scalar(data[name])}" for name in short
        )
    for name in names:
        if name in data and name not in short:
            yield f"## {escaped(field_name(name))}"
            yield from _value(name, data[name], form)


def field_name(name: str) -> str:
    """Name a field as a person reads it."""
    plain = name.replace("_", " ")
    return _NAMES.get(name) or plain[:1].upper() + plain[1:]


def _is_short(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value.strip()
    return not isinstance(value, dict | list)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    return escaped(_TIME.sub(r"\1 \2 UTC", str(value)))


def _value(name: str, value: Any, form: _Form) -> Iterator[str]:  # noqa: ANN401  plain data
    """Write a field's value as blocks."""
    if isinstance(value, list):
        yield from _blocks([_item(item, form) for item in value])
    elif isinstance(value, dict) and "file" in value:
        yield from _blocks([_item(value, form)])
    elif isinstance(value, dict):
        yield from _blocks([_entry(key, item, form) for key, item in value.items()])
    elif name in DIFFS:
        yield fenced(str(value), "diff")
    elif name in AS_IT_IS or _INDENTED.search(str(value)):
        yield fenced(str(value), fence_language(form.language) if name == "code" else "")
    else:
        yield from prose(str(value))


def _blocks(items: Sequence[list[str]]) -> Iterator[str]:
    """Write items as a list; what takes more than a line is indented below its first."""
    if items:
        yield "\n".join("- " + _indented("\n\n".join(item)) for item in items)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ").replace("\n  \n", "\n\n")


def _item(value: Any, form: _Form) -> list[str]:  # noqa: ANN401  plain data
    """Write an entry of a list: short values in one line, the others below it."""
    if not isinstance(value, dict):
        if _is_short(value):
            return [_scalar(value) or _NOTHING]
        return [*_value("", value, form)]
    position = _place(value, form.place)
    left = {key: item for key, item in value.items() if not position or key not in _PLACE}
    short = [
        f"{_key(key)}{_scalar(item)}"
        for key, item in left.items()
        if key not in AS_IT_IS and _is_short(item)
    ]
    long = [
        _entry(key, item, form)
        for key, item in left.items()
        if key in AS_IT_IS or not _is_short(item)
    ]
    first = ", ".join(filter(None, [position, *short]))
    return [first or _NOTHING, *(part for item in long for part in item)]


def _place(value: Mapping[str, Any], place: PlaceLink) -> str:
    """Write where something is as tools do: file, line and column, then the function."""
    if "file" not in value:
        return ""
    numbers = [str(value[name]) for name in ("line", "column") if name in value]
    function, line = value.get("function"), value.get("line")
    within = f" in {_scalar(function)}" if function else ""
    position = ":".join([_scalar(value["file"]), *numbers])
    linked = place(position, str(value["file"]), line if isinstance(line, int) else 1)
    return (linked or position) + within


_NOTHING: Final = "\N{EM DASH}"
_PLACE: Final = frozenset({"file", "line", "column", "function", "in_app"})
# What says by itself what it is.
_PLAIN: Final = frozenset({"file", "path", "option", "name", "action", "at", "type", "text"})


def _key(key: str) -> str:
    return "" if key in _PLAIN else f"{escaped(key.replace('_', ' '))} "


def _entry(key: str, value: Any, form: _Form) -> list[str]:  # noqa: ANN401  plain data
    if key not in AS_IT_IS and _is_short(value):
        return [f"**{escaped(field_name(key))}**: {_scalar(value)}"]
    return [f"**{escaped(field_name(key))}**:", *_value(key, value, form)]


# What was tried


def _attempts(details: "MatchDetails", link: Link) -> Iterator[str]:
    rest = [
        attempt
        for attempt in details.attempts
        if attempt not in details.worked and attempt not in details.failed
    ]
    for name, attempts in (
        ("What worked", details.worked),
        ("What did not work", details.failed),
        ("Also tried", rest),
    ):
        if attempts:
            yield f"## {name}"
        for attempt in attempts:
            yield from _attempt(attempt, link)
    if details.more:
        yield f"{details.more} more {'attempt' if details.more == 1 else 'attempts'}"
    if not details.attempts:
        yield "No fix is recorded yet."


def _attempt(attempt: "AttemptDetails", link: Link) -> Iterator[str]:
    fix, row = attempt.fix, attempt.row
    tally = f" ({attempt.tally})" if attempt.tally else ""
    yield f"### {attempt.verdict}: {escaped(fix.title)}{tally}"
    origin = (
        f", commit {escaped(attempt.origin.id)} {escaped(attempt.origin.subject)}"
        if attempt.origin
        else ""
    )
    commands = {"show": row.id, "apply": "apply patch"} if attempt.applies else {"show": row.id}
    links = [link(title, command, row.id) for command, title in commands.items()]
    linked_id = " · ".join(filter(None, links)) or row.id
    yield f"{linked_id} · {escaped(row.author)}, {row.created[:10]}{origin}"
    if fix.approach and fix.approach != fix.title:
        yield from prose(fix.approach)
    for name in ("why_failed", "worked_partially", "lessons"):
        if text := getattr(fix, name):
            yield f"**{escaped(field_name(name))}**:"
            yield from prose(text)
    if fix.verification and fix.verification.command:
        yield f"checked with: {escaped(fix.verification.command)}"
    if fix.patch.strip():
        yield fenced(fix.patch, "diff")


# Links


def _links(shown: "Shown", link: Link, *, attempts: bool) -> Iterator[str]:
    lines = []
    for relation, row, target in shown.links:
        where = _reference(row, link) if row else f"{escaped(target)} (not in this memory)"
        lines.append(f"- {RELATIONS.get(relation, escaped(relation))} {where}")
    lines += [
        f"- attempt, {escaped(row.shown_status)}: {_reference(row, link)}"
        for row in (shown.attempts if attempts else ())
    ]
    for relation, row in shown.backlinks:
        if relation not in ("fixes", "supersedes"):
            lines.append(f"- {BACK.get(relation, escaped(relation))} {_reference(row, link)}")
    if lines:
        yield "## Links"
        yield "\n".join(lines)


def _reference(row: "Row", link: Link) -> str:
    title = escaped(row.title)
    linked = link(title, "show", row.id)
    status = f", {escaped(row.shown_status)}" if row.shown_status else ""
    return f"{linked or title} ({row.id}{status})"


# What is known about the failures of a text or a run


def failures(matches: "Iterable[MatchDetails]", link: Link = no_link) -> str:
    """Tell of failures what is known about each, as a hover does; of new ones what looks alike."""
    parts = [
        match_text(details, link) if details.known.label else _new(details, link)
        for details in matches
    ]
    return "\n\n---\n\n".join(parts)


def _new(details: "MatchDetails", link: Link) -> str:
    text = f"**gitmem: new** · {escaped(details.known.seen.name)}"
    similar = [
        f"- {escaped(hit.source or hit.label)}: {_reference(hit.row, link)}"
        for hit in details.known.similar
    ]
    return "\n".join([text, "", *similar]) if similar else text
