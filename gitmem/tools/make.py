"""make, ninja, CMake and just: rules that are missing, recipes that failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.closing import telling_line
from gitmem.tools.common.options import BUILD_SHOWS
from gitmem.tools.common.reading import indented, number, one, passed_over

_STOP: Final = re.compile(
    r"(?:g?make(?:\[\d+\])?): \*\*\* (?:\[(?P<place>[^\]\n]{1,400})\] "
    r"(?P<failed>(?:Error|Fehler) \d+|\w.*)|(?P<message>\S.*?)(?:\s+Stop\.)?)\s*$"
)
_MAKEFILE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d+): \*\*\* (?P<message>.*?)(?:\s+Stop\.)?\s*$"
)
_NINJA: Final = re.compile(
    r"(?:ninja: (?P<said>error|build stopped|fatal): (?P<message>.*)|FAILED: "
    r"(?P<target>(?:\[code=\d+\] )?(?:\S+|[^\s'\"`]*[./\\][^\s'\"`]*(?: [^'\"`\n]*)?)\s*))$"
)
_PLACED: Final = re.compile(r"(?P<file>[^\s:]{1,300}):(?P<line>\d{1,7}): (?P<message>\S.*)$")
_CMAKE: Final = re.compile(
    r"CMake Error(?: \(dev\))?(?: at (?P<file>[^\s:][^:\n]{0,300}):"
    r"(?P<line>\d+)(?: \(\w+\))?)?:(?P<message>.*)$"
)
_ELSEWHERE: Final = re.compile(r"; see (?:above|below)\.$")
"""A project's own words, which it goes on with in lines that CMake only passes on."""
_OTHER: Final = re.compile(r"g?make(?:\[\d+\])?: ")
_MOST_ABOVE: Final = 12
_TARGET: Final = re.compile(r"^([A-Za-z][\w-]*)[^\S\n]*:(?![=:])", re.MULTILINE)
_JUST: Final = re.compile(r"error: Recipe `(?P<target>[^`]+)` failed.* with exit code \d+")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what a build tool says."""
    line = lines[at]
    stop = _STOP.match(line)
    if stop:
        if stop["message"]:
            return one(Failure("make", message=stop["message"]), lines, at, at + 1)
        return _recipe(lines, at, floor, stop)
    cmake = _CMAKE.match(line)
    if cmake:
        return _cmake(lines, at, cmake)
    match = _MAKEFILE.match(line)
    if match:
        place = FailureLocation(match["file"], number(match["line"]))
        return one(Failure("make", message=match["message"], location=place), lines, at, at + 1)
    ninja = _NINJA.match(line)
    if ninja and (ninja["target"] or ninja["said"] == "build stopped"):
        message = ninja["target"] or ninja["message"]
        return one(Failure("ninja", message=message, severity="consequence"), lines, at, at + 1)
    if ninja:
        placed = _PLACED.match(ninja["message"])
        failure = Failure("ninja", message=placed["message"] if placed else ninja["message"])
        if placed:
            place = FailureLocation(placed["file"], int(placed["line"]))
            failure = failure._replace(location=place)
        return one(failure, lines, at, at + 1)
    just = _JUST.match(line)
    if just:
        message = f"[{just['target']}] failed"
        return one(Failure("just", message=message, severity="consequence"), lines, at, at + 1)
    return None


def _recipe(lines: Sequence[str], at: int, floor: int, stop: re.Match[str]) -> ParserResult:
    """Read that a recipe failed: its target, and the last of what it said."""
    target = re.sub(r"^.*?: ", "", stop["place"])
    start = at
    while start > max(floor, at - _MOST_ABOVE) and not _OTHER.match(lines[start - 1]):
        start -= 1
    telling = telling_line(lines, start, at)
    if not telling:
        message = f"[{target}] {stop['failed']}"
        return one(Failure("make", message=message, severity="consequence"), lines, at, at + 1)
    failure = Failure("make", message=f"[{target}] {telling}", severity="ending")
    return one(failure, lines, start, at + 1)._replace(start=at)


def _cmake(lines: Sequence[str], at: int, match: re.Match[str]) -> ParserResult:
    end = at + 1
    while (
        end < len(lines)
        and end < at + 16
        and (lines[end].startswith("  ") or not lines[end].strip())
    ):
        if not lines[end].strip() and not lines[end - 1].strip():
            break
        end += 1
    words = [match["message"].strip(), *(line.strip() for line in lines[at + 1 : end])]
    if _ELSEWHERE.search(words[-1]) and end < len(lines) and lines[end].strip():
        words.append(lines[end].strip())
        end += 1
    message = "\n".join(word for word in words if word)
    if not message:
        return passed_over(at, max(end, indented(lines, at + 1, 8)))
    place = FailureLocation(match["file"], number(match["line"])) if match["file"] else None
    return one(Failure("cmake", message=message, location=place), lines, at, end)


TOOL = Tool(
    "make",
    order=310,
    bears=("make", "just"),
    output=ToolOutput(
        words=("*** ", "FAILED: ", "CMake Error", "error: Recipe"),
        beside=("ninja: ",),
        commands=("just",),
        parse=parse,
        closing=r"make(?:\[\d+\])?: (?:\*\*\*|Leaving|Entering|Nothing)",
        ends_step=True,
    ),
    command=ToolCommand(programs=("make",), builds=("make", "gmake"), shows=BUILD_SHOWS),
    files=ToolFiles(
        settings={"Makefile": "make"}, turn=10, runs={"Makefile": "make "}, targets=_TARGET.findall
    ),
    identity=ToolIdentity(guesses=True),
    silence=ToolSilence(
        steps=("(?:GNUm|M|m)akefile", r".*\.mk"),
        unheard=(r"^-(?!include\b)[@\w./$({]\S*", r"^\.IGNORE:"),
    ),
    # With -j what runs already is waited for, and what comes after it is not begun.
    ending=ToolEnding(early="-j.*|--jobs.*", stopped=("aiting for unfinished jobs",)),
)
