"""Checks over all records for ``gitmem check``, which no single file can answer."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from gitmem.catalog.conditions import TOMORROW
from gitmem.records.problems import Problem

# Each gives rows of (path, code, field, message, hint, severity).
_QUESTIONS: Final = (
    # Dated in the future: it would be the newest of all for ever.
    f"""
    SELECT f.path, 'future-date', 'created',
        'created is in the future: ' || substr(r.created, 1, 10),
        'see with git log who added it, and set the time of that commit', 'error'
    FROM records r JOIN files f ON f.file = r.file WHERE r.created >= {TOMORROW}
    """,  # noqa: S608  a constant
    # A link to a record that is not here.
    """
    SELECT f.path, 'dangling-link',
        CASE l.relation WHEN 'reuses' THEN 'reuses' ELSE 'links.' || l.relation END,
        l.relation || ' names ' || l.target || ', which is not in this memory',
        'check the id, or merge the branch that has the record', 'error'
    FROM links l JOIN files f ON f.file = l.file
    WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.id = l.target)
    """,
    # The session of a record may still be live, or be on another branch.
    """
    SELECT f.path, 'unwritten-session', 'session',
        'session ' || r.session || ' has no record (yet)',
        'it is still live, was abandoned, or is recorded on another branch', 'info'
    FROM records r JOIN files f ON f.file = r.file
    WHERE r.session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM records s WHERE s.id = r.session)
    """,
    # Two files with one id.
    """
    SELECT f.path, 'duplicate-id', 'id',
        'id ' || r.id || ' is also in ' || (
            SELECT g.path FROM records o JOIN files g ON g.file = o.file
            WHERE o.id = r.id AND NOT o.shadowed) || ', which came first and counts',
        'keep one of the two files, or give one a new id', 'error'
    FROM records r JOIN files f ON f.file = r.file WHERE r.shadowed
    """,
    # Two attempts on one error that were verified in the same microseconds: one copied the other.
    """
    SELECT f.path, 'same-verification', 'verification',
        'says of its run what ' || CASE p.first WHEN p.id THEN p.last ELSE p.first END ||
            ' says of its own',
        'one was copied from the other: git log tells which came later', 'warning'
    FROM (
        SELECT t.file, r.id, min(r.id) OVER same AS first, max(r.id) OVER same AS last
        FROM efforts t JOIN links l ON l.file = t.file AND l.relation = 'fixes'
        JOIN records r ON r.file = t.file
        WHERE t.verified = 'passed' AND t.seconds * 1000 <> round(t.seconds * 1000)
        WINDOW same AS (PARTITION BY l.target, t.seconds)
    ) p JOIN files f ON f.file = p.file
    WHERE p.first <> p.last GROUP BY p.file
    """,
    # A decision can only be superseded by a decision, and so on for every kind.
    """
    SELECT f.path, 'wrong-kind', 'links.' || l.relation,
        l.relation || ' names ' || t.id || ', which is of another kind: ' || t.kind,
        l.relation || ' links a record to an older one of its own kind', 'error'
    FROM links l JOIN records r ON r.file = l.file JOIN files f ON f.file = l.file
    JOIN records t ON t.id = l.target AND NOT t.shadowed
    WHERE l.relation IN ('supersedes', 'duplicates') AND t.kind <> r.kind
    """,
)
_SUPERSEDES: Final = """
    SELECT r.id, l.target FROM links l JOIN records r ON r.file = l.file
    WHERE l.relation = 'supersedes'
"""
_PATHS: Final = "SELECT f.path, r.id FROM records r JOIN files f ON f.file = r.file"


def between(ask: Callable[[str], Iterable[Any]]) -> Iterator[Problem]:
    """Give what is wrong between files; ``ask`` gives the rows of a question."""
    for question in _QUESTIONS:
        for path, code, field, message, hint, severity in ask(question):
            yield Problem(path, code, message, hint, 0, 0, field, severity)
    onward: dict[str, list[str]] = {}
    for record, target in ask(_SUPERSEDES):
        onward.setdefault(record, []).append(target)
    if circling := in_circles(onward):
        for path, record in ask(_PATHS):
            if record in circling:
                message = f"{record} supersedes itself in a circle"
                hint = "remove one of the links"
                yield Problem(path, "supersedes-cycle", message, hint, field="links.supersedes")


def in_circles(onward: Mapping[str, Collection[str]]) -> set[str]:
    """Give those from which a way leads back: Tarjan's components, each link looked at once.

    Args:
        onward: where the links of each lead.

    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    is_open: set[str] = set()
    circling: set[str] = set()
    way: list[tuple[str, Iterator[str]]] = []

    def enter(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        is_open.add(node)
        way.append((node, iter(onward[node])))

    for start in onward:
        if start not in number:
            enter(start)
        while way:
            node, ahead = way[-1]
            target = next((other for other in ahead if other in onward), None)
            if target is None:
                way.pop()
                if way:
                    lowest[way[-1][0]] = min(lowest[way[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    members = [open_nodes.pop()]
                    while members[-1] != node:
                        members.append(open_nodes.pop())
                    is_open.difference_update(members)
                    if len(members) > 1 or node in onward[node]:
                        circling.update(members)
            elif target not in number:
                enter(target)
            elif target in is_open:
                lowest[node] = min(lowest[node], number[target])
    return circling
