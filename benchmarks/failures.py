"""Made-up failures in six languages: types, messages, stack traces.

A failure belongs to a family: the same type at the same place in the code. Each time it
shows, line numbers, values and surroundings differ, as they do in real life.
"""

import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from benchmarks.vocabulary import (
    Zipf,
    camel,
    digits,
    fill,
    hexadecimal,
    module,
    pascal,
    rare,
    snake,
)

_FAMILIES: Final = 30_000
_RANKS: Final = Zipf(_FAMILIES, 0.75, 5.0)


class Language(NamedTuple):
    """How failures look in one language."""

    name: str
    ending: str
    tool: str
    command: str
    name_of: Callable[[random.Random], str]
    code: tuple[str, ...]
    faults: tuple[tuple[str, str], ...]


LANGUAGES: Final = (
    Language(
        "python", "py", "pytest", "pytest -x {m}", snake,
        (
            "{n} = {i}({n}, {n}={k})", "return self._{n}.{i}({n})", "if {n} is None or {n} > {k}:",
            "for {n} in {i}({n}):", "assert {i}({n}) == {k}", "raise {c}Error({n})",
        ),
        (
            ("TypeError", "unsupported operand type(s) for -: '{c}' and 'NoneType'"),
            ("TypeError", "{i}() missing 1 required positional argument: '{n}'"),
            ("AttributeError", "'{c}' object has no attribute '{i}'"),
            ("KeyError", "'{n}_{n}'"),
            ("ValueError", "{n} {w} is not a valid {n}: expected {k}, got {k}"),
            ("ModuleNotFoundError", "No module named '{w}.{n}'"),
            ("AssertionError", "assert {k} == {k} where {k} = {i}({n})"),
            ("sqlalchemy.exc.OperationalError", '(psycopg.OperationalError) {n} "{w}" is {vd}'),
            ("TimeoutError", "{n} {w}-{x} did not {v} within {k} seconds"),
            ("UnicodeDecodeError", "'utf-8' codec can't decode byte 0x{x} in {n}"),
        ),
    ),
    Language(
        "typescript", "ts", "vitest", "npx vitest run {m}", camel,
        (
            "const {n} = await this.{i}({n});", "return {n}.{i}({n}, {k});", "if (!{n}.{n}) {",
            "expect({i}({n})).toBe({k});", "throw new {c}Error(`{n} ${{n}}`);",
        ),
        (
            ("TypeError", "Cannot read properties of undefined (reading '{n}')"),
            ("TypeError", "{n}.{i} is not a function"),
            ("TS2322", "Type '{c}' is not assignable to type '{c}'."),
            ("TS2339", "Property '{i}' does not exist on type '{c}'."),
            ("RangeError", "Maximum call stack size exceeded in {c}"),
            ("Error", "connect ECONNREFUSED 127.0.0.1:{k} while {n} {w} was {vd}"),
            ("AssertionError", "expected '{n}' to be '{n}' // {c}"),
        ),
    ),
    Language(
        "go", "go", "go test", "go test ./{m}", camel,
        (
            "{n}, err := s.{n}.{c}(ctx, {n})", 'return nil, fmt.Errorf("{v} {n}: %w", err)',
            "if {n} == nil {", "defer {n}.Close()", "{n}[{k}] = {c}{{n}: {k}}",
        ),
        (
            ("panic", "runtime error: invalid memory address or nil pointer dereference"),
            ("panic", "runtime error: index out of range [{k}] with length {k}"),
            ("panic", "assignment to entry in nil map {n}"),
            ("error", "{v} {n} {w}: context deadline exceeded"),
            ("error", "dial tcp 10.0.0.1:{k}: connect: connection refused ({w})"),
        ),
    ),
    Language(
        "rust", "rs", "cargo", "cargo test -p {w}", snake,
        (
            "let {n} = self.{i}(&{n})?;", "match {n}.{i}() {", "Ok({c}::new({n}, {k}))",
            "{n}.lock().unwrap().{i}({n});", "pub fn {i}(&mut self, {n}: &{c}) -> Result<()> {",
        ),
        (
            ("E0382", "borrow of moved value: `{n}`"),
            ("E0308", "mismatched types: expected `{c}`, found `Option<{c}>`"),
            ("E0502", "cannot borrow `{n}` as mutable because it is also borrowed as immutable"),
            ("panicked", "called `Result::unwrap()` on an `Err` value: {c}({k})"),
            ("panicked", "index out of bounds: the len is {k} but the index is {k}"),
        ),
    ),
    Language(
        "java", "java", "maven", "mvn -q test -Dtest={c}Test", camel,
        (
            "return {n}.{i}({n});", "var {n} = repository.{i}({n}.getId());",
            'throw new {c}Exception("{n} {w}");', "{n}.forEach({c}::{i});",
        ),
        (
            ("java.lang.NullPointerException",
             'Cannot invoke "{c}.{i}()" because "{n}" is null'),
            ("java.lang.IllegalStateException", "{n} {w} has already been {vd}"),
            ("java.util.ConcurrentModificationException", "{n} changed while it was {vd}"),
            ("org.hibernate.LazyInitializationException",
             "failed to lazily initialize a collection: {c}.{n}, no session"),
            ("java.net.SocketTimeoutException", "{n} timed out after {k} ms ({w})"),
        ),
    ),
    Language(
        "c", "c", "gcc", "make {w}", snake,
        (
            "{n}->{n} = {i}({n}, sizeof *{n});", "if ({i}(&{n}) < 0)", "free({n}->{n});",
            "memcpy({n}, {n}->{n}, {k});", "static int {i}(struct {n} *{n})",
        ),
        (
            ("error", "'struct {n}' has no member named '{i}'"),
            ("error", "implicit declaration of function '{i}'"),
            ("error", "incompatible types when assigning to type '{n}_t' from type '{n}_t'"),
            ("AddressSanitizer", "heap-use-after-free on address 0x{x} in {i}"),
            ("ld", "undefined reference to `{i}'"),
        ),
    ),
)  # fmt: skip


class Failure(NamedTuple):
    """One failure as it shows: what a record keeps of it, and the text a terminal prints."""

    language: Language
    error_type: str
    message: str
    frames: tuple[dict[str, Any], ...]
    command: str
    text: str


def draw_family(rng: random.Random) -> int:
    """Draw a family: some failures come again and again."""
    return _RANKS.draw(rng)


def code_line(language: Language, rng: random.Random) -> str:
    """Write a line of code."""
    return fill(rng.choice(language.code), rng)


def failure(family: int, rng: random.Random) -> Failure:
    """Let the failure ``family`` show once more; ``rng`` decides on what differs."""
    own = random.Random(f"family {family}")
    language = LANGUAGES[min(int(own.random() ** 1.6 * len(LANGUAGES)), len(LANGUAGES) - 1)]
    error_type, template = own.choice(language.faults)
    locations = [
        (module(own), language.name_of(own), int(own.uniform(10, 600)), code_line(language, own))
        for _ in range(own.randint(2, 6))
    ]
    message = _values_changed(fill(template, own), rng)
    drift = rng.randint(0, 40)
    frames = tuple(
        {"file": f"{path}.{language.ending}", "function": name, "line": line + drift, "code": code}
        for path, name, line, code in locations
    )
    text = "\n".join(_TRACES[language.name](error_type, message, frames, rng))
    return Failure(language, error_type, message, frames, fill(language.command, own), text)


def _values_changed(message: str, rng: random.Random) -> str:
    """Replace numbers: the values of one run are not those of the next."""
    return " ".join(
        digits(rng) if word.isdecimal() and rng.random() < 0.6 else word  # noqa: PLR2004
        for word in message.split(" ")
    )


Frames = tuple[dict[str, Any], ...]


def _python(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    lines = [f"INFO {fill('{w}: {n} {x} {vd}', rng)}", "Traceback (most recent call last):"]
    for frame in frames:
        lines.append(f'  File "{frame["file"]}", line {frame["line"]}, in {frame["function"]}')
        lines.append(f"    {frame['code']}")
    return [*lines, f"{kind}: {message}"]


def _typescript(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    inner = frames[-1]
    if kind.startswith("TS"):
        position = f"{inner['file']}({inner['line']},{rng.randint(1, 60)})"
        return [f"{position}: error {kind}: {message}", "", f"{inner['line']}   {inner['code']}"]
    lines = [f"{kind}: {message}"]
    lines += [
        f"    at {frame['function']} ({frame['file']}:{frame['line']}:{rng.randint(1, 60)})"
        for frame in reversed(frames)
    ]
    return [*lines, "    at process.processTicksAndRejections (node:internal/process:95:5)"]


def _go(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    lines = [f"--- FAIL: Test{pascal(rng)} (0.{rng.randint(1, 99):02}s)", f"{kind}: {message}", ""]
    lines.append(f"goroutine {rng.randint(1, 90)} [running]:")
    for frame in reversed(frames):
        package = frame["file"].split("/")[-2]
        lines.append(f"{package}.{frame['function']}(0xc{hexadecimal(rng)})")
        lines.append(f"\t{frame['file']}:{frame['line']} +0x{hexadecimal(rng, 3)}")
    return lines


def _rust(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    inner = frames[-1]
    position = f"{inner['file']}:{inner['line']}:{rng.randint(1, 60)}"
    if kind == "panicked":
        lines = [f"thread 'main' panicked at {position}:", message, "stack backtrace:"]
        for number, frame in enumerate(reversed(frames)):
            lines.append(f"   {number}: {rare(rng)}::{frame['function']}")
            lines.append(f"             at {frame['file']}:{frame['line']}")
        return lines
    shown = [f"{inner['line']} |     {inner['code']}", "   |     ^^^^ here", "   |"]
    return [f"error[{kind}]: {message}", f"  --> {position}", "   |", *shown]


def _java(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    lines = [f"[ERROR] {pascal(rng)}Test.{camel(rng)}  Time elapsed: 0.{rng.randint(1, 999)} s"]
    lines.append(f"{kind}: {message}")
    for frame in reversed(frames):
        path = frame["file"].removesuffix(".java").replace("/", ".")
        name = frame["file"].rpartition("/")[2]
        lines.append(f"\tat com.example.{path}.{frame['function']}({name}:{frame['line']})")
    return lines


def _c(kind: str, message: str, frames: Frames, rng: random.Random) -> list[str]:
    inner = frames[-1]
    if kind == "AddressSanitizer":
        lines = [f"=={rng.randint(1000, 99999)}==ERROR: {kind}: {message}"]
        for number, frame in enumerate(reversed(frames)):
            position = f"{frame['file']}:{frame['line']}"
            lines.append(
                f"    #{number} 0x{hexadecimal(rng, 12)} in {frame['function']} {position}"
            )
        return lines
    position = f"{inner['file']}:{inner['line']}:{rng.randint(1, 60)}"
    lines = [
        f"{inner['file']}: In function '{inner['function']}':",
        f"{position}: {kind}: {message}",
    ]
    return [*lines, f"{inner['line']:5} |     {inner['code']}", f"make: *** [{rare(rng)}] Error 1"]


_TRACES: Final[dict[str, Callable[[str, str, Frames, random.Random], list[str]]]] = {
    "python": _python,
    "typescript": _typescript,
    "go": _go,
    "rust": _rust,
    "java": _java,
    "c": _c,
}
