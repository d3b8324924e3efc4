"""Measures a hub on a server of its own: bytes a record, filling, questions, pages.

    python -m benchmarks.hub --records 100000 --repositories 5000 --engine opensearch

The records are those of the other benchmarks, dealt out to repositories.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from benchmarks.queries import questions
from benchmarks.records import Plan, make
from gitmem.index.analysis import distinct_terms
from gitmem.parts.hub import questions as hub_questions
from gitmem.parts.hub.entries import entries_of
from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.organisation import mended, search, shared_failures
from gitmem.parts.hub.organisation import repositories as repositories_of
from gitmem.parts.hub.policy import Publishing
from gitmem.parts.hub.protocol import Engine, Entry, Head, Seen
from tests.hub import nodes, servers

_BATCH: Final = 500
_ASKED: Final = 200
_FEW: Final = 100
_PAGES: Final = 20
_ON_PAGE: Final = 40
_MOST_WORDS: Final = 24
_SIZE: Final = """
SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = 'gitmem_hub' AND relkind = 'r'
"""
_PUBLISHES: Final = Publishing(publish=True)


def main() -> int:
    """Fill a hub and ask it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--repositories", type=int, default=5_000)
    parser.add_argument("--engine", choices=("postgresql", "opensearch"), default="postgresql")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    here, why_not = {
        "postgresql": (servers.binaries(), servers.WHY_NOT),
        "opensearch": (nodes.is_here(), nodes.WHY_NOT),
    }[arguments.engine]
    if not here:
        print(why_not, file=sys.stderr)
        return 1
    server = _Postgresql() if arguments.engine == "postgresql" else _OpenSearch()
    try:
        figures = _measured(server, arguments.records, arguments.repositories)
    finally:
        server.stop()
    for name, value in figures.items():
        print(f"{name:44} {value:12,.1f}")
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


class _Postgresql:
    """A server with an empty database."""

    def __init__(self) -> None:
        self._server = servers.primary()
        self.address = self._server.address()

    def size(self) -> float:
        """Tidy up, as a server does by itself; give the bytes of all tables and indexes."""
        self._server.run("VACUUM ANALYZE")
        return float(str(self._server.run(_SIZE)[0][0]))

    def stop(self) -> None:
        self._server.stop()


class _OpenSearch:
    """One node, with the heap of a small one."""

    def __init__(self) -> None:
        (self._node,) = nodes.cluster(1, heap="2g")
        self.address = nodes.address([self._node], "hub")

    def size(self) -> float:
        """Tidy up, as a node does by itself in the end; give the bytes of the records' index."""
        self._ask("hub-records/_forcemerge?max_num_segments=5", method="POST")
        statistics_of_all = self._ask("hub-records/_stats/store")["_all"]
        return float(statistics_of_all["primaries"]["store"]["size_in_bytes"])

    def _ask(self, path: str, method: str = "GET") -> Any:  # noqa: ANN401  JSON
        connection = HTTPConnection(self._node.host, timeout=600)
        connection.request(method, f"/{path}")
        with connection.getresponse() as answer:
            return json.load(answer)

    def stop(self) -> None:
        self._node.stop()


def _measured(
    server: _Postgresql | _OpenSearch, records: int, repositories: int
) -> dict[str, float]:
    plan = Plan(records)
    hub = open_engine(server.address)
    names = [f"team{number % 50}/repository-{number}" for number in range(repositories)]
    figures: dict[str, float] = {"load at the start": os.getloadavg()[0]}
    prints: list[tuple[tuple[str, str], ...]] = []
    began, writing = time.monotonic(), 0.0
    for batch in _batches(plan, repositories):
        began_writing = time.monotonic()
        with hub.writing():
            hub.put(batch)
        writing += time.monotonic() - began_writing
        prints += [entry.prints for entry in batch[:5] if entry.prints]
    figures["filling, records/s, analysis included"] = records / (time.monotonic() - began)
    figures["filling, records/s, database alone"] = records / writing
    with hub.writing():
        for name in names:
            hub.took(name, Head("c", "m", internal=True))
    figures["bytes a record"] = server.size() / records
    rng = random.Random(1)
    texts_by_kind = questions(plan, _ASKED)
    few = Seen(repositories=frozenset(rng.sample(names, min(_FEW, len(names)))))
    for who, visible in (("all", Seen(internal=True)), (f"{_FEW} repositories", few)):
        chosen = [rng.choice(prints) for _ in range(_ASKED)]
        asks: dict[str, list[Callable[[], object]]] = {
            "fingerprint": [
                partial(hub_questions.alike, hub, prints, visible) for prints in chosen
            ],
        }
        for kind in ("three words", "pasted error"):
            asks[kind] = [
                partial(hub_questions.by_words, hub, distinct_terms(text)[:_MOST_WORDS], visible)
                for text in texts_by_kind[kind]
            ]
        # As if it were the day of the newest record.
        now = datetime.fromisoformat(hub.newest(visible, limit=1)[0].created)
        for name, days in (("failures of 30 days", 30), ("failures of a year", 365)):
            asks[name] = [partial(shared_failures, hub, visible, now, days, 15)] * _PAGES
        asks["overview"] = [partial(_overview, hub, visible, now)] * _PAGES
        asks["fixes"] = [partial(mended, hub, visible, _ON_PAGE)] * _PAGES
        asks["search page"] = [
            partial(search, hub, text, visible, now, _ON_PAGE)
            for text in texts_by_kind["three words"][:_PAGES]
        ]
        for kind, calls in asks.items():
            times = sorted(_milliseconds(calls))
            figures[f"{kind}, {who}: p50 ms"] = statistics.median(times)
            figures[f"{kind}, {who}: p99 ms"] = times[int(len(times) * 0.99)]
    figures["load at the end"] = os.getloadavg()[0]
    hub.close()
    return figures


def _overview(hub: Engine, visible: Seen, now: datetime) -> object:
    failures = shared_failures(hub, visible, now, 30, 8)
    return failures, repositories_of(hub, visible), mended(hub, visible, 8)


def _milliseconds(calls: list[Callable[[], object]]) -> Iterator[float]:
    for call in calls[:10]:
        call()
    for call in calls:
        began = time.perf_counter()
        call()
        yield (time.perf_counter() - began) * 1000


def _batches(plan: Plan, repositories: int) -> Iterator[list[Entry]]:
    starts = range(0, plan.size, _BATCH)
    with ProcessPoolExecutor() as pool:
        yield from pool.map(partial(_batch, plan, repositories), starts)


def _batch(plan: Plan, repositories: int, start: int) -> list[Entry]:
    # A repository has records of its own time: rounds of twenty belong together.
    entries: list[Entry] = []
    for first in range(start, min(start + _BATCH, plan.size), 20):
        name = f"team{first // 20 % repositories % 50}/repository-{first // 20 % repositories}"
        numbers = range(first, min(first + 20, plan.size))
        files = {file.path: ("b" * 40, file.data) for file in (make(plan, at) for at in numbers)}
        entries += entries_of(name, "c" * 40, files, _PUBLISHES)[0]
    return entries


if __name__ == "__main__":
    sys.exit(main())
