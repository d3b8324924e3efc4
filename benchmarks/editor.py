"""The language server as an editor sees it: start, hovers, and how soon it knows what changed.

Changes what is in the repository; the caller puts it back. Prints figures.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from benchmarks.editor_world import CODE, World, begin, burst, planted
from benchmarks.figures import Figure, gitmem, print_figures
from benchmarks.lsp_client import Client
from benchmarks.measure import percentile, sealed
from gitmem.memory import Memory

_SECTION: Final = "Language server, over its pipes"
_PATIENCE_SECONDS: Final = 60
_REBUILD_SECONDS: Final = 10
_PAUSE_SECONDS: Final = 0.002
_BURST: Final = 5_000
_SHARE: Final = 2
"""A burst is at most this part of the memory."""


class TooLateError(Exception):
    """What was waited for did not come."""


def measure(repository: Path, size: int, runs: int, hovers: int) -> Iterator[Figure]:
    """Start servers, and use them."""
    world = planted(repository)
    starts = [_start(world) for _ in range(runs)]
    yield _figure("lsp-initialize", "initialize answered, whole process", [a for a, _ in starts])
    yield _figure("lsp-first", "start to the first hover that knows", [b for _, b in starts])
    with Client(repository) as client:
        begin(client, world)
        _wait(lambda: all(client.hover(*at) for at in world.diagnostics()))
        kinds = (
            ("lsp-hover", "hover on a known diagnostic, p50 / p99", world.diagnostics()),
            ("lsp-hover-id", "hover on an id, p50 / p99", world.ids()),
            ("lsp-hover-nothing", "hover where nothing is known, p50 / p99", world.nothing()),
        )
        for key, label, positions in kinds:
            yield _two(key, label, _hovers(client, islice(cycle(positions), hovers)))
        yield Figure("lsp-memory", _SECTION, "memory of the server", (client.memory_mb(),), "MB")
        fresh = [_fresh(client, world, number) for number in range(runs)]
        yield _figure("lsp-fresh", "file written to fresh hover", fresh)
        yield _figure(
            "lsp-fresh-commit", "commit to a hover that names it", [_commit(client, world)]
        )
        many = min(_BURST, size // _SHARE)
        burst(repository, many)
        row = _figure(
            "lsp-fresh-burst", "end of a burst to fresh hover", [_fresh(client, world, runs)]
        )
        yield row._replace(detail=f"{many:,} new files")
        held = client.memory_mb()
        yield Figure("lsp-memory-burst", _SECTION, "  memory of the server then", (held,), "MB")
        yield _beside_a_rebuild(client, world)
    yield from _without_an_index(world)


def _figure(key: str, label: str, milliseconds: list[float]) -> Figure:
    return Figure(key, _SECTION, label, (percentile(milliseconds, 0.5),), "ms")


def _two(key: str, label: str, milliseconds: list[float]) -> Figure:
    values = (percentile(milliseconds, 0.5), percentile(milliseconds, 0.99))
    return Figure(key, _SECTION, label, values, "ms", f"{len(milliseconds):,} hovers")


def _wait(holds: Callable[[], Any]) -> None:
    end = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > end:
            raise TooLateError("the server does not know what it should")
        time.sleep(_PAUSE_SECONDS)


def _start(world: World) -> tuple[float, float]:
    """Start a server; give when ``initialize`` was answered and when a hover knew, in ms."""
    began = time.perf_counter()
    with Client(world.repository) as client:
        begin(client, world)
        _wait(lambda: client.hover(*world.diagnostics()[0]))
        return client.initialize_ms, (time.perf_counter() - began) * 1000


def _hovers(client: Client, positions: Iterator[tuple[Path, int, int]]) -> list[float]:
    times = []
    for at in positions:
        began = time.perf_counter()
        client.hover(*at)
        times.append((time.perf_counter() - began) * 1000)
    return times


def _fresh(client: Client, world: World, number: int) -> float:
    """Put one more fix in the memory, as another program does; time until a hover shows it."""
    text = world.write_fix(number)
    began = time.perf_counter()
    _wait(lambda: text in client.hover(*world.diagnostics()[0]))
    return (time.perf_counter() - began) * 1000


def _commit(client: Client, world: World) -> float:
    """Commit what was written, beside the branch; time until a hover names the commit."""
    for arguments in (("checkout", "-q", "-B", "aside"), ("add", "-A"), ("commit", "-qm", CODE)):
        subprocess.run(["git", *arguments], cwd=world.repository, env=sealed(), check=True)
    began = time.perf_counter()
    _wait(lambda: CODE in client.hover(*world.diagnostics()[0]))
    return (time.perf_counter() - began) * 1000


def _beside_a_rebuild(client: Client, world: World) -> Figure:
    """Hover while another process makes catalog and index anew; cut it short if it takes long."""
    rebuild = subprocess.Popen(
        gitmem("index", "rebuild"),
        cwd=world.repository,
        env=sealed(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    positions = cycle(world.diagnostics())
    times: list[float] = []
    end = time.monotonic() + _REBUILD_SECONDS
    while rebuild.poll() is None and time.monotonic() < end:
        times += _hovers(client, islice(positions, 1))
        time.sleep(_PAUSE_SECONDS)
    rebuild.send_signal(signal.SIGINT)
    rebuild.wait()
    return _two("lsp-hover-rebuild", "hover beside a rebuild, p50 / p99", times)


def _without_an_index(world: World) -> Iterator[Figure]:
    """Start where nothing derived is there: hovers are answered while it is being made."""
    with Memory.open(str(world.repository)) as memory:
        derived = memory.workspace.site.derived
    if derived is None:
        return
    aside = world.repository.parent / "derived-aside"
    shutil.rmtree(aside, ignore_errors=True)
    os.rename(derived, aside)
    began = time.perf_counter()
    client = Client(world.repository)
    try:
        begin(client, world)
        first = client.hover(*world.diagnostics()[0])
        waited = (time.perf_counter() - began) * 1000
        times: list[float] = []
        end = time.monotonic() + _REBUILD_SECONDS
        while not first and time.monotonic() < end:
            start = time.perf_counter()
            first = client.hover(*world.diagnostics()[0])
            times.append((time.perf_counter() - start) * 1000)
            time.sleep(_PAUSE_SECONDS)
        knew = time.perf_counter() - began
    finally:
        client.kill()
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(derived)
        os.rename(aside, derived)
    detail = f"knew after {knew:.1f} s" if first else f"not done after {_REBUILD_SECONDS} s"
    yield Figure("lsp-no-index", _SECTION, "start without an index to first answer", (waited,),
                 "ms", detail)  # fmt: skip
    if times:
        yield _two("lsp-hover-no-index", "hover while it is being made, p50 / p99", times)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("size", type=int)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--hovers", type=int, default=2_000)
    given = parser.parse_args()
    print_figures(measure(given.repository.resolve(), given.size, given.runs, given.hovers))


if __name__ == "__main__":
    main()
