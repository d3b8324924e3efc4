"""XCTest and Swift Testing: tests of Swift."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolSilence
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one

_ISSUE: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^:\n]{1,400}\.(?:swift|mm?)):(?P<line>\d{1,7}): error: "
    r"(?:-\[(?P<class>\S{1,200}) (?P<method>\w{1,200})\]|(?P<name>[\w.]{1,300}\.\w{1,200})) : "
    r"(?P<message>\S.*)$"
)
_RECORDED: Final = re.compile(
    r"(?:\S{1,2} )?Test (?P<name>\"[^\"]{1,300}\"|[\w.]{1,300}\(.{0,200}?\))(?: with .{1,400}?)? "
    r"recorded an issue(?: with .{1,400}?)? at (?P<file>[^:\n]{1,400}\.swift):(?P<line>\d{1,7}):"
    r"(?P<column>\d{1,5}): (?P<message>\S.*)$"
)
_EQUAL: Final = re.compile(
    r'.*?\("(?P<actual>.{0,400}?)"\) is not equal to \("(?P<expected>.{0,400}?)"\)'
)
_DETAIL: Final = re.compile(r"\s*(?:\u21b3|\u25b7) ?(?P<text>.*)$")
_MOST: Final = 20


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one issue of a test."""
    issue = _ISSUE.match(lines[at])
    recorded = None if issue else _RECORDED.match(lines[at].strip())
    if issue is None and recorded is None:
        return None
    end = at + 1
    place: FailureLocation | None = None
    name, words = "", [""]
    if issue:
        owner = issue["class"].rpartition(".")[2] if issue["class"] else ""
        name = f"{owner}.{issue['method']}" if owner else issue["name"]
        place = place_of(issue["file"], issue["line"])
        words = [issue["message"].removesuffix(" - ").strip()]
    elif recorded:
        name = recorded["name"].strip('"')
        place = place_of(recorded["file"], recorded["line"], recorded["column"])
        words = [recorded["message"]]
        while end < len(lines) and end < at + _MOST and (wording := _DETAIL.match(lines[end])):
            words.append(wording["text"])
            end += 1
    equal = _EQUAL.match(words[0])
    values = (equal["expected"], equal["actual"]) if equal else compared(words)
    return one(
        of_test(Failure("xctest", "swift", location=place), name, words, values), lines, at, end
    )


TOOL = Tool(
    "xctest",
    order=35,
    language="swift",
    output=ToolOutput(
        words=(": error: ", " recorded an issue "), commands=("xcodebuild", "swift"), parse=parse
    ),
    identity=ToolIdentity(
        comparing=(
            "xctassertequal",
            "xctassert",
            "xctasserttrue",
            "xctassertfalse",
            "xctassertnil",
            "xctassertnotnil",
            "xctassertnotequal",
        )
    ),
    silence=ToolSilence(skips=(r"\bXCTSkip\b", r"\.disabled\(")),
)
