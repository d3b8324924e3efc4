"""rustc and cargo: messages for people and as JSON, panics, failing tests."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common import cargo_manifest
from gitmem.tools.common.cargo_binaries import CargoBinaries
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.common.rust_messages import FOLLOWS, HEAD, read_event, read_message
from gitmem.tools.common.rust_panics import PANIC, TEST_HEAD, read_panic
from gitmem.tools.forms import LISTED, CountForm, LineForm

_ONLY_ENDS: Final = ("could not compile", "failed to run custom build command")
"""What cargo says after a compiler or a script that failed, of which the output tells why."""
_NOT_PANICKED: Final = re.compile(
    r"test did not panic as expected(?: at (?P<file>\S+?):(?P<line>\d+):\d+)"
)
_CRASH: Final = re.compile(
    r"process didn't exit successfully: `(?:\S*[\\/])?(?P<crate>[\w-]+?)(?:-[0-9a-f]{8,})?"
    r"(?:\.exe)?(?: .*)?` \((?P<said>signal: .*|exit code: 0x.*)\)"
)
_OVERFLOW: Final = re.compile(r"thread '(?P<name>[^']+)'(?: \(\d+\))? (?P<said>has overflowed.*)$")
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, panic or JSON line."""
    line = lines[at]
    if line.startswith("{"):
        return read_event(lines, at)
    if PANIC.match(line.strip()):
        return read_panic(lines, at, floor)
    if head := TEST_HEAD.match(line):
        return _returned(lines, at, head["name"])
    head = HEAD.match(line)
    if not head:
        return None
    if head["message"].startswith("test failed") and (crash := _crash(lines, at)):
        return crash
    if FOLLOWS.match(head["message"]):
        if head["message"].startswith(_ONLY_ENDS):
            failure = Failure("cargo", "rust", message=head["message"], severity="consequence")
            return one(failure, lines, at, at + 1)
        return passed_over(at, at + 1)
    return read_message(lines, at, head)


def _returned(lines: Sequence[str], at: int, name: str) -> ParserResult | None:
    """Read what a test said that failed without a panic; None if it panicked."""
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if TEST_HEAD.match(lines[end]) or lines[end] == "failures:":
            break
        if PANIC.match(lines[end].strip()):
            return None
        end += 1
    words = [line.strip() for line in lines[at + 1 : end] if line.strip()]
    if not words:
        return None
    telling = next((word for word in words if word.startswith("Error: ")), words[0])
    kind, _, message = telling.partition(": ")
    not_panicked = _NOT_PANICKED.search(telling)
    place = None
    if not_panicked:
        message = "test did not panic as expected"
        place = FailureLocation(not_panicked["file"], int(not_panicked["line"]))
    test = Test(name, message=message, failing_function=name.rsplit("::", 1)[-1])
    failure = Failure(
        "cargo",
        "rust",
        kind if kind == "Error" else "",
        "",
        message or telling,
        location=place,
        test=test,
    )
    return one(failure, lines, at, end)


def _crash(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read that a test binary ended by a signal: no line says which of its tests did it."""
    end = min(len(lines), at + 6)
    crash = next((match for line in lines[at:end] if (match := _CRASH.search(line))), None)
    if not crash:
        return None
    words, name = [crash["said"]], ""
    for line in reversed(lines[max(0, at - 30) : at]):
        if overflow := _OVERFLOW.match(line):
            name, words = overflow["name"], [overflow["said"]]
        elif line.startswith("fatal runtime error: "):
            words = [line]
        elif line.startswith("running "):
            break
    message = f"{crash['crate']}: {words[0]}"
    test = Test(name, status="error", message=message) if name else None
    return one(Failure("cargo", "rust", "", "", message, test=test), lines, at, end)


TOOL = Tool(
    "cargo",
    order=220,
    language="rust",
    output=ToolOutput(
        words=("error: ", "error[", "panicked at", " stdout ----", '"level":"error'),
        beside=('"rendered"',),
        parse=parse,
    ),
    tests=ToolTests(
        begins=("test", "Running ", "Doc-tests ", "PASS", "FAIL", "SKIP", "Summary ["),
        ends=(" ok", "FAILED"),
        lines=(
            LineForm(
                " ... ",
                r"test (?P<name>\S.*?)(?: - should panic| - compile(?: fail)?)? \.\.\. "
                r"(?P<word>ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$",
            ),
            LineForm(" --- FAILED", r"(?P<name>\w[\w:]*) --- (?P<word>FAILED)$"),
            LineForm(
                "s] ",
                r"(?P<word>PASS|FAIL|SKIP|TIMEOUT) \[ *(?P<seconds>\d+(?:\.\d+)?)s\] "
                r"(?:\( *\d+/\d+\) )?(?P<where>\S+(?: \S+)?) (?P<name>\S+)$",
            ),
        ),
        opens=(r"test (?P<name>\S.*?)(?: - should panic)? \.\.\. ",),
        counts=(
            CountForm(
                "test result:",
                r"test result: \w+\. \d+ passed; \d+ failed; \d+ ignored\b.*$",
                LISTED,
            ),
            CountForm(
                "tests run:", r"Summary \[ *[\d.]+s\] +\d+ tests? run: .*$", LISTED, whole=True
            ),
        ),
        follows=r"\s*(?:Running|Doc-tests) ",
        follow=CargoBinaries,
        names_failing=True,
    ),
    reports=ToolReports(
        suites=r"nextest-run",
        kinds=r"test failure with exit code \d+",
        in_output=r"(?!)",
        programs=True,
    ),
    command=ToolCommand(
        programs=("cargo",),
        comparable=True,
        shows=(r"--offline|--locked|--no-fail-fast|--message-format.*|--nocapture|--show-output"),
        valued=("--message-format",),
        only_tests=("test",),
    ),
    files=ToolFiles(
        manifests=("Cargo.toml",),
        locks=("Cargo.lock",),
        supplies=("Cargo.toml",),
        folders=frozenset({"target"}),
        reads={"Cargo.toml": "Rust"},
        read=cargo_manifest.read,
        turn=40,
        commands={"Cargo.toml": ("cargo build", "cargo test")},
        aside=(r"cargo\.(?:toml|lock)", r"clippy\.toml"),
    ),
    identity=ToolIdentity(counts_as="rustc", crash=r"(?:\S+: )?signal: \d+\b"),
    silence=ToolSilence(
        skips=(r"#\[(?:ignore|should_panic)\b",),
        inverts=(r"#\[should_panic\b",),
        asserts=(r"^#\[should_panic",),
        example=(r"//[/!]\s*(?:#\s*)?assert\w*!",),
        allows=(r"#!?\[allow\(",),
        settings=(r"Cargo\.toml", r"clippy\.toml"),
        looser=(r"=\s*['\"]allow['\"]",),
        mark=r"#\[(?:\w+::)?test\b",
    ),
    frames=ToolFrames(
        folders=(r"\.cargo/registry", r"\.rustup", "rustc/[0-9a-f]{7,40}", "rustlib"),
        roots=("/rustc/", "library/(?:std|core|alloc|test)/"),
        names=MappingProxyType(
            {
                "rust": (
                    "(?:<?(?:std|core|alloc|test|tokio)::|rust_begin_unwind|__rust_|_start|__libc"
                    "|main$|_?_?clone)"
                )
            }
        ),
        libraries=(r"\.cargo/registry",),
        asserting=(r"_?fail_?\w*unwrap_failed", "panic_(?:fmt|bounds_check)"),
        clean=((60, "::h[0-9a-f]{16}$", ""), (70, r"::?\{\{?closure\}?\}(?:#\d+)?", "")),
    ),
    ending=ToolEnding(stopped=("aiting for other jobs",), runs_built="run"),
)
