"""One whole record as readable text."""

from collections.abc import Iterator
from typing import Any

from gitmem.answers.found import Shown
from gitmem.plurals import counted
from gitmem.records.convert import to_data
from gitmem.render.lists import numbered_lines, row_parts
from gitmem.render.text import Painter, Part, one_line, safe

_HEAD = frozenset(
    {"schema", "id", "kind", "title", "created", "author", "tags", "session", "links"}
)
RELATIONS = {
    "fixes": "fixes", "supersedes": "supersedes", "duplicates": "duplicate of",
    "caused_by": "caused by",
    "implements": "implements", "relates": "relates to", "reuses": "reuses",
}  # fmt: skip
BACK = {
    "supersedes": "superseded by", "duplicates": "seen again", "caused_by": "caused",
    "implements": "implemented by", "relates": "related", "reuses": "reused by",
}  # fmt: skip


def record(shown: Shown, painter: Painter, folder: str) -> Iterator[str]:
    """A record: head, fields, links, and what other records say about it."""
    row, data = shown.row, to_data(shown.record)
    yield from painter.block(0, row_parts(row))
    author = shown.record.author
    who = one_line(author.name) + (
        f" via {author.via} {one_line(author.tool)}".rstrip() if author.via != "human" else ""
    )
    yield painter.line(
        0, [(f"{row.created[:16].replace('T', ' ')} UTC", ("dim",)), (who, ("dim",))]
    )
    # A layer's record is in no file of the memory.
    location = f"{shown.layer}: {row.path}" if shown.layer else f"{folder}/{row.path}"
    yield painter.paint(one_line(location), "dim")
    if shown.record.tags:
        yield "tags: " + ", ".join(map(one_line, shown.record.tags))
    if shown.record.session:
        yield f"session: {shown.record.session}"
    for name, value in data.items():
        if name not in _HEAD:
            yield ""
            yield from field_lines(name, value, painter, 0)
    yield from _links(shown, painter)


def field_lines(name: str, value: Any, painter: Painter, indent: int) -> Iterator[str]:  # noqa: ANN401
    """Write a field of a record: its name, and its value with what is in it further in."""
    label = " " * indent + painter.paint(one_line(name).replace("_", " ") + ":", "cyan")
    if isinstance(value, dict):
        yield label
        for key, inner in value.items():
            yield from field_lines(key, inner, painter, indent + 2)
    elif isinstance(value, list):
        yield label
        for item in value:
            yield from _item(item, painter, indent + 2)
    elif isinstance(value, str) and "\n" in value:
        yield label
        for line in safe(value).rstrip("\n").split("\n"):
            yield (" " * (indent + 2) + _diff_coloured(line, painter, name)).rstrip()
    else:
        yield f"{label} {_scalar(value)}"


def _item(item: Any, painter: Painter, indent: int) -> Iterator[str]:  # noqa: ANN401
    pad = " " * indent
    if isinstance(item, dict):
        plain = [
            f"{key}: {_scalar(v)}" for key, v in item.items() if not isinstance(v, dict | list)
        ]
        yield f"{pad}- " + ", ".join(plain)
        for key, inner in item.items():
            if isinstance(inner, dict | list):
                yield from field_lines(key, inner, painter, indent + 2)
    else:
        first, *rest = safe(_scalar(item)).split("\n")
        yield f"{pad}- {first}"
        yield from (f"{pad}  {line}" for line in rest)


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return safe("" if value is None else str(value))


def _diff_coloured(line: str, painter: Painter, name: str) -> str:
    if name != "patch":
        return line
    return painter.paint(line, {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], ""))


def _links(shown: Shown, painter: Painter) -> Iterator[str]:
    attempts = shown.attempts
    others = [(relation, row) for relation, row in shown.backlinks if relation != "fixes"]
    if shown.links or others:
        yield ""
    for relation, row, target in shown.links:
        gone: list[Part] = [(f"{target} (not in this memory)", ())]
        there = row_parts(row) if row else gone
        yield from _linked(RELATIONS.get(relation, relation), there, painter)
    for relation, row in others:
        yield from _linked(BACK.get(relation, relation), row_parts(row), painter)
    if attempts:
        yield ""
        yield painter.paint(f"{counted(len(attempts), 'fix attempt')}:", "cyan")
        for number, fix in enumerate(attempts, 1):
            yield from numbered_lines(f"{number:>3} ", fix, painter)


def _linked(relation: str, parts: list[Part], painter: Painter) -> list[str]:
    """Say what is linked, one blank behind how."""
    first, *below = painter.block(len(relation) + 1, parts)
    return [f"{painter.paint(relation, 'cyan')} {first.lstrip(' ')}", *below]
