"""Checks over all records for ``gitmem check``, which no single file can answer."""

from typing import Final

from gitmem.catalog.conditions import TOMORROW

# Each gives rows of (path, code, field, message, hint, severity).
QUESTIONS: Final = (
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
            WHERE o.id = r.id AND o.file <> r.file ORDER BY g.path LIMIT 1),
        'keep one of the two files, or give one a new id', 'error'
    FROM records r JOIN files f ON f.file = r.file WHERE r.shadowed
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
    # A cycle of supersedes.
    """
    WITH RECURSIVE reach (start, id) AS (
        SELECT r.id, l.target FROM links l JOIN records r ON r.file = l.file
        WHERE l.relation = 'supersedes'
        UNION
        SELECT reach.start, l.target FROM reach
        JOIN records r ON r.id = reach.id JOIN links l ON l.file = r.file
        WHERE l.relation = 'supersedes'
    )
    SELECT f.path, 'supersedes-cycle', 'links.supersedes',
        r.id || ' supersedes itself in a circle', 'remove one of the links', 'error'
    FROM reach JOIN records r ON r.id = reach.start JOIN files f ON f.file = r.file
    WHERE reach.id = reach.start
    """,
)
