"""Assistants for tests: the SDK's own client, on the real command, over pipes or HTTP."""

import os
import re
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, ListRootsResult, Root
from pydantic import FileUrl

from tests.e2e.running import environment, server

TOKEN = "a-token-for-tests-0123456789"
TRACE = """Traceback (most recent call last):
  File "src/when.py", line 3, in newer
    return a > b
TypeError: can't compare offset-naive and offset-aware datetimes
"""
_SECONDS = 120
ALL = ("--coding-tools", "--structured")
"""Every tool there is, and answers as data beside their text."""
_TOLD = re.compile(r"http://([^\s]+)")


def talk(conversation: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    """Run a conversation to its end."""

    async def bounded() -> None:
        with anyio.fail_after(_SECONDS):
            await conversation(*arguments)

    try:
        anyio.run(bounded)
    except BaseExceptionGroup as group:
        raise _first_of(group) from None


def _first_of(error: BaseException) -> BaseException:
    """Give what really went wrong: groups of tasks hide it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@asynccontextmanager
async def piped(
    folder: Path,
    *arguments: str,
    roots: Sequence[str] | None = None,
    mode: str = "legacy",
    name: str = "tester",
    environ: Mapping[str, str] | None = None,
    real: bool = False,
    options: Sequence[str] = ALL,
    **offers: Any,
) -> AsyncIterator[Client]:
    """Start a server in a folder, and talk to it over its pipes.

    Args:
        folder: where it is started.
        arguments: of ``gitmem mcp``.
        roots: URIs of the folders that the client says it has open; None: it does not say.
        mode: ``legacy`` (initialize) or ``auto`` (the newest protocol).
        name: what the client calls itself.
        environ: further variables of the server.
        real: a process started anew, because the test is about the process.
        options: of ``gitmem mcp``, too; none: as most clients start it.
        offers: what the client can be asked for, such as ``sampling_callback``.

    """
    program, *first = server(real=real)
    start = StdioServerParameters(
        command=program,
        args=[*first, "mcp", *options, *arguments],
        cwd=folder,
        env=environment(environ),
    )
    async with Client(start, mode=mode, **_options(roots, name), **offers) as client:
        yield client


def _options(roots: Sequence[str] | None, name: str) -> dict[str, Any]:
    async def listed(_: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(one)) for one in roots or ()])

    told = {} if roots is None else {"list_roots_callback": listed}
    return {"client_info": Implementation(name=name, version="1"), **told}


@contextmanager
def listening(
    folder: Path, *arguments: str, token: str = TOKEN, environ: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Start a server on a free port of this machine; give its address as ``HOST:PORT``."""
    port = _free_port()
    process = subprocess.Popen(
        [*server(), "mcp", *ALL, "--http", str(port), *arguments],
        cwd=folder,
        env=environment({**(environ or {}), "GITMEM_MCP_TOKEN": token}),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        _wait_for(process, port)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _free_port() -> int:
    import socket  # noqa: PLC0415  only here

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    import socket  # noqa: PLC0415  only here
    import time  # noqa: PLC0415  likewise

    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


@asynccontextmanager
async def over_http(
    address: str,
    *,
    mode: str = "legacy",
    token: str = TOKEN,
    offers: Mapping[str, Any] | None = None,
    **headers: str,
) -> AsyncIterator[Client]:
    """Talk to a server that listens; ``offers`` as of ``piped``."""
    sent = {"Authorization": f"Bearer {token}", **headers}
    async with httpx2.AsyncClient(headers=sent, timeout=_SECONDS) as web:
        transport = streamable_http_client(f"http://{address}/mcp", http_client=web)
        told = {**_options(None, "tester"), **(offers or {})}
        async with Client(transport, mode=mode, **told) as client:
            yield client


def text_of(result: CallToolResult) -> str:
    """Give the text of an answer."""
    return "\n".join(getattr(one, "text", "") for one in result.content)


async def said(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that must answer; give its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, text_of(result))
    return text_of(result)


async def data(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that must answer; give its structured answer."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, text_of(result))
    found = result.structured_content
    assert isinstance(found, dict)
    return found


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that must refuse, in one line without a traceback; give what it says."""
    result = await client.call_tool(tool, arguments)
    told = text_of(result)
    assert result.is_error, (tool, told)
    assert "Traceback" not in told
    assert "\n" not in told, told
    assert len(told) < 1000, told[:1000]
    return told


def files_of(repo: Path) -> dict[str, bytes]:
    """Give every file of the memory and of the local journal."""
    found = {}
    for folder in (".memory", ".git/gitmem"):
        for here, _, names in os.walk(Path(repo, folder)):
            for name in names:
                path = Path(here, name)
                found[str(path.relative_to(repo))] = path.read_bytes()
    return found
