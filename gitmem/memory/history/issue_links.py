"""Links between records or sessions and the issues and pull requests they belong to.

What a record belongs to is a tag, written with it. To a record that is written already, a note is
added which has the tag and relates to it: so nothing is changed, and two branches never clash.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import NotFoundError
from gitmem.records.issues import Issue, of_tag, parse  # noqa: TID253  what this is about

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader
    from gitmem.memory.writing.writer import Writer
    from gitmem.sessions import LiveSession

_MOST: Final = 500
"""Values in one question."""


class Linked(NamedTuple):
    """What came of a link.

    Attributes:
        id: of the record or live session.
        issue: what it belongs to.
        note: id of the note that was written; empty: none was needed.
        new: it was not linked before.

    """

    id: str
    issue: Issue
    note: str
    new: bool


def link(reader: "Reader", writer: "Writer", reference: str, text: str, why: str = "") -> Linked:
    """Say that a record or a live session belongs to an issue.

    Args:
        reader: of the memory.
        writer: of the memory.
        reference: an id of either, or a unique prefix.
        text: the issue, see ``records.issues.parse``.
        why: a sentence about it; empty: none.

    Raises:
        InvalidError: the text is not an issue.
        NotFoundError: there is no such record, and no such session.

    """
    issue = parse(text)
    live = _live(writer, reference)
    if live is not None:
        from gitmem.sessions.session_record import ISSUE

        new = issue.tag not in tags_of(live)
        if new:
            writer.sessions.log(ISSUE, issue.tag, session=live.id, reason=why or None)
        return Linked(live.id, issue, "", new)
    row = reader.find(reference)
    if issue in of_record(reader.workspace, row):
        return Linked(row.id, issue, "", new=False)
    note = writer.add(
        "note",
        {
            "title": f"{row.id} belongs to {issue.name}",
            "body": why or (text.strip() if "://" in text else ""),
            "tags": [issue.tag],
            "links": {"relates": [row.id]},
        },
    )
    return Linked(row.id, issue, note.id, new=True)


def _live(writer: "Writer", reference: str) -> "LiveSession | None":
    if not reference.strip().lower().startswith("ses"):
        return None
    try:
        live = writer.sessions.status(reference).live
    except NotFoundError:
        return None
    ended = writer.workspace.ask(lambda now: now.catalog.by_prefix(live.id))
    return None if ended else live


def tags_of(live: "LiveSession") -> list[str]:
    """Give the tags of a live session that name issues, those that were linked later too."""
    from gitmem.sessions.session_record import issues

    return [tag for tag in dict.fromkeys((*live.tags, *issues(live.logged))) if of_tag(tag)]


def of_record(workspace: "Workspace", row: "Row") -> tuple[Issue, ...]:
    """Give the issues that a record belongs to."""
    return workspace.ask(lambda now: issues_of(now.catalog, [row.id])).get(row.id, ())


def issues_of(catalog: "Catalog", ids: Iterable[str]) -> dict[str, tuple[Issue, ...]]:
    """Give the issues of records that belong to any, by the records' ids."""
    wanted = list(dict.fromkeys(ids))
    issues: dict[str, dict[Issue, None]] = {}
    for first in range(0, len(wanted), _MOST):
        batch = wanted[first : first + _MOST]
        marks = ", ".join("?" * len(batch))
        named = "(t.tag LIKE 'issue:%' OR t.tag LIKE 'pull:%')"
        sql = (
            f"SELECT t.id, t.tag FROM record_tags t WHERE t.id IN ({marks}) AND {named}"  # noqa: S608
            " UNION SELECT l.target, t.tag FROM record_links l JOIN record_tags t ON t.id = l.id"
            " JOIN all_records r ON r.id = l.id AND r.kind = 'note'"
            f" WHERE l.relation = 'relates' AND l.target IN ({marks}) AND {named} ORDER BY 1, 2"
        )
        for record, tag in catalog.ask(sql, [*batch, *batch], -1).rows:
            if issue := of_tag(tag):
                issues.setdefault(record, {})[issue] = None
    return {record: tuple(named) for record, named in issues.items()}
