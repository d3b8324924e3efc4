"""rustc and cargo: messages for people and as JSON, panics, failing tests."""

import json
import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.excerpt import excerpt
from gitmem.output.failure import (
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
)
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common import cargo_manifest
from gitmem.tools.common.cargo_binaries import CargoBinaries
from gitmem.tools.common.reading import number, one, passed_over
from gitmem.tools.forms import LISTED, CountForm, LineForm

_HEAD: Final = re.compile(r"error(?:\[(?P<code>[\w:]+)\])?: (?P<message>\S.*)$")
_ARROW: Final = re.compile(r"\s*(?:-->|╭▸) (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)\s*$")
_MARKED: Final = re.compile(r"\s*(?:\||│)\s*[\^_━]")
_BODY: Final = re.compile(
    r"\s*(?:\d+ +[|│~+-]|[|│]|=|\.\.\.|-->|:::|╭▸|╰|note:|help:|\d+ [+~-])|\s*$"
)
_AFTER: Final = re.compile(
    r"(?:could not compile|failed to run custom build command|aborting due to"
    r"|test failed, to rerun|process didn't exit|build failed"
    r"|doctest failed"
    r"|\d+ targets? failed|could not document|`.*` test failed)"
)
_ONLY_ENDS: Final = ("could not compile", "failed to run custom build command")
"""What cargo says after a compiler or a script that failed, of which the output tells why."""
_BLANK: Final = (" ", "\t")
_PANIC: Final = re.compile(
    r"thread '(?P<name>[^'\n]{0,300})'(?: \(\d+\))? (?:has )?panicked at "
    r"(?:(?P<file>[^'\s][^:\n]{0,300}):(?P<line>\d+):(?P<column>\d+):?$|'"
    r"(?P<old>.*)', (?P<place>[^:]{1,300}:\d+:\d+)$|(?P<rest>.*)$)"
)
# The last line of a message of several, as versions before 1.73 print it.
_OLD_END: Final = re.compile(r"(?P<old>.*)', (?P<place>[^:]{1,300}:\d+:\d+)$")
_TEST_HEAD: Final = re.compile(r"---- (?P<name>\S.*?) stdout ----$")
_NOT_PANICKED: Final = re.compile(
    r"test did not panic as expected(?: at (?P<file>\S+?):(?P<line>\d+):\d+)"
)
_CRASH: Final = re.compile(
    r"process didn't exit successfully: `(?:\S*[\\/])?(?P<crate>[\w-]+?)(?:-[0-9a-f]{8,})?"
    r"(?:\.exe)?(?: .*)?` \((?P<said>signal: .*|exit code: 0x.*)\)"
)
_OVERFLOW: Final = re.compile(r"thread '(?P<name>[^']+)'(?: \(\d+\))? (?P<said>has overflowed.*)$")
_FRAME: Final = re.compile(r"\s+(?P<number>\d+): +(?:0x[0-9a-f]+ - )?(?P<function>\S.*)$")
_FRAME_AT: Final = re.compile(r"\s+at (?P<file>\S.*?):(?P<line>\d+)(?::\d+)?$")
_LEFT: Final = re.compile(r"\s*left: `?(.*?)`?,?$")
_RIGHT: Final = re.compile(r"\s*right: `?(.*?)`?,?$")
_EXPECTED: Final = re.compile(r"expected [^\s,].*?, found .+$")
_VAGUE: Final = ("mismatched types", "type annotations needed", "`?` couldn't convert the error")
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, panic or JSON line."""
    line = lines[at]
    if line.startswith("{"):
        return _json(lines, at)
    if _PANIC.match(line.strip()):
        return _panic(lines, at, floor)
    if head := _TEST_HEAD.match(line):
        return _returned(lines, at, head["name"])
    head = _HEAD.match(line)
    if not head:
        return None
    if head["message"].startswith("test failed") and (crash := _crash(lines, at)):
        return crash
    if _AFTER.match(head["message"]):
        if head["message"].startswith(_ONLY_ENDS):
            failure = Failure("cargo", "rust", message=head["message"], severity="consequence")
            return one(failure, lines, at, at + 1)
        return passed_over(at, at + 1)
    return _message(lines, at, head)


def _message(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult | None:
    near = next(
        (one_ for one_ in range(at + 1, min(at + 4, len(lines))) if _ARROW.match(lines[one_])), 0
    )
    if not near and not head["code"]:
        return None
    arrow = _ARROW.match(lines[near]) if near else None
    if arrow and not arrow["file"].endswith((".rs", ".toml")):
        return None
    end, source = (near or at) + 1, ""
    while end < len(lines) and end < at + _MOST and lines[end].strip() and _BODY.match(lines[end]):
        if not source and _MARKED.match(lines[end]):
            source = re.split(r"[|│]", lines[end - 1], maxsplit=1)[-1].strip()
        end += 1
    place = None
    if arrow:
        place = FailureLocation(
            arrow["file"], number(arrow["line"]), number(arrow["column"]), source
        )
    label = next((match for line in lines[at:end] if (match := _EXPECTED.search(line))), None)
    message = _labelled(head["message"], label[0].strip() if label else "")
    failure = Failure("rustc", "rust", "", head["code"] or "", message, location=place)
    return one(failure, lines, at, end)


def _panic(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    match = _PANIC.match(lines[at].strip())
    if not match:
        return None
    file, line, column = match["file"], number(match["line"]), number(match["column"])
    words, end = [], at + 1
    if match["old"] is not None:
        words = [match["old"]]
        file, number_, column_ = match["place"].rsplit(":", 2)
        line, column = number(number_), number(column_)
    elif not file:
        words = [match["rest"]]
    if file and end + 1 < len(lines) and not lines[end].strip() and lines[end + 1][:1] in _BLANK:
        end += 1  # scripts of builds begin what they say with an empty line
    while end < len(lines) and end < at + 30 and lines[end].strip():
        if re.match(r"\s*(?:note: |stack backtrace:|thread ')", lines[end]):
            break
        words.append(lines[end])
        end += 1
    last = None if file or not words else _OLD_END.match(words[-1])
    if last:
        words = [words[0].removeprefix("'"), *words[1:-1], last["old"]]
        file, number_, column_ = last["place"].rsplit(":", 2)
        line, column = number(number_), number(column_)
    frames, end = _backtrace(lines, end)
    place = FailureLocation(file, line, column) if file else None
    test, start = _test(lines, at, floor, match["name"], line, words)
    if test is None and match["name"] not in ("main", "<unnamed>"):
        verdict = _harness(lines, at, end, match["name"])
        if verdict == "ok":
            return passed_over(at, end)  # it should panic
        if verdict:
            test = Test(match["name"], message=words[0] if words else "", failing_line=line)
    if not frames and file:
        name = match["name"] if test else ""
        frames = [StackFrame(file, name, line)]
    message = "\n".join(words)
    failure = Failure(
        "cargo" if test else "rust", "rust", "panic", "", message, bounded(frames), place, test
    )
    return one(failure, lines, start, end)


def _returned(lines: Sequence[str], at: int, name: str) -> ParserResult | None:
    """Read what a test said that failed without a panic; None if it panicked."""
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if _TEST_HEAD.match(lines[end]) or lines[end] == "failures:":
            break
        if _PANIC.match(lines[end].strip()):
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


def _harness(lines: Sequence[str], at: int, end: int, name: str) -> str:
    """Tell by the lines around how a test ended whose output is not captured: empty if unknown."""
    whole = re.compile(rf"test {re.escape(name)}(?: - should panic)? \.\.\. (?P<word>ok|FAILED)$")
    begun = f"test {name} "
    begins = any(line.startswith(begun) for line in lines[max(0, at - 60) : at])
    for line in lines[end : end + _MOST * 10]:
        if match := whole.match(line):
            return match["word"]
        if begins and line in ("ok", "FAILED"):
            return line
    return ""


def _backtrace(lines: Sequence[str], at: int) -> tuple[list[StackFrame], int]:
    frames: list[StackFrame] = []
    start = at
    while at < len(lines) and at < start + 300:
        call, place = _FRAME.match(lines[at]), _FRAME_AT.match(lines[at])
        if call:
            frames.append(StackFrame("", call["function"]))
        elif place and frames:
            frames[-1] = frames[-1]._replace(file=place["file"], line=int(place["line"]))
        elif not re.match(r"\s*(?:stack backtrace:|note: )", lines[at]):
            break
        at += 1
    return frames[::-1], at


def _test(
    lines: Sequence[str], at: int, floor: int, name: str, line: int | None, words: list[str]
) -> tuple[Test | None, int]:
    """Find the head of the test's output a few lines above."""
    for near in range(at - 1, max(floor, at - 60) - 1, -1):
        head = _TEST_HEAD.match(lines[near])
        if head:
            left = next((got[1] for word in words if (got := _LEFT.match(word))), "")
            right = next((got[1] for word in words if (got := _RIGHT.match(word))), "")
            test = Test(
                head["name"],
                "failed",
                right,
                left,
                words[0] if words else "",
                name.rsplit("::", 1)[-1],
                line,
            )
            return test, near
        if lines[near].startswith("running ") or lines[near].startswith("thread '"):
            break
    return None, at


def _json(lines: Sequence[str], at: int) -> ParserResult | None:
    try:
        data = json.loads(lines[at])
    except (ValueError, RecursionError):
        return None
    message = data.get("message") if isinstance(data, dict) else None
    if not isinstance(message, dict):
        message = data if isinstance(data, dict) and "rendered" in data else None
    if not message or message.get("level") not in ("error", "error: internal compiler error"):
        return passed_over(at, at + 1) if message else None
    text, spans, code = message.get("message"), message.get("spans"), message.get("code")
    if not isinstance(text, str):
        return None
    if _AFTER.match(text):
        return passed_over(at, at + 1)
    rendered = str(message.get("rendered") or text).split("\n")
    name = code.get("code") if isinstance(code, dict) else ""
    failure = Failure(
        tool="rustc",
        language="rust",
        code=name if isinstance(name, str) else "",
        message=_labelled(text, _label(spans)),
        location=_span(spans),
        excerpt=excerpt(rendered, 0, len(rendered)),
    )
    return ParserResult((failure,), at, at + 1)


def _labelled(message: str, label: str) -> str:
    """Add what stands at the mark, where the message says the same of many mistakes."""
    return f"{message}: {label}" if message in _VAGUE and label else message


def _label(spans: object) -> str:
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict) and span.get("is_primary"):
            label = span.get("label")
            return label if isinstance(label, str) else ""
    return ""


def _span(spans: object) -> FailureLocation | None:
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict) and span.get("is_primary"):
            file, line, column = (
                span.get("file_name"),
                span.get("line_start"),
                span.get("column_start"),
            )
            if isinstance(file, str) and isinstance(line, int) and isinstance(column, int):
                texts = span.get("text")
                first = texts[0] if isinstance(texts, list) and texts else None
                code = first.get("text") if isinstance(first, dict) else ""
                return FailureLocation(file, line, column, str(code or "").strip())
    return None


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
            CountForm("tests run:", r"Summary \[ *[\d.]+s\] +\d+ tests? run: .*$", LISTED),
        ),
        follows=r"\s*(?:Running|Doc-tests) ",
        follow=CargoBinaries,
        names_failing=True,
    ),
    command=ToolCommand(
        programs=("cargo",),
        comparable=True,
        shows=(r"--offline|--locked|--no-fail-fast|--message-format.*|--nocapture|--show-output"),
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
    ending=ToolEnding(stopped=("aiting for other jobs",)),
)
