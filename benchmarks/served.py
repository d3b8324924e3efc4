"""``gitmem serve``: first bytes of every page, many readers at once, memory, leaks, idleness.

Prints a table for each size. The pages are asked over one connection, warm, one after the other;
what the server itself took is its processor's time, which a busy machine does not change.
"""

import argparse
import asyncio
import http.client
import os
import re
import resource
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.figures import Subject, gitmem
from benchmarks.measure import child

_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PATIENCE: Final = 120
_IDLE_SECONDS: Final = 20
_ROUND: Final = 1_000


class PageCost(NamedTuple):
    """What a page took: milliseconds to the first byte, sorted, and of processor for each."""

    name: str
    milliseconds: list[float]
    processor: float
    size: int


class ServedMemory:
    """A running server of one memory.

    Args:
        process: the server.
        port: on which it listens.
        token: lets in.
        name: of its repository.

    """

    def __init__(self, process: "subprocess.Popen[str]", port: int, token: str, name: str) -> None:
        self.process = process
        self.port = port
        self.root = f"/r/{name}"
        self.headers = {"authorization": f"Bearer {token}"}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)

    def ask(self, path: str) -> tuple[float, str]:
        """Ask for a page; give the milliseconds to its first byte, and its text."""
        began = time.perf_counter()
        self._connection.request("GET", path, headers=self.headers)
        response = self._connection.getresponse()
        first = response.read(1)
        took = (time.perf_counter() - began) * 1000
        text = (first + response.read()).decode()
        if response.status != http.client.OK:
            raise SystemExit(f"{path}: {response.status} {text[:300]}")
        return took, text

    def hang_up(self) -> None:
        """End the connection; the next question makes a new one. Idle ones the server ends."""
        self._connection.close()

    def processor(self) -> float:
        """Give the seconds of processor that the server has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def megabytes(self, field: str = "VmRSS") -> float:
        """Give what it holds in memory; ``VmHWM`` is the most it ever did."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        match = re.search(rf"{field}:\s+(\d+) kB", status)
        return int(match[1]) / 1024 if match else 0.0

    def handles(self) -> int:
        """Count its open files."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


@contextmanager
def served(repository: Path) -> Iterator[ServedMemory]:
    """Serve a memory until the end of the block."""
    process = subprocess.Popen(
        gitmem("serve", "--no-browser"), cwd=repository, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        line = process.stderr.readline() if process.stderr else ""
        address = _ADDRESS.search(line)
        if address is None:
            raise SystemExit(f"the server did not start: {line}")
        yield ServedMemory(process, int(address[1]), address[2], repository.name)
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def pages(server: ServedMemory) -> dict[str, str]:
    """Give the addresses of all pages; those about one thing take the first that is linked."""
    listed = server.ask(f"{server.root}/search?q=kind:error")[1]
    sessions = server.ask(f"{server.root}/sessions")[1]
    files = server.ask(f"{server.root}/file")[1]

    def first(text: str, pattern: str) -> str:
        match = re.search(rf'href="({server.root}{pattern})"', text)
        return match[1].replace("&amp;", "&") if match else ""

    addresses = {
        "overview": f"{server.root}/",
        "search, newest": f"{server.root}/search",
        "search, words": f"{server.root}/search?q=connection+refused",
        "search, filters": f"{server.root}/search?q=kind:error+status:open",
        "record": first(listed, r"/record/err-\w+"),
        "sessions": f"{server.root}/sessions",
        "session": first(sessions, r"/session/ses-\w+"),
        "graph": f"{server.root}/graph",
        "files": f"{server.root}/file",
        "file": first(files, r"/file\?path=[^\"]+"),
        "weekday": f"{server.root}/weekday?day=1",
        "review": f"{server.root}/review",
        "drafts": f"{server.root}/drafts",
        "health": f"{server.root}/health",
        "new": f"{server.root}/new",
        "api: stats": f"/api/v1{server.root.removeprefix('/r')}/stats",
        "api: records": f"/api/v1{server.root.removeprefix('/r')}/records",
    }
    return {name: path for name, path in addresses.items() if path}


def cost(server: ServedMemory, name: str, path: str, runs: int) -> PageCost:
    """Ask for a page again and again, once before to warm it."""
    _, text = server.ask(path)
    before = server.processor()
    took = sorted(server.ask(path)[0] for _ in range(runs))
    used = (server.processor() - before) * 1000 / runs
    return PageCost(name, took, used, len(text))


async def _reader(server: ServedMemory, paths: list[str], until: float, at: int) -> tuple[int, int]:
    """Read pages over one connection until a time; give how many came, and how many failed."""
    done = failed = 0
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    while time.monotonic() < until:
        path = paths[(at + done) % len(paths)]
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        head += f"authorization: {server.headers['authorization']}\r\n\r\n"
        writer.write(head.encode())
        answered = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = re.search(r"content-length: (\d+)", answered)
        await reader.readexactly(int(length[1]) if length else 0)
        failed += " 200 " not in answered.partition("\r\n")[0]
        done += 1
    writer.close()
    return done, failed


async def crowd(
    server: ServedMemory, paths: list[str], readers: int, seconds: float
) -> tuple[int, int]:
    """Let many readers ask at once; give how many answers came, and how many were errors."""
    until = time.monotonic() + seconds
    tasks = [_reader(server, paths, until, at) for at in range(readers)]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    done = sum(result[0] for result in results if not isinstance(result, BaseException))
    failed = sum(1 if isinstance(result, BaseException) else result[1] for result in results)
    return done, failed


def leaks(server: ServedMemory, paths: list[str], requests: int) -> list[tuple[float, int]]:
    """Give memory and open files after each thousand of requests."""
    course = []
    for number in range(requests):
        server.ask(paths[number % len(paths)])
        if number % _ROUND == _ROUND - 1:
            course.append((server.megabytes(), server.handles()))
    return course


def measure(size: int, folder: Path, given: argparse.Namespace) -> None:
    """Measure one memory, and print what came of it."""
    with served(folder) as server:
        print(f"\n{size:,} records, {folder}, load {os.getloadavg()[0]:.1f}", flush=True)
        addresses = pages(server)
        for name, path in addresses.items():
            page = cost(server, name, path, given.runs)
            p95 = page.milliseconds[int(len(page.milliseconds) * 0.95) - 1]
            print(
                f"  {name:16} p50 {statistics.median(page.milliseconds):7.1f} ms"
                f"  p95 {p95:7.1f}  processor {page.processor:7.1f}  {page.size:8,} bytes",
                flush=True,
            )
        server.hang_up()
        quick = [path for name, path in addresses.items() if name != "review"]
        print(f"  memory {server.megabytes():.0f} MB", flush=True)
        done, failed = asyncio.run(crowd(server, quick, given.readers, given.seconds))
        print(
            f"  {given.readers} readers, {given.seconds:g} s: {done:,} answers, {failed} errors,"
            f" memory {server.megabytes():.0f} MB, at most {server.megabytes('VmHWM'):.0f}",
            flush=True,
        )
        course = leaks(server, quick, given.requests)
        for at, (megabytes, handles) in enumerate(course, 1):
            print(f"  after {at * _ROUND:6,}: {megabytes:.1f} MB, {handles} files", flush=True)
        before = server.processor()
        time.sleep(_IDLE_SECONDS)
        print(f"  idle for {_IDLE_SECONDS} s: {server.processor() - before:.2f} s of processor")


def main() -> None:
    """Measure the page in memories of some sizes, or in one that is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.served", description=main.__doc__)
    parser.add_argument("size", type=int, nargs="+", help="records")
    parser.add_argument("--folder", type=Path, help="a repository that is there, of that size")
    parser.add_argument("--build", type=Path, default=Path("build", "bench"))
    parser.add_argument("--runs", type=int, default=40, help="requests of each page (40)")
    parser.add_argument("--readers", type=int, default=200, help="at once (200)")
    parser.add_argument("--seconds", type=float, default=30.0, help="that they read (30)")
    parser.add_argument("--requests", type=int, default=10_000, help="to look for leaks (10000)")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for size in given.size:
        if given.folder:
            measure(size, given.folder.resolve(), given)
            continue
        build = given.build.resolve()
        subject = Subject(size, build / child("generator", size, build))
        subject.restore()
        measure(size, subject.repository, given)


if __name__ == "__main__":
    main()
