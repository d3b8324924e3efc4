"""Real servers that are killed: no record is lost or doubled, and answers come again."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem
from gitmem.parts.hub.protocol import Head, Seen
from tests.e2e.running import COMMAND, environment
from tests.hub import servers, worlds
from tests.hub.asking import Asking
from tests.hub.organisation import Hub
from tests.hub.test_taking import publishing, write

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.parts.hub.protocol import Engine, Entry
    from tests.conftest import Checkout

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sealed_git")]
ONE = "payments/api"
MINE = Seen(repositories=frozenset({ONE}))


@pytest.fixture
def cluster() -> "Iterator[list[servers.Server]]":
    if not servers.binaries():
        pytest.skip(servers.WHY_NOT)
    running = [servers.primary()]
    try:
        running.append(servers.standby(running[0]))
        running.append(servers.standby(running[0]))
        yield running
    finally:
        for one in reversed(running):
            one.stop()


def test_the_primary_of_three_is_killed_while_it_is_asked(
    cluster: "list[servers.Server]", capsys: pytest.CaptureFixture[str]
) -> None:
    from gitmem.parts.hub.postgres import PostgresHub  # noqa: PLC0415  an extra

    ports = ",".join(str(one.port) for one in cluster)
    hub = PostgresHub(f"host=127.0.0.1,127.0.0.1,127.0.0.1 port={ports} dbname=postgres user=hub")
    made = worlds.entries(Random(1), ONE, 60)
    with hub.writing():
        hub.put(made)
        hub.took(ONE, Head("first"))
    for one in cluster[1:]:
        _until(partial(_has, one, 60))
    asking = Asking(lambda: len(hub.candidates([(word, 1.0) for word in worlds.NOUNS], MINE)))
    with asking.under_way():
        asking.wait_for(21)
        killed = time.monotonic()
        cluster[0].kill()
        asking.wait_for(21, since=killed + 0.3)
        cluster[1].promote()
        _until(lambda: _writes(hub))
        writable = time.monotonic()
    assert not asking.failures
    assert len({count for _, count in asking.answers}) == 1
    with hub.writing():
        assert hub.put(made) == 0
    assert len(hub.ids(ONE)) == 60
    with capsys.disabled():
        sys.stdout.write(
            f"\n  longest wait for an answer {asking.longest_wait():.0f} ms;"
            f" written again {(writable - killed) * 1000:.0f} ms after the kill\n"
        )
    hub.close()


def test_a_database_of_several_is_killed_while_its_standby_lives(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two databases, one with a standby: the same answers from it, and then it takes over."""
    from gitmem.parts.hub.postgres_shards import ShardedHub  # noqa: PLC0415  an extra

    if not servers.binaries():
        pytest.skip(servers.WHY_NOT)
    running = [servers.primary(), servers.primary()]
    try:
        running.append(servers.standby(running[0]))
        first, other, standby = running
        both = f"postgresql://hub@127.0.0.1:{first.port},127.0.0.1:{standby.port}/postgres"
        hub = ShardedHub([both, other.url()])
        names = [f"team/repository-{number}" for number in range(12)]
        rng = Random(1)
        made = [worlds.entries(rng, name, 20) for name in names]
        for name, some in zip(names, made, strict=True):
            with hub.writing():
                hub.put(some)
                hub.took(name, Head("first", internal=True))
        counts = [one.run("SELECT count(*) FROM gitmem_hub.record")[0][0] for one in running[:2]]
        assert all(counts)
        _until(lambda: standby.run("SELECT count(*) FROM gitmem_hub.record") == [(counts[0],)])
        words = [(word, 1.0) for word in worlds.NOUNS]
        asking = Asking(lambda: hash(repr(hub.candidates(words, Seen(internal=True)))))
        with asking.under_way():
            asking.wait_for(21)
            killed = time.monotonic()
            first.kill()
            asking.wait_for(21, since=killed + 0.3)
            standby.promote()
            _until(lambda: _takes(hub, made))
            writable = time.monotonic()
        assert not asking.failures
        assert len({answer for _, answer in asking.answers}) == 1
        assert {name: len(hub.ids(name)) for name in names} == {
            name: len(some) for name, some in zip(names, made, strict=True)
        }
        with capsys.disabled():
            sys.stdout.write(
                f"\n  longest wait for an answer {asking.longest_wait():.0f} ms;"
                f" written again {(writable - killed) * 1000:.0f} ms after the kill\n"
            )
        hub.close()
    finally:
        for one in reversed(running):
            one.stop()


def _takes(hub: "Engine", made: "list[list[Entry]]") -> bool:
    try:
        with hub.writing():
            assert not any(hub.put(some) for some in made)
    except EnvironmentProblem:
        return False
    return True


def _has(one: servers.Server, records: int) -> bool:
    return one.run("SELECT count(*) FROM gitmem_hub.record") == [(records,)]


def _writes(hub: object) -> bool:
    try:
        with hub.writing():  # type: ignore[attr-defined]
            hub.took(ONE, Head("second"))  # type: ignore[attr-defined]
    except EnvironmentProblem:
        return False
    return True


def _until(done: "Callable[[], bool]") -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("kind", ["database", "shards", "opensearch"])
def test_a_hub_that_is_killed_in_the_middle_of_a_sync_goes_on(
    kind: str,
    request: pytest.FixtureRequest,
    make_repo: "Callable[..., Checkout]",
    tmp_path: Path,
) -> None:
    database = request.getfixturevalue(kind)
    rng = Random(2)
    repo = make_repo("api")
    publishing(repo)
    write(repo, rng, 1_200)
    repo.commit()
    hub = Hub(tmp_path / "hub", database)
    hub.run("add", ONE, str(repo))
    killed = 0
    for wait in (0.4, 0.8, 1.2, 1.6, 2.0, 2.4):
        process = subprocess.Popen(
            [COMMAND, "hub", "--at", str(hub.folder), "sync"],
            env=environment({"GITMEM_HUB_DATABASE": database}), start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
    assert killed
    hub.run("sync")
    assert hub.run("check") == ""
    assert "1200 records" in hub.run("status")
