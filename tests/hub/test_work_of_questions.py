"""What a question reads of a PostgreSQL: a share of the hub, however common its words are."""

import time
from random import Random
from typing import TYPE_CHECKING

import psycopg
import pytest

from gitmem.hub.opening import open_engine
from gitmem.hub.postgres_connections import APPLICATION
from gitmem.hub.protocol import STRONG, Entry, Head, Seen
from tests.hub import worlds

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.hub.protocol import Engine

NAMES = [f"team/repository-{number}" for number in range(40)]
RECORDS = 4_000
EVERYBODY = Seen(internal=True)
SOME = Seen(repositories=frozenset(NAMES[:4]))
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
        repository=NAMES[number % len(NAMES)],
        id=f"note-{number:010}",
        created=f"2026-01-01T00:00:00.{number:06}Z",
        impacts=impacts,
        prints=(FAILURE,) if number % 2 else (),
    )


def read(address: str, ask: "Callable[[Engine], object]") -> int:
    """Count the records that a question reads: what the indexes of these give."""
    before = _given(address)
    engine = open_engine(address)
    ask(engine)
    engine.close()
    return _given(address) - before


def _given(address: str) -> int:
    with psycopg.connect(address, autocommit=True) as connection:
        # A connection that ends adds what it read before it is gone.
        while connection.execute(
            "SELECT FROM pg_stat_activity WHERE application_name = %s"
            " AND datname = current_database()",
            [APPLICATION],
        ).fetchall():
            time.sleep(0.01)
        ((number,),) = connection.execute(
            "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE relname = 'record'"
        ).fetchall()
    return int(number)


@pytest.mark.parametrize(
    ("visible", "records"), [(EVERYBODY, RECORDS), (SOME, 4 * RECORDS // len(NAMES))]
)
def test_one_common_word_is_not_looked_for_in_every_record(
    large: str, visible: Seen, records: int
) -> None:
    number = read(large, lambda hub: hub.candidates(QUESTION, visible, limit=500, reading=[WORD]))
    assert number < records * 0.6


def test_of_a_common_failure_the_newest_records_are_read(large: str) -> None:
    assert read(large, lambda hub: hub.alike([FAILURE], EVERYBODY, 50)) < RECORDS / 10


def test_how_many_had_a_failure_is_counted_without_reading_records(large: str) -> None:
    assert read(large, lambda hub: hub.shared("template", "", EVERYBODY, 50)) == 0
