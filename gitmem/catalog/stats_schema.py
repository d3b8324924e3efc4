"""The tables that statistics count from, as SQL; updated once for each change.

``gitmem.catalog.stats_refresh`` does that when statistics are asked, and only then: a search after
a commit does not wait for it.
"""

from typing import Final

AFTERWARDS_DAYS: Final = 1
"""For so long after a fix that worked, an attempt that did not is taken as tried before it.

People and assistants often write down what failed when all is green again.
"""
STATS_SCHEMA: Final = """
-- Files that changed since statistics were asked: written, removed, shadowed or no more so.
CREATE TABLE unsettled (file INTEGER PRIMARY KEY);

-- A failure is all errors of one fingerprint of level 'site', and those said to be the same. Its
-- name is the first such fingerprint, or the id of an error that has none.
CREATE TABLE failures (
    failure INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    open INTEGER NOT NULL DEFAULT 1     -- not fixed, or recorded again after its last fix
);

-- Which fingerprints and ids belong to a failure of another name, because of 'duplicates'.
CREATE TABLE joined (part TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;

-- Errors, but for those that are shadowed.
CREATE TABLE sightings (
    file INTEGER PRIMARY KEY, id TEXT NOT NULL, created TEXT NOT NULL,
    type TEXT NOT NULL, category TEXT NOT NULL, subject TEXT NOT NULL, via TEXT NOT NULL,
    site TEXT,                          -- its fingerprint of that level
    failure INTEGER,                    -- no NULL is left when all is settled
    came_back INTEGER NOT NULL DEFAULT 0    -- the first of its failure after a fix that worked
);
CREATE INDEX sightings_id ON sightings (id);
CREATE INDEX sightings_failure ON sightings (failure, created);

-- Fixes, but for those that are shadowed. The outcome is the verdict that the record allows.
CREATE TABLE tries (
    file INTEGER PRIMARY KEY, id TEXT NOT NULL, created TEXT NOT NULL, outcome TEXT NOT NULL,
    seconds REAL, applied INTEGER, verified TEXT NOT NULL,
    fixer TEXT NOT NULL, model TEXT NOT NULL, via TEXT NOT NULL,
    error INTEGER,                      -- the file of the first error that it fixes
    way INTEGER NOT NULL                -- equal where the same was tried in the same words
);

-- The errors that fixes name, by their files.
CREATE TABLE aims (file INTEGER NOT NULL, error INTEGER NOT NULL, PRIMARY KEY (file, error))
WITHOUT ROWID;
CREATE INDEX aims_error ON aims (error);

-- Fixes that worked, by their files, and the failures that they fixed.
CREATE TABLE mended (
    file INTEGER NOT NULL, failure INTEGER NOT NULL,
    seconds REAL,                       -- that it had been open; NULL if it was not, or clocks lie
    unheld INTEGER NOT NULL,            -- it was recorded again
    PRIMARY KEY (file, failure)
) WITHOUT ROWID;
CREATE INDEX mended_failure ON mended (failure);

-- Attempts on failures that were fixed before, by their files: each tells of the failure's coming
-- back although no error record does. The error is the first of that failure that they fix.
CREATE TABLE repeats (
    file INTEGER NOT NULL, failure INTEGER NOT NULL, created TEXT NOT NULL,
    error INTEGER NOT NULL,
    PRIMARY KEY (file, failure)
) WITHOUT ROWID;
CREATE INDEX repeats_failure ON repeats (failure, created);

-- The name of the failure that each error belongs to.
CREATE VIEW named AS
SELECT s.file, s.failure, coalesce(j.name, s.site, s.id) AS name
FROM sightings s LEFT JOIN joined j ON j.part = coalesce(s.site, s.id);

-- What each fix did in one line, and the id of the fix that it applied again, or nothing.
CREATE VIEW done AS
SELECT r.file, r.id, coalesce(nullif(t.approach, ''), r.title) AS words,
    coalesce((SELECT k.target FROM links k WHERE k.file = r.file AND k.relation = 'reuses'
        LIMIT 1), '') AS again
FROM records r JOIN efforts t ON t.file = r.file WHERE r.kind = 'fix' AND NOT r.shadowed;
"""
