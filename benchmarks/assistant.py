"""The MCP server as an assistant sees it: start, latency of tools, tokens of what it reads.

Writes into the repository; the caller puts it back. Prints figures; none where the extra ``mcp``
is not installed.
"""

import argparse
import importlib.util
import json
import resource
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.figures import Figure, gitmem, tell
from benchmarks.measure import percentile, sealed
from gitmem.learning.tokens import estimate

if TYPE_CHECKING:
    from mcp import Client

_SECTION: Final = "MCP server, over its pipes"
_MOST: Final = 300
"""Calls to one server: it answers 600 a minute."""
_MOST_WRITES: Final = 50
_WARM: Final = 3


class _Asked(NamedTuple):
    """A tool, the argument that each question goes into, and the questions."""

    tool: str
    argument: str
    texts: list[str]
    more: dict[str, Any]


class _Heard(NamedTuple):
    """Milliseconds of each call, the tokens of its answer, and the server's own seconds."""

    milliseconds: list[float]
    tokens: list[int]
    processor: float


def measure(
    repository: Path, questions: dict[str, list[str]], count: int, runs: int
) -> Iterator[Figure]:
    """Start servers, and ask them."""
    if importlib.util.find_spec("mcp") is None:
        return
    import anyio  # noqa: PLC0415  comes with the extra

    before = _processor()
    starts = [anyio.run(_start, repository) for _ in range(runs)]
    idle = (_processor() - before) / runs
    begun = (percentile([one for one, _ in starts], 0.5),)
    detail = f"CPU {idle * 1000:.0f}"
    label = "initialize answered, whole process"
    yield Figure("mcp-initialize", _SECTION, label, begun, "ms", detail)
    listed = json.dumps(starts[0][1], separators=(",", ":"))
    read = [{name: one[name] for name in ("name", "description", "inputSchema")}
            for one in starts[0][1]]  # fmt: skip
    tokens = estimate(json.dumps(read, separators=(",", ":")))
    detail = f"{len(listed):,} characters with all that programs read"
    yield Figure("mcp-tools", _SECTION, "tools as a model reads them", (tokens,), "tokens", detail)
    count = min(count, _MOST)
    for asked in _all(questions, count):
        heard = anyio.run(_ask, repository, asked)
        values = (percentile(heard.milliseconds, 0.5), percentile(heard.milliseconds, 0.99))
        middle, most = (percentile(list(map(float, heard.tokens)), at) for at in (0.5, 0.99))
        cpu = max(heard.processor - idle, 0) * 1000 / len(asked.texts)
        detail = f"CPU {cpu:.0f} a call; tokens {middle:.0f} / {most:.0f}"
        yield Figure(
            f"mcp-{asked.tool}", _SECTION, f"{asked.tool}, p50 / p99", values, "ms", detail
        )


def _all(questions: dict[str, list[str]], count: int) -> list[_Asked]:
    words, pasted = questions["three words"], questions["pasted error"]
    some = count + _WARM
    writes = min(count, _MOST_WRITES) + _WARM
    decided = [f"Decide {number}: {text}" for number, text in enumerate(words[:writes])]
    return [
        _Asked("search", "query", words[:some], {}),
        _Asked("hint", "text", pasted[:some], {}),
        _Asked("coding_search_errors", "query", pasted[:some], {}),
        _Asked("advise", "text", pasted[:some], {}),
        _Asked("context", "focus", pasted[:some], {}),
        _Asked("coding_record_decision", "decision", decided, {"rationale": "It is measured."}),
    ]


@asynccontextmanager
async def _served(repository: Path) -> "AsyncIterator[Client]":
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  comes with the extra

    program, *arguments = gitmem("mcp")
    start = StdioServerParameters(command=program, args=arguments, cwd=repository, env=sealed())
    async with Client(start, mode="legacy") as client:
        yield client


async def _start(repository: Path) -> tuple[float, list[dict[str, Any]]]:
    """Start a server; give when ``initialize`` was answered, in ms, and its tools."""
    began = time.perf_counter()
    async with _served(repository) as client:
        taken = (time.perf_counter() - began) * 1000
        tools = (await client.list_tools()).tools
        plain = [one.model_dump(by_alias=True, exclude_none=True, mode="json") for one in tools]
        return taken, plain


async def _ask(repository: Path, asked: _Asked) -> _Heard:
    milliseconds: list[float] = []
    tokens: list[int] = []
    before = _processor()
    async with _served(repository) as client:
        for number, text in enumerate(asked.texts):
            began = time.perf_counter()
            result = await client.call_tool(asked.tool, {asked.argument: text, **asked.more})
            taken = (time.perf_counter() - began) * 1000
            told = "".join(getattr(one, "text", "") for one in result.content)
            if result.is_error:
                raise SystemExit(f"{asked.tool}: {told}")
            if number >= _WARM:
                milliseconds.append(taken)
                tokens.append(estimate(told))
    return _Heard(milliseconds, tokens, _processor() - before)


def _processor() -> float:
    """Give the seconds that the processors worked for servers that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    questions = json.loads(given.questions.read_text(encoding="utf-8"))
    tell(measure(given.repository, questions, given.count, given.runs))


if __name__ == "__main__":
    main()
