"""``gitmem import adr``: architecture decision records that people wrote, as decisions."""

import os
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.errors import NotFoundError, UsageError
from gitmem.exchange.identity import id_of
from gitmem.parts.imports import adr
from gitmem.parts.imports.written_texts import (
    IMPORTED,
    committed,
    envelope,
    inside,
    path_typed,
    printable,
    read_text,
)
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.memory import Memory

_LARGEST: Final = 256 << 10
_ENDINGS: Final = (".md", ".markdown", ".mdown")


class _DecisionText(NamedTuple):
    """A decision record that was read: its path, its content, and its id."""

    path: str
    text: adr.Adr
    at: datetime
    id: str


def import_adr(memory: "Memory", folder: str, *, dry_run: bool = False) -> ImportResult:
    """Write a decision for each decision record in a folder; unreadable ones are reported.

    Args:
        memory: that they go to.
        folder: as typed in the folder ``start``, or absolute.
        dry_run: only tell.

    Raises:
        NotFoundError: there is no such folder.

    """
    workspace = memory.workspace
    full = path_typed(workspace, folder)
    if not os.path.isdir(full):
        raise NotFoundError(f"{folder} is not a folder", "name the folder that holds the ADRs")
    notices: list[str] = []
    texts: list[_DecisionText] = []
    for name in sorted(os.listdir(full)):
        if not name.lower().endswith(_ENDINGS):
            continue
        path = workspace.path(os.path.join(full, name))
        if not is_text(path):
            notices.append(f"{printable(path)} is left out: its name is not UTF-8")
            continue
        try:
            # A link may lead anywhere, and what is read is written down.
            file = inside(workspace, os.path.join(full, name), name)
            text = adr.read(read_text(file, _LARGEST), name)
            at = text.date or committed(workspace, path)
        except (adr.NotAnAdrError, UsageError, NotFoundError) as error:
            notices.append(f"{path} is left out: {error}")
            continue
        if at is None:
            notices.append(f"{path} is left out: it has no date and is in no commit")
            continue
        texts.append(_DecisionText(path, text, at, id_of("decision", "adr", path)))
    older = _replaced(texts, notices)
    new: list[Imported] = []
    present: list[tuple[_DecisionText, dict[str, Any]]] = []
    with memory.transfer.import_writer(dry_run=dry_run) as writer:
        # The oldest first: links lead to what was written before.
        for decision in sorted(texts, key=lambda decision: (decision.at, decision.path)):
            fields = _decision(decision, texts, older.get(decision.id, ()))
            ids = writer.write([("decision", fields)])
            if ids:
                new.append(Imported(fields["title"], decision.path, "decision", decision.at, ids))
            else:
                present.append((decision, fields))
        for decision, fields in present:
            if writer.has(decision.id):
                notices += _differs(memory, decision, fields)
    if not texts and not notices:
        notices.append(f"there are no Markdown files in {folder}")
    return writer.result(new, len(present), {}, notices)


def _replaced(texts: list[_DecisionText], notices: list[str]) -> dict[str, list[str]]:
    """Give the ids of the decisions that each one supersedes, whichever of the two says so."""
    older: dict[str, list[str]] = {}
    for decision in texts:
        for name in decision.text.supersedes:
            if (other := _named(texts, name)) and other.id != decision.id:
                older.setdefault(decision.id, []).append(other.id)
        newer = [_named(texts, name) for name in decision.text.superseded_by]
        for other in newer:
            if other and other.id != decision.id:
                older.setdefault(other.id, []).append(decision.id)
        if decision.text.superseded and not any(newer):
            named_by = [other for other in texts if decision.id in older.get(other.id, ())]
            if not named_by:
                notices.append(
                    f"{decision.path} says that it is superseded, but not by a decision found here"
                )
    circular = {
        id_ for id_, olds in older.items() if any(id_ in older.get(old, ()) for old in olds)
    }
    notices += [
        f"{decision.path}: it and another each say that they supersede the other"
        for decision in texts
        if decision.id in circular
    ]
    return {id_: list(dict.fromkeys(olds)) for id_, olds in older.items() if id_ not in circular}


def _named(texts: list[_DecisionText], name: str) -> _DecisionText | None:
    for decision in texts:
        base = os.path.basename(decision.path)
        if name in {base, os.path.splitext(base)[0]}:
            return decision
    number = adr.number_of(name)
    if number is None:
        return None
    numbered = [
        decision for decision in texts if adr.number_of(os.path.basename(decision.path)) == number
    ]
    return numbered[0] if len(numbered) == 1 else None


def _decision(
    decision: _DecisionText, texts: list[_DecisionText], older: "list[str] | tuple[str, ...]"
) -> dict[str, Any]:
    text = decision.text
    fields = dict(text.fields)
    if text.superseded and not any(_named(texts, name) for name in text.superseded_by):
        fields["status"] = "deprecated"
    related = (_named(texts, name) for name in text.related)
    relates = [other.id for other in related if other and other.id != decision.id]
    links = {"supersedes": list(older), "relates": list(dict.fromkeys(relates))}
    author = text.deciders or decision.path
    return {
        **fields,
        **envelope(decision.id, fields["title"], decision.at, author, "adr"),
        "tags": list(dict.fromkeys([IMPORTED, "adr", *fields.get("tags", ())])),
        "links": {name: ids for name, ids in links.items() if ids},
    }


def _differs(memory: "Memory", decision: _DecisionText, fields: Mapping[str, Any]) -> list[str]:
    """Tell when an imported record says something else by now; it stays as it was written."""
    record: Any = memory.show(decision.id).record
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
    since = f"{decision.path} was changed since it was imported ({what})"
    return [f"{since}: edit or supersede {decision.id}"]
