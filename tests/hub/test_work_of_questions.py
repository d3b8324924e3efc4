"""What a question reads of a PostgreSQL: a share of the hub, however common its words are."""

import time
from random import Random
from typing import TYPE_CHECKING

import psycopg
import pytest

from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.postgres_candidates import FEW
from gitmem.parts.hub.postgres_connections import APPLICATION
from gitmem.parts.hub.protocol import STRONG, Entry, Head, Seen
from tests.hub import worlds

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.parts.hub.protocol import Engine

NAMES = [f"team/repository-{number}" for number in range(2 * FEW)]
EACH = 10
RECORDS = EACH * len(NAMES)
EVERYBODY = Seen(internal=True)
SOME = Seen(repositories=frozenset(NAMES[:40]))
WORD = "common"
QUESTION = [(WORD, 1.0), (STRONG + WORD, 0.7)]
FAILURE = ("template", "f" * 16)


@pytest.fixture
def large(database: str) -> str:
    """Give the address of a hub: a tenth has a word, nearly all of these in the title."""
    model = worlds.entries(Random(1), NAMES[0], 1)[0]
    engine = open_engine(database)
    with engine.writing():
        engine.put(numbered(model, number) for number in range(RECORDS))
        for name in NAMES:
            engine.took(name, Head("c", "m", internal=True))
    engine.close()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return database


def numbered(model: Entry, number: int) -> Entry:
    impacts = {"word": 1, f"rare{number}": 1}
    if number % 10 == 0:
        impacts |= {WORD: 1} if number % 400 == 0 else {WORD: 1, STRONG + WORD: 1}
    return model._replace(
        repository=NAMES[number // EACH],
        id=f"note-{number:010}",
        created=f"2026-01-01T00:00:00.{number:06}Z",
        impacts=impacts,
        prints=(FAILURE,) if number % 2 else (),
    )


def read(address: str, ask: "Callable[[Engine], object]") -> tuple[int, int]:
    """Count what a question reads: records, and entries of their indexes."""
    records, entries = _given(address)
    engine = open_engine(address)
    ask(engine)
    engine.close()
    all_records, all_entries = _given(address)
    return all_records - records, all_entries - entries


def _given(address: str) -> tuple[int, int]:
    with psycopg.connect(address, autocommit=True) as connection:
        # A connection that ends adds what it read before it is gone.
        while connection.execute(
            "SELECT FROM pg_stat_activity WHERE application_name = %s"
            " AND datname = current_database()",
            [APPLICATION],
        ).fetchall():
            time.sleep(0.01)
        (given,) = connection.execute(
            "SELECT (SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables t"
            " WHERE t.relname = 'record'), (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i"
            " WHERE i.relname = 'record')"
        ).fetchall()
    return int(given[0]), int(given[1])


@pytest.mark.parametrize(("visible", "most"), [(EVERYBODY, RECORDS * 0.6), (SOME, 40 * EACH * 1.5)])
def test_one_common_word_is_not_looked_for_in_every_record(
    large: str, visible: Seen, most: float
) -> None:
    number, _ = read(large, lambda hub: hub.candidates(QUESTION, visible, limit=50, reading=[WORD]))
    assert number < most


def test_of_a_common_failure_the_newest_records_are_read(large: str) -> None:
    number, _ = read(large, lambda hub: hub.alike([FAILURE], EVERYBODY, 50))
    assert number < RECORDS / 10


def test_how_many_had_a_failure_is_counted_without_reading_records(large: str) -> None:
    assert read(large, lambda hub: hub.shared("template", "", EVERYBODY, 50)) == (0, 0)


def test_records_are_read_by_their_names(large: str) -> None:
    names = [(NAMES[number], f"note-{number * EACH:010}") for number in range(40)]
    number, _ = read(large, lambda hub: hub.newest(EVERYBODY, only=names, limit=40))
    assert number == len(names)


def test_how_many_records_repositories_have_is_counted_without_reading_them(large: str) -> None:
    assert read(large, lambda hub: hub.sizes(EVERYBODY)) == (0, 0)


def test_tables_of_an_older_version_are_brought_up_to_date(large: str) -> None:
    def answers() -> object:
        engine = open_engine(large)
        with engine.writing():
            engine.forget(NAMES[0], ["note-0000000001"])
        shared = engine.shared("template", "", EVERYBODY, 9)
        given = shared, engine.alike([FAILURE], SOME, 9), engine.sizes(SOME)
        engine.close()
        return given

    expected = answers()
    with psycopg.connect(large, autocommit=True) as connection:
        connection.execute("SET search_path = gitmem_hub")
        connection.execute("DROP TABLE printed")
        connection.execute("ALTER TABLE repository DROP COLUMN records")
        connection.execute("CREATE INDEX record_prints ON record USING gin (prints)")
        connection.execute("DELETE FROM version WHERE version > 7")
    assert answers() == expected
