"""One hub in several databases: what joins it, what is refused, and what a question then finds."""

from random import Random
from typing import TYPE_CHECKING

import psycopg
import pytest

from gitmem.errors import EnvironmentProblem
from gitmem.parts.hub import opening
from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.protocol import Head, Held, Seen
from gitmem.parts.hub.scan import ScanHub
from tests.hub import worlds
from tests.hub.organisation import Hub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gitmem.parts.hub.protocol import Engine
    from tests.hub import servers

EVERYBODY = Seen(internal=True)
NAMES = [f"team/repository-{number}" for number in range(24)]


@pytest.fixture
def new_database(server: "servers.Server") -> "Iterator[Callable[[], str]]":
    names: list[str] = []

    def create() -> str:
        names.append(f"joining{len(names)}")
        server.run(f"CREATE DATABASE {names[-1]}")
        return server.url(names[-1])

    yield create
    for name in names:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


def fill(hub: "Engine", seed: int = 1) -> "list[str]":
    """Give each repository records, a file that is held back, and an id that is forgotten."""
    rng = Random(seed)
    away = []
    for name in NAMES:
        made = worlds.entries(rng, name, 12)
        with hub.writing():
            hub.put(made)
            hub.hold(name, [Held("a.yaml", "1", "unreadable")])
            hub.forget(name, [made[0].id], for_good=True)
            hub.took(name, Head("c", "m", internal=True, run=7))
        away.append(made[0].id)
    return away


def everything(hub: "Engine") -> object:
    """Give all that can be known of a hub, but when it took what it took."""
    rng = Random(2)
    return (
        {name: head._replace(taken=0.0) for name, head in hub.heads().items()},
        {name: (hub.ids(name), hub.forgotten(name)) for name in NAMES},
        hub.counts(worlds.NOUNS),
        hub.newest(EVERYBODY, limit=1_000),
        hub.sizes(EVERYBODY),
        [hub.candidates(worlds.question(rng), EVERYBODY, limit=20) for _ in range(20)],
    )


def records_in(address: str) -> int:
    with psycopg.connect(address) as connection:
        ((number,),) = connection.execute("SELECT count(*) FROM gitmem_hub.record").fetchall()
        return int(number)


def test_databases_that_join_take_their_share_and_nothing_is_lost(
    new_database: "Callable[[], str]",
) -> None:
    oracle = ScanHub()
    fill(oracle)
    addresses = [new_database()]
    alone = open_engine(addresses[0])
    fill(alone)
    alone.close()
    expected = [everything(oracle)]
    for databases in (2, 3):
        addresses.append(new_database())
        whole = " ".join(addresses)
        with pytest.raises(EnvironmentProblem, match=f"database 1 of {databases}") as refused:
            open_engine(whole)
        assert "gitmem hub spread" in refused.value.hint
        before = [records_in(address) for address in addresses[:-1]]
        moved = opening.spread(whole)
        assert 0 < moved < len(NAMES)
        after = [records_in(address) for address in addresses]
        assert sum(after) == sum(before)
        assert all(now < then for now, then in zip(after, before, strict=False))
        assert after[-1] > 0
        assert opening.spread(whole) == 0
        hub = open_engine(whole)
        assert [everything(hub)] == expected
        hub.close()
    with pytest.raises(EnvironmentProblem, match="and there is database 1 of 3"):
        open_engine(addresses[0])
    for wrong in (addresses[:2], [addresses[1], addresses[0], addresses[2]]):
        for opens in (open_engine, opening.spread):
            with pytest.raises(EnvironmentProblem, match="and there is database") as refused:
                opens(" ".join(wrong))
            assert "in the order" in refused.value.hint


def test_what_was_forgotten_for_good_stays_away_where_its_repository_moves(
    new_database: "Callable[[], str]",
) -> None:
    addresses = [new_database(), new_database()]
    alone = open_engine(addresses[0])
    away = fill(alone)
    with alone.writing():
        for name in NAMES:
            alone.drop(name)  # only what was forgotten is left of it
    alone.close()
    opening.spread(" ".join(addresses))
    hub = open_engine(" ".join(addresses))
    assert [hub.forgotten(name) for name in NAMES] == [{one} for one in away]
    rng = Random(1)
    for name, gone in zip(NAMES, away, strict=True):
        made = worlds.entries(rng, name, 12)
        with hub.writing():
            assert hub.put(made) == len(made) - 1
        assert gone not in {kept.id for kept in hub.ids(name).values()}
    hub.close()


def test_moving_that_was_interrupted_goes_on(
    new_database: "Callable[[], str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitmem.parts.hub.postgres import PostgresHub  # noqa: PLC0415  an extra

    oracle = ScanHub()
    fill(oracle)
    addresses = [new_database(), new_database()]
    old = open_engine(addresses[0])
    fill(old)
    whole = " ".join(addresses)
    moves = 0
    move_from = PostgresHub.move_from

    def third_fails(self: PostgresHub, other: PostgresHub, name: str) -> None:
        nonlocal moves
        move_from(self, other, name)
        moves += 1
        if moves == 3:
            raise KeyError

    monkeypatch.setattr(PostgresHub, "move_from", third_fails)
    with pytest.raises(KeyError):
        opening.spread(whole)
    monkeypatch.undo()
    for address in (whole, addresses[0]):  # half of it is in either
        with pytest.raises(EnvironmentProblem, match="being moved") as refused:
            open_engine(address)
        assert "gitmem hub spread" in refused.value.hint
    with pytest.raises(EnvironmentProblem, match="being moved"):
        old.newest(EVERYBODY, limit=9)
    with pytest.raises(EnvironmentProblem, match="being moved"), old.writing():
        old.drop(NAMES[0])
    old.close()
    # As after a power cut between two transactions: a repository that came is not gone yet.
    source, target = (psycopg.connect(address, autocommit=True) for address in addresses)
    ((name,),) = target.execute("SELECT name FROM gitmem_hub.repository LIMIT 1").fetchall()
    source.execute("INSERT INTO gitmem_hub.repository (name) VALUES (%s)", [name])
    source.close()
    target.close()
    opening.spread(whole)
    hub = open_engine(whole)
    kept = [one for one in NAMES if one != name]
    assert {one: hub.ids(one) for one in kept} == {one: oracle.ids(one) for one in kept}
    hub.close()


def test_a_hub_that_was_open_before_a_database_joined_neither_writes_nor_answers(
    new_database: "Callable[[], str]",
) -> None:
    addresses = [new_database(), new_database()]
    old = open_engine(addresses[0])
    fill(old)
    assert len(old.newest(EVERYBODY, limit=1_000)) > 100
    opening.spread(" ".join(addresses))
    with pytest.raises(EnvironmentProblem, match="there is database 1 of 2"):
        old.newest(EVERYBODY, limit=1_000)
    with pytest.raises(EnvironmentProblem, match="there is database 1 of 2"), old.writing():
        old.drop(NAMES[0])
    old.close()


def test_the_command_moves_them(new_database: "Callable[[], str]", tmp_path: "Path") -> None:
    addresses = [new_database(), new_database()]
    alone = open_engine(addresses[0])
    fill(alone)
    alone.close()
    hub = Hub(tmp_path / "hub", " ".join(addresses))
    assert hub.run("status", code=6) == ""
    moved = hub.run("spread")
    assert moved.endswith(" repositories moved\n")
    assert int(moved.split()[0]) > 1
    assert hub.run("spread") == "0 repositories moved\n"
    hub.run("status")
