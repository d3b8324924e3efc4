"""Feed every reader of what others write with made-up and damaged input, for a while each.

python scripts/fuzz.py --seconds 60 [--only patches,records]

Inputs are made of pieces of real ones (``tests/tools``, ``tests/corpus``) and of signs that mean
something to some reader. What raises anything but the reader's own fault, or takes longer than its
size allows, is printed and kept below ``.hypothesis``; then the exit code is 1.
"""
# ruff: noqa: E501, S101  a row of pieces each, and what a reader must keep to

import argparse
import json
import random
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from gitmem.capture.patches import parse_patch
from gitmem.diffs import read_files
from gitmem.errors import GitmemError, YamlError
from gitmem.exchange import git_messages, reports
from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import parse
from gitmem.parts.hub.web import webhooks
from gitmem.parts.imports import adr, changelog
from gitmem.query import parse as parse_query
from gitmem.records import codec
from gitmem.records.convert import decode
from gitmem.redaction import redact
from gitmem.tools.matchers.found import found

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / ".hypothesis" / "fuzz"
FLOOR_SECONDS: Final = 2.0
"""So much of the processor any input may take; and one second more for each so many bytes."""
BYTES_A_SECOND: Final = 100_000
LONGEST: Final = 60_000
PATIENCE: Final = 20.0
"""Seconds in which a server must answer, on a machine that does other things, too."""
SIGNS: Final = (
    b"\0", b"\n", b"\r\n", b"\r", b"\x1b[31m", b"\x1b]0;", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xae",
    b"{", b"}", b"[", b"]", b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b":", b": ", b"- ", b"&a ", b"*a", b"!!x ",
    b"<", b">", b"<![CDATA[", b"&#0;", b"&lol;", b"@@ -1 +1 @@\n", b"@@ -0,0 +99999999999 @@\n", b"--- a/x\n+++ b/x\n",
    b"diff --git a/x b/x\n", b"rename from x\n", b"GIT binary patch\n", b"-1", b"1e999", b"99999999999999999999", b"null",
    b"true", b"Traceback (most recent call last):\n", b"FAILED ", b"error: ", b"a.py:1: ", b"=", b"#", b"..", b"/", b"\t",
)  # fmt: skip


def seeds() -> list[bytes]:
    """Give real outputs, reports, patches and records."""
    folders = ("tests/tools", "tests/corpus", "tests/corpus_redaction", ".memory", "packs")
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*"))]
    texts = [path.read_bytes()[:LONGEST] for path in files if path.is_file()]
    change = ["git", "-C", str(ROOT), "log", "-p", "-8", "--no-color"]
    texts.append(subprocess.run(change, capture_output=True, check=False).stdout[:LONGEST])
    return [text for text in texts if text]


def made(rng: random.Random, real: list[bytes]) -> bytes:
    """Make one input: a real one that is damaged, pieces of several, or signs alone."""
    kind = rng.random()
    if kind < 0.15:  # noqa: PLR2004  a share
        return b"".join(rng.choice(SIGNS) for _ in range(rng.randint(0, 200)))
    if kind < 0.25:  # noqa: PLR2004  likewise
        return (rng.choice(SIGNS) * rng.randint(1, LONGEST // 8))[:LONGEST]
    data = bytearray(rng.choice(real))
    if kind < 0.4:  # noqa: PLR2004  likewise
        other = rng.choice(real)
        cut, begin = rng.randint(0, len(data)), rng.randint(0, len(other))
        data = data[:cut] + other[begin:]
    for _ in range(rng.choice((1, 1, 3, 10, 40))):
        at = rng.randint(0, len(data))
        action = rng.random()
        if action < 0.4:  # noqa: PLR2004  likewise
            data[at:at] = rng.choice(SIGNS) * rng.choice((1, 1, 2, 50))
        elif action < 0.6:  # noqa: PLR2004  likewise
            del data[at : at + rng.choice((1, 5, 200))]
        elif action < 0.8:  # noqa: PLR2004  likewise
            data[at : at + 1] = bytes([rng.randrange(256)])
        else:
            piece = data[at : at + rng.choice((1, 10, 300))]
            data[at:at] = piece * rng.choice((1, 2, 30))
    return bytes(data[: 2 * LONGEST])


def _outputs(data: bytes) -> None:
    for failure in parse(data):
        fingerprints(failure)


def _reports(data: bytes) -> None:
    named = reports.recognised(data[:4096])
    for form in {*reports.NAMES, *((named,) if named else ())}:
        with suppress(GitmemError):
            reports.read(data, form)


def _records(data: bytes) -> None:
    decode(data, "notes/2026/01/x-note-0000000001.yaml")
    with suppress(YamlError):
        codec.load_mappings(data)


def _patches(data: bytes) -> None:
    text = data.decode(errors="replace")
    read_files(text)
    parse_patch(text)


def _texts(data: bytes) -> None:
    text = data.decode(errors="replace")
    git_messages.read(text)
    changelog.read(text)
    with suppress(adr.NotAnAdrError):
        adr.read(text, "0001-x.md")
    with suppress(GitmemError):
        parse_query(text, datetime(2026, 1, 1, tzinfo=UTC))


def _redaction(data: bytes) -> None:
    shown = redact(data.decode(errors="replace"), environ={})
    assert shown.text.count("\n") == data.decode(errors="replace").count("\n")


def _webhooks(data: bytes) -> None:
    for event in ("push", "repository", "member", "system hook"):
        with suppress(msgspec.MsgspecError):
            webhooks.what_happened({"x-github-event": event, "x-gitlab-event": event}, data, ())
    webhooks.is_signed({"x-hub-signature-256": data[:64].decode("latin-1")}, data, "s")


@contextmanager
def _matchers() -> Iterator[Callable[[bytes], None]]:
    with tempfile.TemporaryDirectory() as top:
        file = Path(top, ".vscode", "tasks.json")
        file.parent.mkdir()

        def feed(data: bytes) -> None:
            file.write_bytes(data)
            found(top, [".vscode/tasks.json"], [".vscode/tasks.json"])

        yield feed


def _framed(message: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(message), message)


@contextmanager
def _server(*words: str, framed: bool) -> Iterator[Callable[[bytes], None]]:
    """Start a server on pipes; each input is followed by a question that it must answer."""
    begin: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    if framed:
        begin["params"] = {"processId": None, "rootUri": None, "capabilities": {}}
    else:
        begin["params"] = {"protocolVersion": "2025-06-18", "capabilities": {},
                           "clientInfo": {"name": "fuzz", "version": "1"}}  # fmt: skip
    with tempfile.TemporaryDirectory() as top:
        subprocess.run(["git", "init", "-q", top], check=True)
        command = [sys.executable, "-P", "-m", "gitmem"]
        subprocess.run([*command, "init"], cwd=top, check=True, capture_output=True)
        process = subprocess.Popen([*command, *words], cwd=top, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
        assert process.stdin
        assert process.stdout
        stdin, stdout, number = process.stdin, process.stdout.fileno(), 100
        held = bytearray()

        def send(message: dict[str, Any]) -> None:
            text = json.dumps(message).encode()
            stdin.write(_framed(text) if framed else text + b"\n")
            stdin.flush()

        def answered(mark: bytes) -> None:
            end = time.monotonic() + PATIENCE
            while mark not in held:
                ready = select.select([stdout], [], [], max(0, end - time.monotonic()))[0]
                assert ready, "no answer"
                piece = process.stdout.read1(1 << 16) if process.stdout else b""  # type: ignore[attr-defined]
                assert piece, f"it ended with {process.wait()}"
                held.extend(piece)
            held.clear()

        def feed(data: bytes) -> None:
            nonlocal number
            number += 1
            if framed:
                stdin.write(_framed(data))
            else:
                stdin.write(data.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n")
            asked = "workspace/symbol" if framed else "ping"
            send(
                {
                    "jsonrpc": "2.0",
                    "id": number,
                    "method": asked,
                    "params": {"query": "x"} if framed else {},
                }
            )
            answered(b'"id":%d' % number if not framed else b'"id": %d' % number)

        try:
            send(begin)
            answered(b'"result"')
            send({"jsonrpc": "2.0", "method": "initialized" if framed else "notifications/initialized"}
                 | ({"params": {}} if framed else {}))  # fmt: skip
            yield feed
        finally:
            process.kill()
            process.wait()


def _messages(rng: random.Random, data: bytes) -> bytes:
    """Make a message of the protocol out of an input, so that more than its frame is looked at."""
    methods = ("tools/call", "resources/read", "tools/list", "prompts/get", "textDocument/didOpen",
               "textDocument/hover", "textDocument/codeAction", "workspace/executeCommand",
               "textDocument/didChange", "gitmem/forward", "completion/complete", "$/cancelRequest")  # fmt: skip
    text = data[:2000].decode("latin-1")
    odd: tuple[Any, ...] = (
        text,
        None,
        -1,
        1e308,
        [],
        {},
        [text],
        {"uri": text},
        {"text": text},
        True,
    )
    names = ("name", "arguments", "uri", "textDocument", "position", "range", "context", "command",
             "query", "text", "id", "contentChanges", "diagnostics")  # fmt: skip
    params = {rng.choice(names): rng.choice(odd) for _ in range(rng.randint(0, 5))}
    if rng.random() < 0.3:  # noqa: PLR2004  a share
        params = {"name": rng.choice(("gitmem_search", "gitmem_show", "gitmem_hint", "gitmem_note")),
                  "arguments": {rng.choice(("query", "id", "text", "title")): rng.choice(odd)}}  # fmt: skip
    message = {"jsonrpc": "2.0", "id": rng.choice((7, "x", None, 1.5, text[:20])),
               "method": rng.choice(methods), "params": rng.choice((params, params, params, odd[0], None))}  # fmt: skip
    if rng.random() < 0.3:  # noqa: PLR2004  likewise
        del message[rng.choice(tuple(message))]
    return json.dumps(message).encode()


@contextmanager
def _plain(read: Callable[[bytes], None]) -> Iterator[Callable[[bytes], None]]:
    yield read


TARGETS: Final[dict[str, Callable[[], Any]]] = {
    "outputs": lambda: _plain(_outputs), "reports": lambda: _plain(_reports), "records": lambda: _plain(_records),
    "patches": lambda: _plain(_patches), "texts": lambda: _plain(_texts), "redaction": lambda: _plain(_redaction),
    "webhooks": lambda: _plain(_webhooks), "matchers": _matchers,
    "mcp": lambda: _server("mcp", framed=False), "lsp": lambda: _server("lsp", framed=True),
}  # fmt: skip


def fuzz(name: str, seconds: float, rng: random.Random, real: list[bytes]) -> int:
    """Feed one reader for so long; give how many inputs it did not stand."""
    count = faults = 0
    slowest = 0.0
    end = time.monotonic() + seconds
    # What other processes do to this one is no fault of a reader; a server's answer is waited for.
    clock = time.perf_counter if name in {"mcp", "lsp"} else time.process_time
    with TARGETS[name]() as read:
        while time.monotonic() < end and faults < 3:  # noqa: PLR2004  enough to look at
            data = made(rng, real)
            if name in {"mcp", "lsp"}:
                data = _messages(rng, data) if rng.random() < 0.7 else data[:5000]  # noqa: PLR2004  a share
            began, fault = clock(), ""
            try:
                read(data)
            except Exception:  # noqa: BLE001  whatever a reader lets through
                fault = traceback.format_exc(limit=-4)
            taken = clock() - began
            count, slowest = count + 1, max(slowest, taken)
            floor = FLOOR_SECONDS if clock is time.process_time else PATIENCE / 2
            if not fault and taken > floor + len(data) / BYTES_A_SECOND:
                fault = f"{taken:.1f} s for {len(data)} bytes"
            if fault:
                faults += 1
                KEPT.mkdir(parents=True, exist_ok=True)
                (KEPT / f"{name}-{count}").write_bytes(data)
                print(f"{name}: {KEPT / f'{name}-{count}'}\n{fault}")
                if name in {"mcp", "lsp"}:
                    break  # it may be gone
    print(f"{name}: {count} inputs, {faults} faults, slowest {slowest:.2f} s")
    return faults


def main() -> int:
    """Feed them all, or those that are named."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each reader")
    parser.add_argument("--only", default=",".join(TARGETS))
    parser.add_argument("--seed", type=int, default=time.time_ns())
    given = parser.parse_args()
    print(f"seed {given.seed}")
    rng, real = random.Random(given.seed), seeds()
    return min(1, sum(fuzz(name, given.seconds, rng, real) for name in given.only.split(",")))


if __name__ == "__main__":
    sys.exit(main())
