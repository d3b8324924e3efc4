"""Panics of Rust: where, what was said, the backtrace, and which test it was."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test, bounded
from gitmem.tools.common.reading import number, one, passed_over

PANIC: Final = re.compile(
    r"thread '(?P<name>[^'\n]{0,300})'(?: \(\d+\))? (?:has )?panicked at "
    r"(?:(?P<file>[^'\s][^:\n]{0,300}):(?P<line>\d+):(?P<column>\d+):?$|'"
    r"(?P<old>.*)', (?P<place>[^:]{1,300}:\d+:\d+)$|(?P<rest>.*)$)"
)
# The last line of a message of several, as versions before 1.73 print it.
_BLANK: Final = (" ", "\t")
_OLD_END: Final = re.compile(r"(?P<old>.*)', (?P<place>[^:]{1,300}:\d+:\d+)$")
TEST_HEAD: Final = re.compile(r"---- (?P<name>\S.*?) stdout ----$")
_RUN_HEAD: Final = re.compile(
    r"\s*(?:[A-Z]{3,9}(?:-FAIL)?(?: [A-Z]{3,9})?|TRY \d+ [A-Z]{3,9}) \[ *[\d.]+s\] "
    r"(?:\( *\d+/\d+\) )?\S+(?: \S+)? (?P<name>\S+)$"
    r"|\s*---.{1,40}:\s+\S+(?: \S+)? (?P<printed>\S+) ---$"
)
"""Who runs each test in a process of its own says above what it printed which test it was."""
_FRAME: Final = re.compile(r"\s+(?P<number>\d+): +(?:0x[0-9a-f]+ - )?(?P<function>\S.*)$")
_FRAME_AT: Final = re.compile(r"\s+at (?P<file>\S.*?):(?P<line>\d+)(?::\d+)?$")
_LEFT: Final = re.compile(r"\s*left: `?(.*?)`?,?$")
_RIGHT: Final = re.compile(r"\s*right: `?(.*?)`?,?$")
_NOT_SAID: Final = re.compile(
    r"note: |stack backtrace:|thread '|failures:|successes:|----|test |running \d|error:|warning:"
    r"|\s*(?:Running|Finished|Doc-tests|Compiling) "
)
"""What follows a panic that says nothing."""
_MOST: Final = 120


def read_panic(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a panic; not one that a test wants."""
    match = PANIC.match(lines[at].strip())
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
    if file and _begins_empty(lines, end):
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
            first = words[0] if words else ""
            test = Test(match["name"], "failed", *_values(words), first, failing_line=line)
    if not frames and file:
        name = match["name"] if test else ""
        frames = [StackFrame(file, name, line)]
    message = "\n".join(words)
    failure = Failure(
        "cargo" if test else "rust", "rust", "panic", "", message, bounded(frames), place, test
    )
    return one(failure, lines, start, end)


def _begins_empty(lines: Sequence[str], at: int) -> bool:
    """Tell whether what a panic says begins with an empty line: it says anything below it."""
    if at + 1 >= len(lines) or lines[at].strip():
        return False
    below = lines[at + 1]
    return below[:1] in _BLANK or (bool(below.strip()) and not _NOT_SAID.match(below))


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


def _values(words: Sequence[str]) -> tuple[str, str]:
    """Give what an assertion wanted, on its right, and what there was."""
    left = next((got[1] for word in words if (got := _LEFT.match(word))), "")
    return next((got[1] for word in words if (got := _RIGHT.match(word))), ""), left


def _test(
    lines: Sequence[str], at: int, floor: int, name: str, line: int | None, words: list[str]
) -> tuple[Test | None, int]:
    """Find the head of the test's output a few lines above."""
    for near in range(at - 1, max(floor, at - 60) - 1, -1):
        head = TEST_HEAD.match(lines[near])
        if head:
            first, inner = words[0] if words else "", name.rsplit("::", 1)[-1]
            return Test(head["name"], "failed", *_values(words), first, inner, line), near
        ran = _RUN_HEAD.match(lines[near])
        if ran and (ran["name"] or ran["printed"]) == name:
            return Test(name, "failed", *_values(words), words[0] if words else "",
                        name.rsplit("::", 1)[-1], line), at  # fmt: skip
        if lines[near].startswith("running ") or lines[near].startswith("thread '"):
            break
    return None, at
