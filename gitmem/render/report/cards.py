"""The records that a report names, as cards at its end that the ids lead to."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from gitmem.catalog.rows import best_first
from gitmem.render.record import RELATIONS, field_lines
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from gitmem.catalog.rows import Row
    from gitmem.learning.overall import Overall

_FIELDS: Final = (
    "error_type", "message", "symptom", "cause", "approach", "steps", "lessons", "why_failed",
    "worked_partially", "patch",
)  # fmt: skip
"""What a card says of a record; nothing that names a person."""


def named(overall: "Overall") -> list[str]:
    """Give the ids of the records that a report names, in the order of the page."""
    ids: list[str] = []
    for failure in overall.hot:
        ids += [failure.error, *([failure.best.best] if failure.best else [])]
    ids += [strategy.best for strategy in (*overall.approaches, *overall.unheld)]
    return list(dict.fromkeys(ids))


def link(record: str, ids: Collection[str]) -> str:
    """Write an id: as a link to its card, if the page has one."""
    text = f"<code>{escape(record)}</code>"
    return f"<a href='#{escape(record)}'>{text}</a>" if record in ids else text


def cards(records: "Sequence[Shown]") -> Iterator[str]:
    """Write a card for each record: what it says, what it fixes, what was tried."""
    from gitmem.records.convert import to_data

    ids = {shown.row.id for shown in records}
    for shown in records:
        row = shown.row
        about = " · ".join(filter(None, (row.kind, row.shown_status, row.created[:10])))
        yield f"<article class='record' id='{escape(row.id)}'>"
        yield f"<h3>{escape(one_line(row.title))}</h3>"
        yield f"<p class='soft'><code>{escape(row.id)}</code> {escape(about)}</p>"
        data = to_data(shown.record)
        lines = [
            line
            for name in _FIELDS
            if name in data
            for line in field_lines(name, data[name], Painter(), 0)
        ]
        if lines:
            yield f"<pre>{escape(chr(10).join(lines))}</pre>"
        linked = [*_links(shown, ids), *_attempts(shown, ids)]
        if linked:
            yield f"<ul>{''.join(linked)}</ul>"
        yield "</article>"


def _links(shown: "Shown", ids: Collection[str]) -> Iterator[str]:
    for relation, row, _ in shown.links:
        if row:
            yield _item(RELATIONS.get(relation, relation), row, ids)


def _attempts(shown: "Shown", ids: Collection[str]) -> Iterator[str]:
    for fix in best_first(shown.attempts):
        yield _item(fix.shown_status, fix, ids)


def _item(how: str, row: "Row", ids: Collection[str]) -> str:
    return f"<li>{escape(how)}: {escape(one_line(row.title))} {link(row.id, ids)}</li>"
