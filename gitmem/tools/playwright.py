"""Playwright: tests in browsers; each failure stands indented below its numbered title."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, FailureLocation, ParserResult, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.common.spec_words import SPEC_SKIPS
from gitmem.tools.common.v8_traces import AT, stack
from gitmem.tools.forms import LineForm

_SPEC: Final = (
    r"(?:\[[^\]\n]{1,80}\] \u203a )?(?P<file>[^\s:][^:\n]{0,300}\.[cm]?[jt]sx?):"
    r"(?P<line>\d{1,7}):\d{1,5} \u203a (?P<title>\S.*?)"
)
_HEAD: Final = re.compile(rf"  \d{{1,5}}\) {_SPEC}(?: \u2500+)?\s*$")
_LISTED: Final = re.compile(rf"\s+(?:\S  ?\d* )?{_SPEC}(?: \([\d.]+m?s\)| \u2500+)?\s*$")
_ERROR: Final = re.compile(
    r"\s*(?P<type>[A-Z]\w{0,80}(?:Error|Exception)|Error): (?P<message>\S.*)$"
)
_RETRY: Final = re.compile(r"    Retry #\d+ \u2500")
_CALLS: Final = "Call log:"
_CALL: Final = re.compile(r"\s+- (?:\[2m)?(?P<call>\S.*)$")
_CODE: Final = re.compile(r"\s*(?P<mark>>)? *\d{1,7} \|(?P<code>.*)$|\s+\|[\s^]*$")
_COLUMN: Final = re.compile(r":\d+:\d+ \u203a ")
_JOINT: Final = " \u203a "
_MOST: Final = 200
_MOST_ABOVE: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one failure; of what is tried again only the first time counts."""
    error = _ERROR.match(lines[at])
    if error is None:
        return None
    head = _above(lines, at)
    end, words, code = _body(lines, at + 1)
    waits = any(word.startswith(_CALLS) for word in words)
    if head is None and not waits:
        return None
    frames, end = stack(lines, end)
    if head is not None and _RETRY.match(lines[head]):
        return passed_over(at, end) if end > at else None
    named = _HEAD.match(lines[head]) if head is not None else None
    if not frames and named is None:
        return None
    own = [step for step in frames if not foreign(step, "javascript")]
    place: FailureLocation | None = None
    if own:
        within = [step for step in own if named and step.file.endswith(named["file"])]
        step = within[-1] if within else own[-1]
        place = place_of(step.file, str(step.line))._replace(code=code)
    elif named:
        place = place_of(named["file"], named["line"])
    wording = [error["message"], *_without_log(words)]
    language = "typescript" if place and ".ts" in place.file[-4:] else "javascript"
    kind = "" if error["message"].startswith("expect(") else error["type"]
    failure = Failure("playwright", language, kind, "", "", bounded(frames), place)
    if named is None:
        return one(failure._replace(message="\n".join(wording)), lines, at, end)
    start = head if head is not None and head >= floor else at
    name = _JOINT.join([named["file"], _title(lines, named)])
    return one(of_test(failure, name, wording, compared(wording)), lines, start, end)


def _above(lines: Sequence[str], at: int) -> int | None:
    """Find the title that a failure stands below, or the line that says it was tried again."""
    for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1):
        if lines[near].strip() and not lines[near].startswith("  "):
            return None
        if _HEAD.match(lines[near]) or _RETRY.match(lines[near]):
            return near
    return None


def _body(lines: Sequence[str], at: int) -> tuple[int, list[str], str]:
    """Give where the stack begins, what was said up to it, and the marked line of code."""
    words: list[str] = []
    code = ""
    most = min(len(lines), at + _MOST)
    while at < most and not AT.match(lines[at]):
        if _HEAD.match(lines[at]) or _RETRY.match(lines[at]) or _ERROR.match(lines[at]):
            break
        if shown := _CODE.match(lines[at]):
            code = shown["code"].strip() if shown["mark"] else code
        elif lines[at].strip():
            words.append(lines[at].strip())
        at += 1
    return at, words, code


def _without_log(words: Sequence[str]) -> list[str]:
    """Leave of the log of calls what was waited for: how often it was tried varies."""
    at = next((no for no, word in enumerate(words) if word.startswith(_CALLS)), len(words))
    calls = (match["call"] for word in words[at + 1 :] if (match := _CALL.match(f" {word}")))
    return [*words[:at], *(call for call in calls if call.startswith("waiting for "))][:_MOST]


def _title(lines: Sequence[str], named: re.Match[str]) -> str:
    """Give the test's title without the steps in it, which stand only in the head."""
    title = named["title"]
    for line in lines:
        listed = _LISTED.match(line) if _JOINT in line else None
        if listed is None or not title.startswith(f"{listed['title']}{_JOINT}"):
            continue
        if (listed["file"], listed["line"]) == (named["file"], named["line"]):
            title = listed["title"]
    return title


def name_of(name: str) -> str:
    """Give a test's name without the line at which it stands, which moves."""
    return _COLUMN.sub(_JOINT, name, count=1)


def status_of(message: str) -> tuple[str, str]:
    """Read how a test ended from the mark before it."""
    if message in {"-", "\u25cb"}:
        return SKIPPED, ""
    return (PASSED, "") if message in {"\u2713", "ok"} else (FAILED, "")


TOOL = Tool(
    "playwright",
    order=46,
    language="javascript",
    output=ToolOutput(
        words=("rror: ",),
        needs=r"\u203a|Retry #|Call log:",
        parse=parse,
        closing=r"Error Context: |Slow test file: |Serving HTML report at ",
    ),
    tests=ToolTests(
        begins=("\u2718  ", "\u2713  ", "-  ", "ok  ", "x  "),
        lines=(
            LineForm(
                " \u203a ",
                r"(?P<said>[\u2718\u2713x-]|ok) +\d+ (?:\[[^\]\n]{1,80}\] \u203a )?"
                r"(?P<name>\S[^:\n]{0,300}:\d+:\d+ \u203a .*?)(?: \((?:[\d.]+m?s)\))?$",
            ),
        ),
        name=name_of,
        status=status_of,
    ),
    command=ToolCommand(programs=("playwright",), comparable=True, only_tests=("test",)),
    frames=ToolFrames(runner=("@playwright",)),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, r"\btest\.(?:fixme|fail)\b"), defines=("test",), groups=("describe",)
    ),
)
