"""javac and kotlinc, alone or through Maven and Gradle, and what Maven says at the end."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, Test
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolOutput,
    ToolSilence,
    ToolTitle,
)
from gitmem.tools.common.reading import number, one, passed_over

_LINE: Final = re.compile(
    r"(?:\[javac\] |> Task .*|(?::[\w.-]+)+(?=/|[A-Z]:\\))?\s*"  # Gradle: no end of the line
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:java|kt|kts|scala|groovy))"
    r":(?P<line>\d+):(?:(?P<column>\d+):)? error: (?P<message>.*)$"
)
_MAVEN: Final = re.compile(
    r"\[ERROR\] (?P<file>(?:[A-Za-z]:)?[^\s:\[][^:\n\[]{0,400}\.\w+):\["
    r"(?P<line>\d+),(?P<column>\d+)\] (?:error: )?(?P<message>.*)$"
)
_MAVEN_TEST: Final = re.compile(
    r"\[ERROR\]   (?P<name>[\w.$]+(?:\[.*?\])?)(?::"
    r"(?P<line>\d+))?(?:->\S+)? (?:» )?(?P<message>.*)$"
)
_MAVEN_GOAL: Final = re.compile(
    r"\[(?:ERROR|FATAL)\] (?:Failed to execute goal (?P<goal>\S+).*?: "
    r"(?P<message>.*?)(?: -> \[Help \d\])?|(?P<other>\S.*))$"
)
# Checkstyle, alone or through Maven.
_CHECKED: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:\[][^:\n\[]{0,400}\.\w+):\[?(?P<line>\d+)(?:[:,](?P<column>\d+))?"
    r"(?:\]|:) (?:\(\w+\) \w+: )?(?P<message>\S.*?) ?\[(?P<rule>\w+)\]\.?$"
)
_REASON: Final = re.compile(
    r"\[ERROR\][\t ]+(?!at )(?P<said>[^\s\[-].{0,2000}|\[error\].{0,2000})$"
)
_MOST_REASON: Final = 6
_MARK: Final = re.compile(r"\s*\^\s*$")
_MORE: Final = re.compile(
    r"\s+(?:symbol|location|required|found|reason|where|first type|both|method"
    r"|constructor) ?[\w ]*:|\s{4,}\S|\[ERROR\]   "
    r"(?:symbol|location|required|found|reason) ?:"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message of a compiler or of a build."""
    line = lines[at]
    match = _LINE.match(line) or _MAVEN.match(line)
    if match:
        return _message(lines, at, match)
    if line.startswith(("[ERROR]", "[FATAL]")):
        return _maven(lines, at)
    return None


def _message(lines: Sequence[str], at: int, match: re.Match[str]) -> ParserResult:
    words, source, end = [match["message"]], "", at + 1
    while end < len(lines) and end < at + 14:
        line = lines[end]
        if _MARK.match(line):
            source = lines[end - 1].strip()
            words = [word for word in words if word != source]
        elif _MORE.match(line):
            words.append(line.removeprefix("[ERROR]").strip())
        elif end == at + 1 and line.strip() and _marked_below(lines, end):
            pass
        else:
            break
        end += 1
    language = "kotlin" if match["file"].endswith((".kt", ".kts")) else "java"
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    tool = "javac" if language == "java" else "kotlinc"
    return one(Failure(tool, language, "", "", "\n".join(words), location=place), lines, at, end)


def _marked_below(lines: Sequence[str], at: int) -> bool:
    return at + 1 < len(lines) and bool(_MARK.match(lines[at + 1]))


def _maven(lines: Sequence[str], at: int) -> ParserResult | None:
    test = _MAVEN_TEST.match(lines[at])
    if test and "." in test["name"] and test["message"]:
        named = Test(name=test["name"], message=test["message"], failing_line=number(test["line"]))
        failure = Failure("maven", "java", "", "", test["message"], test=named)
        return one(failure, lines, at, at + 1)
    goal = _MAVEN_GOAL.match(lines[at])
    if not goal:
        return passed_over(at, at + 1)
    message = goal["message"] or goal["other"] or ""
    if not goal["goal"] and (rule := _CHECKED.match(message)):
        place = FailureLocation(rule["file"], number(rule["line"]), number(rule["column"]))
        failure = Failure("checkstyle", "java", "", rule["rule"], rule["message"], location=place)
        return one(failure, lines, at, at + 1)
    if not goal["goal"] or re.match(
        r"(?:To see|Re-run|For more|After correcting|\[Help|COMPILATION|Tests run"
        r"|Failures:|Errors:)",
        message,
    ):
        return passed_over(at, at + 1)
    weight = (
        "consequence"
        if re.match(r"(?:Compilation failure|There (?:are|was) test)", message)
        else "error"
    )
    from gitmem.tools.common.closing import is_closing

    end = at + 1
    if is_closing(message.rpartition(": ")[2]):  # why stands in the margin below
        while end < len(lines) and end <= at + _MOST_REASON and (why := _REASON.match(lines[end])):
            message += "\n" + why["said"]
            end += 1
        weight = "consequence" if end == at + 1 else weight
    return one(Failure("maven", "java", "", "", message, severity=weight), lines, at, end)


TOOL = Tool(
    "javac",
    order=170,
    language="java",
    output=ToolOutput(
        words=("[ERROR]", "[FATAL]"),
        beside=(".java:", ".kt:", ".kts:", ".scala:", "e: "),
        commands=("ant",),
        parse=parse,
    ),
    command=ToolCommand(programs=("javac",)),
    files=ToolFiles(noise=("*.class",)),
    title=ToolTitle(detail=r"\s*symbol ?: +(\S.*)$"),
    silence=ToolSilence(allows=(r"@SuppressWarnings\b",)),
    ending=ToolEnding(stopped=("only showing the first",)),
)
