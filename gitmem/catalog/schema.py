"""The catalog's tables, and the statuses that follow from links, as SQL."""

from typing import Final

from gitmem.catalog.conditions import CLAIMED, GENERAL, VERDICT
from gitmem.catalog.stats_schema import AFTERWARDS_DAYS, STATS_SCHEMA
from gitmem.catalog.views import VIEWS

# When an error was last fixed, by a fix that worked. CROSS JOIN and the plus keep SQLite from
# walking all fixes by their kind, which is a hundred times slower.
_FIXES: Final = """
FROM links k CROSS JOIN records x ON x.file = k.file
WHERE {of} AND k.relation = 'fixes' AND +x.kind = 'fix' AND x.stated = 'worked'
AND NOT x.shadowed
"""
LAST_FIX: Final = f"SELECT max(x.created) {_FIXES}"
_OF_GROUP: Final = "k.target IN (SELECT m.id FROM alike m WHERE m.leader = a.leader)"
_NEWEST: Final = """
SELECT max(e.created) FROM alike m JOIN records e ON e.id = m.id
WHERE m.leader = a.leader AND NOT e.shadowed
"""
# What fixed the failure through other records of it, after the error that is asked about.
_SITE: Final = """
FROM prints p JOIN fixed_sites s ON s.site = p.value
WHERE p.file = r.file AND p.level = 'site' AND s.at > r.created
"""
_GROUP_SITES: Final = """
FROM alike m JOIN records e ON e.id = m.id JOIN prints p ON p.file = e.file AND p.level = 'site'
JOIN fixed_sites s ON s.site = p.value WHERE m.leader = a.leader
"""
_GROUP_FIX: Final = f"""
SELECT max(at) FROM (SELECT ({LAST_FIX.format(of=_OF_GROUP)}) AS at UNION ALL
    SELECT s.at {_GROUP_SITES})
"""  # noqa: S608  constants
# Whether all that is known of an error's end is what a tool or an import says.
_ALL_CLAIMED: Final = f"SELECT min(coalesce({CLAIMED.format(fix='x')}, 0)) {_FIXES}"
LONE_CLAIMED: Final = f"""
SELECT min(claimed) FROM (
    SELECT ({_ALL_CLAIMED.format(of="k.target = r.id")}) AS claimed UNION ALL
    SELECT s.proven <= r.created {_SITE})
"""  # noqa: S608  constants
# A fix from before the failure came back says nothing of it.
_GROUP_CLAIMED: Final = f"""
SELECT min(claimed) FROM (
    SELECT ({_ALL_CLAIMED.format(of=_OF_GROUP)} AND x.created > a.newest) AS claimed UNION ALL
    SELECT s.proven <= a.newest {_GROUP_SITES} AND s.at > a.newest)
"""  # noqa: S608  constants
# Attempts that did not work on an error that had been fixed long before: it was seen again. What
# statistics count (``gitmem.learning.failures``) and what lists say must not differ here.
TRIED_AGAIN: Final = f"""
SELECT 1 FROM links k CROSS JOIN records x ON x.file = k.file
WHERE {{of}} AND k.relation = 'fixes' AND +x.kind = 'fix' AND x.stated <> 'worked'
AND NOT x.shadowed
AND x.created > strftime('%Y-%m-%dT%H:%M:%fZ', ({{last_fix}}), '+{AFTERWARDS_DAYS} day')
"""  # noqa: S608  constants
LONE_FIX: Final = f"""
SELECT coalesce(({LAST_FIX.format(of="k.target = r.id")}), (SELECT s.at {_SITE}))
"""
LONE_TRIED: Final = TRIED_AGAIN.format(of="k.target = r.id", last_fix=LONE_FIX)
_GROUP_TRIED: Final = TRIED_AGAIN.format(of=_OF_GROUP, last_fix="a.fixed")
# Each group once: asked for each error, a group would be read as often as it is large.
NOTE_GROUPS: Final = (
    "DELETE FROM groups",
    f"""
INSERT INTO groups SELECT a.leader, ({_GROUP_FIX}), ({_NEWEST}), 0, NULL
FROM alike a WHERE a.id = a.leader
""",  # noqa: S608  constants
    f"""
UPDATE groups AS a SET tried = EXISTS ({_GROUP_TRIED}), claimed = ({_GROUP_CLAIMED})
""",  # noqa: S608  constants
)

TABLES: Final = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One row a record file. Numbers are never used twice, so the index can't mix files up.
CREATE TABLE files (
    file INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    read_ns INTEGER NOT NULL,
    digest BLOB NOT NULL
);

-- What the text index holds; it catches up by the difference to ``files``.
CREATE TABLE indexed (file INTEGER PRIMARY KEY, digest BLOB NOT NULL);

-- Of which content the vectors are (see embedded.py); those of other content count for nothing.
CREATE TABLE embedded (
    file INTEGER NOT NULL, made TEXT NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (made, file)) WITHOUT ROWID;

CREATE TABLE records (
    file INTEGER PRIMARY KEY,
    id TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, created TEXT NOT NULL,
    author TEXT NOT NULL, email TEXT NOT NULL, via TEXT NOT NULL, tool TEXT NOT NULL,
    session TEXT,
    stated TEXT NOT NULL,       -- outcome, decision status or session success, as written
    error_type TEXT NOT NULL, category TEXT NOT NULL, subject TEXT NOT NULL,
    gist TEXT NOT NULL,         -- one line that tells what it says, for lists
    shadowed INTEGER NOT NULL DEFAULT 0   -- another file has the same id and comes first
);
CREATE INDEX records_id ON records (id);
CREATE INDEX records_kind ON records (kind, created, id, shadowed);
CREATE INDEX records_created ON records (created);
CREATE INDEX records_session ON records (session) WHERE session IS NOT NULL;
CREATE INDEX records_type ON records (error_type) WHERE error_type <> '';
-- Names of persons, which statistics never show.
CREATE INDEX records_people ON records (author, email) WHERE via = 'human';

CREATE TABLE links (
    file INTEGER NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
    PRIMARY KEY (file, relation, target)
) WITHOUT ROWID;
CREATE INDEX links_target ON links (target, relation);

CREATE TABLE tags (file INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (file, tag)) WITHOUT ROWID;
CREATE INDEX tags_tag ON tags (tag);

-- Code that a record is about. Role 'governs' holds globs, 'patch' the files that a fix changes,
-- 'branch' the branch of a session, the others plain paths.
CREATE TABLE paths (
    file INTEGER NOT NULL, role TEXT NOT NULL, path TEXT NOT NULL,
    PRIMARY KEY (file, role, path)
) WITHOUT ROWID;
CREATE INDEX paths_path ON paths (path);
CREATE INDEX paths_patched ON paths (path) WHERE role = 'patch';

-- Fingerprints of errors, several levels each (see gitmem/matching/fingerprint.py).
CREATE TABLE prints (
    file INTEGER NOT NULL, level TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (file, level)
) WITHOUT ROWID;
CREATE INDEX prints_value ON prints (value, level);

-- What a fix attempt or a session took, and who made it. Absent text is empty, all else NULL.
CREATE TABLE efforts (
    file INTEGER PRIMARY KEY,
    fixer TEXT NOT NULL, tool TEXT NOT NULL, model TEXT NOT NULL,
    approach TEXT NOT NULL,     -- in one line
    applied INTEGER, verified TEXT NOT NULL,
    seconds REAL,
    category TEXT NOT NULL, type TEXT NOT NULL, complexity TEXT NOT NULL,
    calls INTEGER, input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL
);

-- Short words that a session or an error is described with: role 'factor', 'tool', 'dependency',
-- 'language', 'command', 'test'; of a fix with a rule 'guard', the language of that.
CREATE TABLE traits (
    file INTEGER NOT NULL, role TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (file, role, value)
) WITHOUT ROWID;
CREATE INDEX traits_guard ON traits (value) WHERE role = 'guard';

CREATE TABLE problems (
    file INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, field TEXT NOT NULL,
    code TEXT NOT NULL, message TEXT NOT NULL, hint TEXT NOT NULL, severity TEXT NOT NULL
);
CREATE INDEX problems_file ON problems (file);

CREATE TABLE attachments (file INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (file, name))
WITHOUT ROWID;

-- Errors that are said to be the same (connected by 'duplicates'). The oldest leads.
CREATE TABLE alike (id TEXT PRIMARY KEY, leader TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX alike_leader ON alike (leader);

-- Of each such group when one was fixed last, when its newest was recorded, whether an attempt
-- failed long after the fix, and whether all that is known of its end is claimed.
CREATE TABLE groups (
    leader TEXT PRIMARY KEY, fixed TEXT, newest TEXT, tried INTEGER NOT NULL, claimed INTEGER
) WITHOUT ROWID;

-- When the failure of a fingerprint of level 'site' was last fixed, by a fix that worked, and by
-- one of which not only a tool or an import says so (empty: by none).
CREATE TABLE fixed_sites (
    site TEXT PRIMARY KEY, at TEXT NOT NULL, proven TEXT NOT NULL
) WITHOUT ROWID;

{STATS_SCHEMA}
-- One row a record, with the status that follows from the others.
CREATE VIEW memory AS
SELECT r.file, r.id, r.kind, r.title, r.created, r.author, r.email, r.via, r.tool, r.session,
    r.stated, r.error_type, r.category, r.subject, r.gist, f.path,
    CASE r.kind
    WHEN 'error' THEN CASE
        WHEN {GENERAL} THEN 'resolved'
        WHEN a.leader IS NULL THEN CASE
            WHEN ({LONE_FIX}) IS NULL THEN 'open'
            WHEN EXISTS ({LONE_TRIED}) THEN 'regressed' ELSE 'resolved' END
        -- An error stands for all that are the same: open until one of them was fixed,
        -- regressed if one is newer than the last fix, or an attempt on one is, by days.
        WHEN a.leader = r.id THEN CASE
            WHEN g.fixed IS NULL THEN 'open'
            WHEN g.fixed < g.newest OR g.tried THEN 'regressed' ELSE 'resolved' END
        WHEN g.fixed > r.created THEN 'resolved'
        ELSE 'duplicate' END
    WHEN 'decision' THEN CASE
        WHEN EXISTS (
            SELECT 1 FROM links s JOIN records newer ON newer.file = s.file
            WHERE s.target = r.id AND s.relation = 'supersedes'
            AND newer.kind = 'decision' AND NOT newer.shadowed
        ) THEN 'superseded' ELSE r.stated END
    ELSE r.stated END AS status,
    CASE r.kind WHEN 'fix' THEN {VERDICT}
    WHEN 'error' THEN CASE WHEN NOT {GENERAL} AND
        CASE WHEN a.leader IS NULL THEN ({LONE_CLAIMED}) ELSE g.claimed END
        THEN 'claimed' ELSE '' END
    ELSE '' END AS verdict
FROM records r JOIN files f ON f.file = r.file LEFT JOIN alike a ON a.id = r.id
LEFT JOIN groups g ON g.leader = a.leader
WHERE NOT r.shadowed;

{VIEWS}
"""  # noqa: S608  constants
