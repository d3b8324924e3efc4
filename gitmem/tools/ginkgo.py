"""Ginkgo: specs of Go, with what Gomega compared."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one

_HEAD: Final = re.compile(
    r"\S+ \[(?P<word>FAILED|PANICKED|TIMEDOUT|INTERRUPTED|ABORTED)!?\] \[[\d.]+ seconds\]$"
)
_RULE: Final = re.compile(r"-{10,}$")
_NODE: Final = re.compile(
    r"\[(?:It|(?:Just)?(?:Before|After)(?:Each|All|Suite)|DeferCleanup)[^\]\n]{0,40}\] ?"
)
_PLACE: Final = re.compile(r"(?P<file>(?:[A-Za-z]:)?[^\s:]{1,300}\.go):(?P<line>\d{1,7})$")
_AT: Final = re.compile(
    r"\s+In \[[^\]\n]{1,60}\] at: (?P<file>(?:[A-Za-z]:)?[^\s:]{1,300}):(?P<line>\d{1,7})"
    r"(?: @ .*)?$"
)
_WORD: Final = re.compile(r"\s+\[(?:FAILED|PANICKED|TIMEDOUT|INTERRUPTED)\] (?P<said>\S.*)$")
_PANICS: Final = "Test Panicked"
_STACK: Final = re.compile(r"\s+(?:Full Stack Trace|There were additional failures)")
_EXPECTED: Final = re.compile(r"\s+(?:to|not to) (?:be |equal|have |match|contain|satisfy)")
_MOST: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one spec from its headline."""
    if _HEAD.match(lines[at]) is None:
        return None
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _RULE.match(lines[end]):
        end += 1
    block = list(lines[at + 1 : end])
    name, place = "", None
    words: list[str] = []
    for line in block:
        if node := _PLACE.match(line):
            place = place or place_of(node["file"], node["line"])
        elif raised := _AT.match(line):
            own = None if "/src/runtime/" in raised["file"] else raised
            place = place_of(own["file"], own["line"]) if own else place
        elif _STACK.match(line):
            break
        elif word := _WORD.match(line):
            words = [] if word["said"] == _PANICS else [word["said"]]
        elif line[:1].strip():
            name = name or _NODE.sub("", line).strip()
        elif line.strip() and (words or place):
            words.append(line.strip())
    if not name or not words:
        return None
    failure = Failure("ginkgo", "go", "AssertionError", location=place)
    if words[0].startswith("runtime error: "):
        failure = failure._replace(error_type="panic")
    return one(of_test(failure, name, words, _values(block)), lines, at, end)


def _values(block: Sequence[str]) -> tuple[str, str]:
    """Give the expected and the actual value of one of Gomega's comparisons."""
    expected, actual, into = "", "", ""
    for line in block:
        if line.strip() == "Expected":
            into = "actual"
        elif _EXPECTED.match(line):
            into = "expected"
        elif into and line.startswith(" " * 6):
            actual = line.strip() if into == "actual" and not actual else actual
            expected = line.strip() if into == "expected" and not expected else expected
        else:
            into = ""
    return expected, actual


TOOL = Tool(
    "ginkgo",
    order=226,
    language="go",
    output=ToolOutput(
        words=("[FAILED] [", "[PANICKED] [", "[TIMEDOUT] [", "[INTERRUPTED] [", "[ABORTED] ["),
        parse=parse,
        closing=(
            r"Summarizing \d+ Failures?:"
            r"|\[(?:FAIL|PANICKED!|TIMEDOUT|INTERRUPTED)\] \S.*\[[A-Z]\w+\] .*"
            r"|Ran \d+ of \d+ Specs in .*|FAIL! -- \d+ Passed .*|Ginkgo ran \d+ suites? in .*"
            r"|Test Suite Failed"
        ),
    ),
    tests=ToolTests(wrapped_by=("go",)),
    command=ToolCommand(programs=("ginkgo",), comparable=True, only_tests=("",)),
)
