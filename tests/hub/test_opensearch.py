"""What OpenSearch alone needs: one writer at a time, steps without transactions, lost nodes."""

import sys
import threading
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.parts.hub import opensearch_schema
from gitmem.parts.hub.opensearch import OpenSearchHub
from gitmem.parts.hub.protocol import Head, Seen
from tests.hub import nodes, worlds
from tests.hub.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
ONE = "payments/api"
MINE = Seen(repositories=frozenset({ONE}))


def everything(hub: OpenSearchHub) -> int:
    return hub.counts([])[1]


@pytest.fixture
def hub(opensearch: str) -> "Iterator[OpenSearchHub]":
    opened = OpenSearchHub(opensearch)
    yield opened
    opened.close()


def test_what_a_killed_writer_had_begun_to_forget_the_next_one_forgets(
    hub: OpenSearchHub, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = worlds.entries(Random(1), ONE, 30)
    with hub.writing():
        hub.put(made)
        hub.took(ONE, Head("first"))
    gone = made[0].id
    killed = OpenSearchHub(opensearch)
    write = killed._write
    times: list[object] = []

    def writes_once(actions: "list[dict[str, object]]") -> None:
        if times:
            raise KeyboardInterrupt  # as good as killed: nothing else of the step happens
        times.append(actions)
        write(actions)

    monkeypatch.setattr(killed, "_write", writes_once)
    with pytest.raises(KeyboardInterrupt), killed.writing():
        killed.forget(ONE, [gone], for_good=True)
    killed.close()
    assert everything(hub) == 30
    with hub.writing():
        pass
    assert everything(hub) == 29
    assert hub.forgotten(ONE) == {gone}
    with hub.writing():
        assert hub.put(made) == 0


def test_a_writer_whose_turn_is_over_writes_nothing(
    hub: OpenSearchHub, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It slept, or its machine did: somebody else has written since."""
    made = worlds.entries(Random(2), ONE, 10)
    other = OpenSearchHub(opensearch)
    monkeypatch.setattr("gitmem.parts.hub.opensearch_lease.LEASE", -1.0)
    with pytest.raises(EnvironmentProblem, match="another writer"), hub.writing():  # noqa: PT012
        hub.put(made)
        with other.writing():
            other.took(ONE, Head("theirs"))
    assert everything(hub) == 0
    assert hub.heads()[ONE].commit == "theirs"
    other.close()


def test_writers_wait_for_each_other(hub: OpenSearchHub, opensearch: str) -> None:
    inside: list[int] = []
    most: list[int] = []

    def writes(number: int) -> None:
        mine = OpenSearchHub(opensearch)
        for _ in range(3):
            with mine.writing():
                inside.append(number)
                most.append(len(inside))
                time.sleep(0.02)
                mine.hold(f"r{number}", [])
                mine.took(f"r{number}", Head(str(number)))
                inside.remove(number)
        mine.close()

    threads = [threading.Thread(target=writes, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 12
    assert set(hub.heads()) == {"r0", "r1", "r2", "r3"}


def test_a_newer_gitmem_s_indices_are_left_alone(
    hub: OpenSearchHub, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert everything(hub) == 0
    monkeypatch.setattr(opensearch_schema, "VERSION", 0)
    with pytest.raises(EnvironmentProblem, match="newer gitmem"):
        OpenSearchHub(opensearch)


def test_addresses() -> None:
    parse = opensearch_schema.parse
    address = parse("opensearch+https://ada:s%40fe@a.example.com,b.example.com:9201/team?shards=3")
    assert address.nodes == ("https://a.example.com:9200", "https://b.example.com:9201")
    assert (address.user, address.password) == ("ada", "s@fe")
    assert (address.records, address.shards) == ("team-records", 3)
    assert parse("opensearch+http://[::1]:9200").nodes == ("http://[::1]:9200",)
    for wrong in ("opensearch+ftp://a", "opensearch+https://", "opensearch+https://a?shards=x"):
        with pytest.raises(UsageError):
            parse(wrong)


def test_no_node_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.parts.hub.opensearch._PATIENCE", 0.0)
    with pytest.raises(EnvironmentProblem, match="does not answer"):
        OpenSearchHub("opensearch+http://127.0.0.1:1")


def test_one_node_of_three_is_killed_while_they_are_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not nodes.is_here():
        pytest.skip(nodes.WHY_NOT)
    running = nodes.cluster(3)
    try:
        _killed_one(running, capsys)
    finally:
        for node in running:
            node.stop()


def _killed_one(running: "list[nodes.Node]", capsys: pytest.CaptureFixture[str]) -> None:
    hub = OpenSearchHub(nodes.address(running, "hub?shards=3"))
    made = worlds.entries(Random(3), ONE, 60)
    with hub.writing():
        hub.put(made)
        hub.took(ONE, Head("first"))
    running[1].wait(3)

    def ask() -> int:
        found = hub.candidates([(word, 1.0) for word in worlds.NOUNS], MINE)
        return min(len(found), everything(hub))

    asking = Asking(ask)
    with asking.under_way():
        asking.wait_for(20)
        killed = time.monotonic()
        running[0].kill()
        asking.wait_for(50, since=killed + 0.5)
        forgetting = time.monotonic()
        with hub.writing():
            hub.took(ONE, Head("second"))
            hub.forget(ONE, [made[0].id])
        writable = time.monotonic()
    assert not asking.failures
    # Never a part of what there is, as where the shard of a dead node is left out.
    assert {count for when, count in asking.answers if when < forgetting} == {60}
    with hub.writing():
        assert hub.put(made) == 1
    assert len(hub.ids(ONE)) == 60
    with capsys.disabled():
        sys.stdout.write(
            f"\n  longest wait for an answer {asking.longest_wait():.0f} ms;"
            f" written again {(writable - killed) * 1000:.0f} ms after the kill\n"
        )
    hub.close()
