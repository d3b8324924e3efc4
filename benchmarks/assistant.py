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

from benchmarks.figures import Figure, gitmem, print_figures
from benchmarks.measure import percentile, sealed
from gitmem.learning.tokens import estimate

if TYPE_CHECKING:
    from mcp import Client

_SECTION: Final = "MCP server, over its pipes"
_MOST: Final = 300
"""Calls to one server: it answers 600 a minute."""
_MOST_WRITES: Final = 50
_MOST_SLOW: Final = 10
"""Calls of what looks at the whole project."""
_SESSIONS: Final = 12
"""In one server: each writes four times."""
_WARM: Final = 3
_AT_ONCE: Final = 50
"""Calls that are sent before any is answered."""


class _Heard(NamedTuple):
    """Of a tool: milliseconds of each call, the tokens of its answers, the server's seconds."""

    tool: str
    milliseconds: list[float]
    tokens: list[int]
    processor: float


class _Asked(NamedTuple):
    """A tool to ask.

    Attributes:
        tool: its name.
        calls: the arguments of each call; the first ones warm it up.
        name: what the figure is called; empty: as the tool.
        at_once: all but the first are sent before any is answered.

    """

    tool: str
    calls: list[dict[str, Any]]
    name: str = ""
    at_once: bool = False


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
    begun = (percentile([milliseconds_taken for milliseconds_taken, _ in starts], 0.5),)
    detail = f"CPU {idle * 1000:.0f}"
    label = "initialize answered, whole process"
    yield Figure("mcp-initialize", _SECTION, label, begun, "ms", detail)
    listed = json.dumps(starts[0][1], separators=(",", ":"))
    read = [{name: tool[name] for name in ("name", "description", "inputSchema")}
            for tool in starts[0][1]]  # fmt: skip
    tokens = estimate(json.dumps(read, separators=(",", ":")))
    detail = f"{len(listed):,} characters with all that programs read"
    yield Figure("mcp-tools", _SECTION, "tools as a model reads them", (tokens,), "tokens", detail)
    count = min(count, _MOST)
    names = anyio.run(_names, repository)
    for question_set in _all(questions, names, count):
        yield _row(anyio.run(_ask, repository, question_set), idle)
    for timing in anyio.run(_sessions, repository):
        yield _row(timing, idle)


def _row(timing: _Heard, idle: float) -> Figure:
    values = (percentile(timing.milliseconds, 0.5), percentile(timing.milliseconds, 0.99))
    middle, most = (percentile(list(map(float, timing.tokens)), at) for at in (0.5, 0.99))
    detail = f"tokens {middle:.0f} / {most:.0f}; {len(timing.tokens)} calls"
    if timing.processor:
        cpu = max(timing.processor - idle, 0) * 1000 / (len(timing.tokens) + _WARM)
        detail = f"CPU {cpu:.0f} a call; {detail}"
    return Figure(f"mcp-{timing.tool}", _SECTION, f"{timing.tool}, p50 / p99", values, "ms", detail)


def _all(questions: dict[str, list[str]], names: "_Names", count: int) -> list[_Asked]:
    total = count + _WARM
    words, pasted = questions["three words"][:total], questions["pasted error"][:total]
    writes = min(count, _MOST_WRITES) + _WARM
    at_once = _repeated(pasted, _AT_ONCE + _WARM)
    slow: list[dict[str, Any]] = [{} for _ in range(min(count, _MOST_SLOW) + _WARM)]
    fixes = zip(_repeated(names.errors, writes), words, strict=False)
    return [
        _Asked("gitmem_search", [{"query": text} for text in words]),
        _Asked("gitmem_hint", [{"text": text} for text in pasted]),
        _Asked("gitmem_hint", [{"text": text} for text in at_once], "gitmem_hint-at-once",
               at_once=True),
        _Asked("coding_search_errors", [{"query": text} for text in pasted]),
        _Asked("gitmem_advise", [{"text": text} for text in pasted]),
        _Asked("gitmem_context", [{"focus": text} for text in pasted]),
        _Asked("gitmem_show", [{"id": name} for name in _repeated(names.records, total)]),
        _Asked("gitmem_context", [{"focus": "HEAD~1.."} for _ in slow], "review"),
        _Asked("coding_get_project_context", slow),
        _Asked("coding_analyze_patterns", slow),
        _Asked("coding_record_decision", [
            {"decision": f"Decide {number}: {text}", "rationale": "It is measured."}
            for number, text in enumerate(words[:writes])
        ]),
        _Asked("coding_record_error", [
            {"error_type": "BenchmarkError", "message": f"{number}: {words[number]}",
             "stack_trace": text}
            for number, text in enumerate(pasted[:writes])
        ]),
        _Asked("gitmem_record_fix", [
            {"error": name, "approach": f"Look at {text} first."} for name, text in fixes
        ]),
    ]  # fmt: skip


def _repeated(names: list[str], count: int) -> list[str]:
    return [names[number % len(names)] for number in range(count)]


@asynccontextmanager
async def _served(repository: Path) -> "AsyncIterator[Client]":
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  comes with the extra

    program, *arguments = gitmem("mcp", "--coding-tools", "--structured")
    start = StdioServerParameters(command=program, args=arguments, cwd=repository, env=sealed())
    async with Client(start, mode="legacy") as client:
        yield client


async def _start(repository: Path) -> tuple[float, list[dict[str, Any]]]:
    """Start a server; give when ``initialize`` was answered, in ms, and its tools."""
    began = time.perf_counter()
    async with _served(repository) as client:
        taken = (time.perf_counter() - began) * 1000
        tools = (await client.list_tools()).tools
        plain = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
        return taken, plain


class _Names(NamedTuple):
    """Ids of records that there are, and of errors among them."""

    records: list[str]
    errors: list[str]


async def _names(repository: Path) -> _Names:
    async with _served(repository) as client:
        listed = (await client.list_resources()).resources
        answer = await client.call_tool("gitmem_search", {"query": "kind:error", "limit": 50})
        items = (answer.structured_content or {})["items"]
        return _Names([tool.name for tool in listed[1:]], [item["id"] for item in items])


async def _timed(client: "Client", tool: str, given: dict[str, Any]) -> tuple[float, int, Any]:
    """Call a tool; give how long it took, in ms, the tokens of its answer, and its data."""
    began = time.perf_counter()
    result = await client.call_tool(tool, given)
    taken = (time.perf_counter() - began) * 1000
    text = "".join(getattr(content, "text", "") for content in result.content)
    if result.is_error:
        raise SystemExit(f"{tool}: {text}")
    return taken, estimate(text), result.structured_content


async def _ask(repository: Path, question_set: _Asked) -> _Heard:
    import anyio  # noqa: PLC0415  comes with the extra

    before = _processor()
    async with _served(repository) as client:
        timings: list[tuple[float, int, Any]] = []

        async def call(given: dict[str, Any]) -> None:
            timings.append(await _timed(client, question_set.tool, given))

        for given in question_set.calls[: _WARM if question_set.at_once else None]:
            await call(given)
        if question_set.at_once:
            async with anyio.create_task_group() as calls:
                for given in question_set.calls[_WARM:]:
                    calls.start_soon(call, given)
    measured = timings[_WARM:]
    taken, tokens = [answer[0] for answer in measured], [answer[1] for answer in measured]
    return _Heard(question_set.name or question_set.tool, taken, tokens, _processor() - before)


async def _sessions(repository: Path) -> list[_Heard]:
    """Go through whole sessions, one after the other, with one server."""
    timings_by_tool: dict[str, list[tuple[float, int, Any]]] = {}
    async with _served(repository) as client:

        async def call(tool: str, **given: Any) -> Any:  # noqa: ANN401  the answer's data
            timed = await _timed(client, tool, given)
            timings_by_tool.setdefault(tool, []).append(timed)
            return timed[2]

        for number in range(_SESSIONS + 1):
            started = await call("coding_start_session", description=f"Session {number}")
            await call("coding_track_file_change", file_path=f"src/file{number}.py",
                       action="edit", reason="The clock is read too early there.")  # fmt: skip
            await call("coding_get_current_session_status")
            await call("coding_resume_session", session_id=started["session_id"])
            await call("coding_end_session", success=True)
    return [
        _Heard(
            tool, [answer[0] for answer in timings[1:]], [answer[1] for answer in timings[1:]], 0
        )
        for tool, timings in timings_by_tool.items()
    ]


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
    print_figures(measure(given.repository, questions, given.count, given.runs))


if __name__ == "__main__":
    main()
