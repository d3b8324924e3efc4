"""Errors as Bun shows them: a frame of code, a caret, the error, its stack, then its test."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, bounded
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one
from gitmem.tools.common.v8_traces import AT, stack

_HEAD: Final = re.compile(
    r"(?:(?P<type>[A-Z]\w{0,100}(?:Error|Exception))|error): (?P<message>\S.*)$"
)
_QUOTED: Final = re.compile(r" {0,6}\d{1,7} \| (?P<code>.*)$")
_TEST: Final = re.compile(
    r"\((?P<word>fail|pass|skip|todo)\) (?P<name>\S.{0,400}?)(?: \[[\d.]+ ?m?s\])?$"
)
_ASSERTED: Final = "expect("
_MOST: Final = 200
_BELOW: Final = 12


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error, with the test that it ended if there is one."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    marked = at > 1 and lines[at - 1].strip() == "^" and _QUOTED.match(lines[at - 2])
    if not (marked or head["message"].startswith(_ASSERTED)):
        return None
    words, traced = _body(lines, at + 1)
    frames, end = stack(lines, traced)
    if not frames:
        return None
    start = _start(lines, at, floor) if marked else at
    own = [step for step in frames if not foreign(step, "javascript")]
    place: FailureLocation | None = None
    if own:
        code = marked["code"].strip() if marked else ""
        frames = [step._replace(code=code) if step is own[-1] else step for step in frames]
        place = place_of(own[-1].file, str(own[-1].line))._replace(code=code)
    kind = head["type"] or ("" if head["message"].startswith(_ASSERTED) else "Error")
    wording = [head["message"], *words]
    language = "typescript" if place and place.file.endswith((".ts", ".tsx", ".mts")) else ""
    failure = Failure(
        "bun", language or "javascript", kind, "", "", bounded(frames), location=place
    )
    near, test = _below(lines, end)
    if test is None:
        return one(failure._replace(message="\n".join(wording).strip()), lines, start, end)
    return one(of_test(failure, test, wording), lines, start, near + 1)


def _body(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Give what was said up to the stack, and where that begins."""
    words: list[str] = []
    while at < len(lines) and len(words) < _MOST and not AT.match(lines[at]):
        words.append(lines[at].rstrip())
        at += 1
    while words and not words[-1]:
        words.pop()
    return [word for word in words if word.strip()], at


def _start(lines: Sequence[str], at: int, floor: int) -> int:
    """Find the first line of the code that is shown above an error."""
    start = at - 1
    while start > floor and _QUOTED.match(lines[start - 1]):
        start -= 1
    return start


def _below(lines: Sequence[str], at: int) -> tuple[int, str | None]:
    """Find the test that an error ended: its line stands below, before another error."""
    for near in range(at, min(len(lines), at + _BELOW)):
        if test := _TEST.match(lines[near]):
            return near, test["name"] if test["word"] == "fail" else None
        if _HEAD.match(lines[near]) or _QUOTED.match(lines[near]):
            break
    return at, None
