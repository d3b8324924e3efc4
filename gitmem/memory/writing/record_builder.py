"""Builds a whole record from given fields: completes the envelope and checks everything."""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from gitmem.errors import ConflictError, InvalidError, UsageError
from gitmem.output.failure import as_fields
from gitmem.records.convert import from_data
from gitmem.records.guide import title_from
from gitmem.records.kinds import KINDS, Record
from gitmem.records.layout import make_id
from gitmem.records.migrations import SCHEMA
from gitmem.records.parts import Author

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


def new_id(kind: str) -> str:
    """Make an id from the system's random source."""
    return make_id(kind, os.urandom(7))


def build(
    kind: str,
    fields: Mapping[str, Any],
    author: Author,
    now: datetime,
    session: str | None,
    make: Callable[[str], str] = new_id,
) -> Record:
    """Build a record of ``kind`` from plain fields.

    What the envelope needs and ``fields`` lacks is filled in: id, time, author, session,
    and a title from the first line that says something.

    Raises:
        InvalidError: a field is wrong; names it.
        UsageError: another kind is stated inside.

    """
    if kind not in KINDS:
        raise UsageError(f"there is no kind {kind}", f"kinds: {', '.join(KINDS)}")
    if kind == "error":
        fields = with_excerpt_read(fields)
    data = {name: value for name, value in fields.items() if value is not None}
    stated = data.pop("kind", kind)
    if stated != kind:
        raise UsageError(f"this says kind: {stated}, not {kind}", "use that kind's command")
    if data.get("schema", SCHEMA) != SCHEMA:
        message = f"schema: this gitmem writes schema {SCHEMA}, not {data['schema']!r}"
        raise InvalidError(message, "leave schema out", "schema")
    title = data.pop("title", None) or title_from(data)
    if not title:
        raise InvalidError(f"this {kind} says nothing", "give a title or a text", "title")
    # Milliseconds order records well and read better than microseconds.
    created = now.replace(microsecond=now.microsecond // 1000 * 1000)
    envelope: dict[str, Any] = {
        "kind": kind,
        "id": make(kind),
        "title": title,
        "created": created.isoformat().replace("+00:00", "Z"),
        "author": _author_data(author),
    }
    if session and kind != "session":
        envelope["session"] = session
    return from_data(envelope | data)


def with_excerpt_read(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill in type, message, frames and location from an error's excerpt; given fields stay."""
    excerpt = fields.get("excerpt")
    if not isinstance(excerpt, str) or fields.get("message"):
        return fields
    from gitmem.matching.parse import parse  # noqa: PLC0415  start-up

    failures = parse(excerpt, fields.get("command"))
    if not failures:
        return fields
    return {**as_fields(failures[0]), **{k: v for k, v in fields.items() if v is not None}}


def _author_data(author: Author) -> dict[str, str]:
    data = {name: getattr(author, name) for name in ("name", "email", "via", "tool", "model")}
    return {name: value for name, value in data.items() if value}


def reject_unknown(record: Record, source: str) -> None:
    """Refuse unknown top-level fields in what a person typed: most likely a slip.

    Files keep unknown fields (a newer gitmem may have written them); input is stricter.
    """
    if not record.extra:
        return
    name = next(iter(record.extra))
    near = get_close_matches(name, record.__struct_fields__, 1)
    hint = f"did you mean {near[0]}?" if near else "use an existing field, such as tags"
    raise InvalidError(f"{source}: a {record.kind} has no field {name}", hint, name)


def refuse_taken(workspace: "Workspace", named: Iterable[Record]) -> None:
    """Refuse ids that somebody chose and that a record has already."""
    ids: set[str] = set()
    for record in named:
        if record.id in ids or _is_taken(workspace, record.id):
            message = f"{record.id} already exists, and a record is written once"
            raise ConflictError(message, "leave id out to get a new one")
        ids.add(record.id)


def _is_taken(workspace: "Workspace", record_id: str) -> bool:
    return bool(workspace.ask(lambda now: now.catalog.by_prefix(record_id)))
