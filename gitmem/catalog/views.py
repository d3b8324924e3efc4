"""The views that ``gitmem stats query`` may read; docs/query.md describes every column.

They are a promise: columns are added, never taken away or given another meaning.
"""

from typing import Final

VIEWS: Final = """
-- One row a record of any kind, with the status that follows from the others.
CREATE VIEW all_records AS
SELECT id, kind, title, created, author, email, via, session, status, stated, error_type,
    category, subject, gist, path FROM memory;

-- One row an error. The fingerprint is the surest that it has.
CREATE VIEW errors AS
SELECT id, title, created, author, email, via, session, status, error_type, category, subject,
    path,
    coalesce(
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'exact'),
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'site'),
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'place'),
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'message'),
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'template'),
        (SELECT value FROM prints p WHERE p.file = memory.file AND p.level = 'kind')
    ) AS fingerprint
FROM memory WHERE kind = 'error';

-- One row a fix attempt; of several errors that it fixes, the first one says what kind it was of.
-- success: 1 worked, 0 failed or partial, NULL nobody knows.
CREATE VIEW attempts AS
SELECT r.id, r.title, r.created, r.author, r.email, r.via, r.session, r.stated AS outcome,
    CASE r.stated WHEN 'worked' THEN 1 WHEN 'unverified' THEN NULL ELSE 0 END AS success,
    t.fixer, t.tool, t.model, t.approach, t.applied, t.verified, t.seconds, t.calls,
    t.input_tokens, t.output_tokens, t.cost_usd,
    e.id AS error, e.error_type, e.category, e.subject, f.path
FROM records r JOIN files f ON f.file = r.file JOIN efforts t ON t.file = r.file
LEFT JOIN records e ON e.file = (
    SELECT x.file FROM links k JOIN records x ON x.id = k.target
    WHERE k.file = r.file AND k.relation = 'fixes' AND NOT x.shadowed ORDER BY x.id LIMIT 1
)
WHERE r.kind = 'fix' AND NOT r.shadowed;

-- One row a session. success: 1, 0, or NULL if it only ended.
CREATE VIEW sessions AS
SELECT r.id, r.title, r.created, r.author, r.email, r.via,
    CASE r.stated WHEN 'succeeded' THEN 1 WHEN 'failed' THEN 0 END AS success,
    t.category, t.type, t.complexity, t.approach, t.seconds, t.tool, t.model, t.calls,
    t.input_tokens, t.output_tokens, t.cost_usd,
    (SELECT p.path FROM paths p WHERE p.file = r.file AND p.role = 'branch') AS branch, f.path
FROM records r JOIN files f ON f.file = r.file JOIN efforts t ON t.file = r.file
WHERE r.kind = 'session' AND NOT r.shadowed;

CREATE VIEW decisions AS
SELECT id, title, created, author, email, via, session, status, stated, path
FROM memory WHERE kind = 'decision';

CREATE VIEW record_links AS
SELECT r.id, l.relation, l.target FROM links l JOIN records r ON r.file = l.file
WHERE NOT r.shadowed;

CREATE VIEW record_tags AS
SELECT r.id, t.tag FROM tags t JOIN records r ON r.file = t.file WHERE NOT r.shadowed;

-- Code that a record is about; role is anchor, location, frame, change, governs or patch.
CREATE VIEW record_paths AS
SELECT r.id, p.role, p.path FROM paths p JOIN records r ON r.file = p.file
WHERE NOT r.shadowed AND p.role <> 'branch';

-- role is factor, tool, dependency, language, command or test.
CREATE VIEW record_traits AS
SELECT r.id, t.role, t.value FROM traits t JOIN records r ON r.file = t.file
WHERE NOT r.shadowed;

-- level is exact, site, place, message, template or kind, from sure to coarse.
CREATE VIEW fingerprints AS
SELECT r.id, p.level, p.value FROM prints p JOIN records r ON r.file = p.file
WHERE NOT r.shadowed;
"""
NAMES: Final = (
    "all_records", "errors", "attempts", "sessions", "decisions", "record_links", "record_tags",
    "record_paths", "record_traits", "fingerprints",
)  # fmt: skip
"""In the order of the documentation."""
