"""JUnit, and what its tests are written with: it is run by Gradle, Maven and others.

Its own launcher on the console tells what failed below the path of the test, without ``at`` before
a frame.
"""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolFrames, ToolOutput, ToolSilence
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one

_PATH: Final = re.compile(r"  (?:\S[^:\n]{0,60}:)?(?P<test>\S.{0,400})$")
_SOURCE: Final = re.compile(
    r"    MethodSource \[className = '(?P<owner>[^']+)', methodName = '(?P<method>[^']+)',"
)
_RAISED: Final = re.compile(
    r"    => (?P<type>(?:[a-z_][\w$]*\.)*[A-Z][\w$.]*)(?:: (?P<message>.*))?$"
)
_ROW: Final = re.compile(r".*:(?P<row>\[\d{1,6}\](?: .*)?)$")
_STEP: Final = re.compile(
    r" {7}(?:[\w.@-]{1,100}/)?(?P<name>[\w.$<>-]{1,400})"
    r"\((?P<file>[^():\n]{1,200})(?::(?P<line>\d{1,7}))?\)$"
)
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a failure of the launcher's list, from the line of what was raised."""
    raised = _RAISED.match(lines[at])
    source = _SOURCE.match(lines[at - 1]) if raised and at > floor + 1 else None
    path = _PATH.match(lines[at - 2]) if source else None
    if raised is None or source is None or path is None:
        return None
    end, words = at + 1, [raised["message"] or ""]
    frames: list[StackFrame] = []
    while end < min(len(lines), at + _MOST) and lines[end].startswith(" " * 7):
        if step := _STEP.match(lines[end]):
            line = step["line"]
            frames.append(StackFrame(step["file"], step["name"], int(line) if line else None))
        elif not frames:
            words.append(lines[end].strip())
        end += 1
    own = [frame for frame in frames if not foreign(frame, "java")]
    place = place_of(own[0].file, str(own[0].line)) if own and own[0].line else None
    row = _ROW.match(path["test"])
    name = f"{source['owner']}.{source['method']}{row['row'] if row else ''}"
    failure = Failure("junit", "java", raised["type"], frames=bounded(frames[::-1]), location=place)
    return one(of_test(failure, name, words), lines, at - 2, end)


TOOL = Tool(
    "junit",
    order=202,
    language="java",
    output=ToolOutput(words=("=> ",), needs=r"^    MethodSource \[className = ", parse=parse),
    silence=ToolSilence(
        skips=(r"@(?:Disabled|Ignore)\b", r"\bassume(?:True|False|That)\("), mark=r"@Test\b"
    ),
    frames=ToolFrames(
        names=MappingProxyType(
            {"java": r"(?:junit|munit|org\.(?:junit|opentest4j|scalatest|specs2|testng))[.$]"}
        ),
        asserting=("fail(?:NotEquals|NotSame|Same)",),
        evidence_names=(r"(?:org\.)?junit[./]",),
    ),
)
