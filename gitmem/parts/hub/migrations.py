"""The tables of a hub in PostgreSQL, as steps that are applied once each, in order."""

from typing import Final

MIGRATIONS: Final = (
    """
    CREATE TABLE repository (
        repo integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL UNIQUE,
        internal boolean NOT NULL DEFAULT false,
        commit text NOT NULL DEFAULT '',
        made text NOT NULL DEFAULT '',
        taken double precision NOT NULL DEFAULT 0
    );
    -- The position of a lexeme in ``terms`` is the impact of that term.
    CREATE TABLE record (
        repo integer NOT NULL REFERENCES repository,
        id text NOT NULL,
        path text NOT NULL,
        blob text NOT NULL,
        commit text NOT NULL,
        kind text NOT NULL,
        created text NOT NULL,
        terms tsvector NOT NULL,
        prints text[] NOT NULL,
        relations text[] NOT NULL,
        targets text[] NOT NULL,
        body bytea NOT NULL,
        PRIMARY KEY (repo, id)
    );
    CREATE INDEX record_terms ON record USING gin (terms);
    CREATE INDEX record_prints ON record USING gin (prints) WHERE prints <> '{}';
    CREATE INDEX record_targets ON record USING gin (targets) WHERE targets <> '{}';
    CREATE TABLE held (
        repo integer NOT NULL REFERENCES repository,
        path text NOT NULL,
        blob text NOT NULL,
        why text NOT NULL,
        PRIMARY KEY (repo, path)
    );
    -- By name: it stays when a repository goes and comes again.
    CREATE TABLE forgotten (name text NOT NULL, id text NOT NULL, PRIMARY KEY (name, id));
    -- How many records have each term; the empty one: how many there are.
    CREATE TABLE term (term text PRIMARY KEY, records bigint NOT NULL) WITH (fillfactor = 70);
    CREATE TABLE audit (
        at timestamptz NOT NULL DEFAULT now(),
        who text NOT NULL, what text NOT NULL, repository text NOT NULL, count integer NOT NULL
    );
    """,
    # Pages list what is new, and count what was new in a while.
    "CREATE INDEX record_created ON record (created)",
    # Without it every question reads a whole table, the one thing that the planner is told to
    # avoid: next to that price all ways to the records are alike to it, and it takes any.
    "CREATE INDEX repository_internal ON repository (repo) WHERE internal",
    # Somebody who sees a few repositories asks for the newest of these.
    "CREATE INDEX record_newest ON record (repo, created, id)",
    # Terms and bodies lie apart, so that seven times as many records fit into a page: a question
    # reads thousands of records, and of the best few their terms.
    "ALTER TABLE record SET (toast_tuple_target = 256)",
    # One row: which of a hub's databases this is (``postgres_places.Place``).
    "CREATE TABLE place (number integer NOT NULL, databases integer NOT NULL)",
    # An old job that is run again publishes no old state.
    "ALTER TABLE repository ADD COLUMN run bigint NOT NULL DEFAULT 0",
    # Fingerprints of common failures are in thousands of records, of which the newest are shown:
    # they are read out of one index, as is how many records and repositories have each.
    """
    CREATE TABLE printed (
        print text COLLATE "C" NOT NULL,
        created text NOT NULL,
        repo integer NOT NULL,
        id text NOT NULL,
        PRIMARY KEY (print, created, repo, id)
    );
    INSERT INTO printed
    SELECT DISTINCT print, created, repo, id FROM record, unnest(prints) print;
    DROP INDEX record_prints;
    """,
    # Pages say how many records each repository has.
    """
    ALTER TABLE repository ADD COLUMN records bigint NOT NULL DEFAULT 0;
    UPDATE repository p SET records = (SELECT count(*) FROM record m WHERE m.repo = p.repo);
    """,
    # How common a term is is counted (``term``), and the planner's guess of it is in the way: for a
    # common one it compares record by record what lies apart, where two indexes could meet. To
    # name the type again drops what it has guessed so far.
    "ALTER TABLE record ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN terms TYPE tsvector",
)
