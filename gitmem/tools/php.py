"""PHP: fatal and parse errors, uncaught exceptions, PHPUnit."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolFiles, ToolFrames, ToolOutput
from gitmem.tools.common.reading import one
from gitmem.tools.common.testdox import method_of_sentence

_HEAD: Final = re.compile(
    # What a program printed last may have no line of its own.
    r"(?:\[[^\]\n]{1,60}\] |[^\n]{1,200}?(?=PHP [A-Z][a-z ]{1,20} error:  ))?(?:PHP )?"
    r"(?P<kind>Fatal error|Parse error|Warning|Recoverable fatal error"
    r"|Catchable fatal error):\s+(?P<message>.*)$"
)
_PLACE: Final = re.compile(
    r"(?P<message>.*?) in (?P<file>(?:/|[A-Za-z]:|\w)[^\n]{0,400}?)(?: on line |:)(?P<line>\d+)\s*$"
)
_UNCAUGHT: Final = re.compile(r"Uncaught (?P<type>[A-Za-z_\\][\w\\]{0,200}): (?P<message>.*)$")
_STEP: Final = re.compile(
    r"#\d+ (?P<file>[^\n(]{1,400}|\[internal function\])(?:\((?P<line>\d+)\))?: "
    r"(?P<function>[\w\\:>{}$-]{1,200})"
)
_UNIT: Final = re.compile(
    r"\d+\) (?P<name>[\w\\]+::\w+(?: with data set (?:\".*?\"|#\d+))?)(?: \(.*\))?$"
)
_LIST: Final = re.compile(r"There (?:was|were) \d+ (?P<what>error|failure)s?:$")
_TYPED: Final = re.compile(r"(?P<type>(?:[A-Z][\w\\]*)?(?:Exception|Error)): (?P<message>.*)$")
_DOX: Final = re.compile(r" \u2718 (?P<name>\S.*?)\s*$")
_DOX_BODY: Final = re.compile(r" +[\u2502\u251c\u2575\u2577\u256d\u2570\u256e] ?(?P<text>.*)$")
_CLASS: Final = re.compile(r"[A-Z]\S*(?: .*)?$")
_ASSERTED: Final = "AssertionError"
_MOST_ABOVE: Final = 600
_MOST_OWN: Final = 6
_UNIT_PLACE: Final = re.compile(r"(?P<file>(?:/|[A-Za-z]:)\S+\.php):(?P<line>\d+)$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error."""
    if dox := _DOX.match(lines[at]):
        return _testdox(lines, at, dox["name"])
    if listed := _LIST.match(lines[at]):
        return _unit_list(lines, at, "" if listed["what"] == "error" else _ASSERTED)
    # A message of the test's own stands before what PHPUnit says.
    for near in range(at, max(floor, at - _MOST_OWN) - 1, -1):
        if not lines[near].strip():
            break
        if _UNIT.match(lines[near]):
            return _phpunit(lines, near)
    head = _HEAD.match(lines[at])
    if not head or (head["kind"] == "Warning" and " in " not in head["message"]):
        return None
    uncaught = _UNCAUGHT.match(head["message"])
    if uncaught:
        return _exception(lines, at, uncaught)
    match = _PLACE.match(head["message"])
    if not match:
        return None
    place = FailureLocation(match["file"], int(match["line"]))
    kind = {"Parse error": "ParseError"}.get(head["kind"], head["kind"])
    weight = "warning" if head["kind"] == "Warning" else "error"
    failure = Failure("php", "php", kind, "", match["message"], location=place, severity=weight)
    return one(failure, lines, at, at + 1)


def _testdox(lines: Sequence[str], at: int, name: str) -> ParserResult | None:
    """Read a failing test as PHPUnit's testdox shows it: its class stands above."""
    end = at + 1
    while end < len(lines) and _DOX_BODY.match(lines[end]):
        end += 1
    body = [step["text"] for line in lines[at + 1 : end] if (step := _DOX_BODY.match(line))]
    trace = [step for text in body if (step := _UNIT_PLACE.match(text.strip()))]
    words = [text for text in body if text.strip() and not _UNIT_PLACE.match(text.strip())]
    if not trace or not words:
        return None
    group = next(
        (line for line in reversed(lines[max(0, at - _MOST_ABOVE) : at]) if _CLASS.match(line)), ""
    )
    typed = _TYPED.match(words[0])
    place = FailureLocation(trace[-1]["file"], int(trace[-1]["line"]))
    whole = method_of_sentence(group, name)
    test = Test(whole, message=words[0], failing_line=place.line)
    frames = [StackFrame(step["file"], "", int(step["line"])) for step in reversed(trace)]
    frames[0] = frames[0]._replace(function=whole)
    failure = Failure(
        "phpunit",
        "php",
        typed["type"] if typed else _ASSERTED,
        "",
        "\n".join(words),
        bounded(frames),
        place,
        test,
    )
    return one(failure, lines, at, end)


def _exception(lines: Sequence[str], at: int, uncaught: re.Match[str]) -> ParserResult:
    frames: list[StackFrame] = []
    message, end = uncaught["message"], at + 1
    while end < len(lines) and end < at + 80:
        step = _STEP.match(lines[end].strip())
        if step:
            line = int(step["line"]) if step["line"] else None
            file = "" if step["file"].startswith("[") else step["file"]
            frames.append(StackFrame(file, step["function"], line))
        elif not re.match(
            r"(?:PHP )?(?:Stack trace:|#\d+ |  thrown in |Next )", lines[end].strip() or "x"
        ) and not lines[end].startswith("  thrown"):
            break
        end += 1
    match = _PLACE.match(message)
    place = None
    if match:
        message = match["message"]
        place = FailureLocation(match["file"], int(match["line"]))
    # A step names the place of the call and what was called: the caller is one step out.
    callers = [*(step.function for step in frames[1:]), "{main}"]
    stack = [
        frame._replace(function=caller)
        for frame, caller in zip(frames, callers, strict=False)
        if frame.file
    ]
    stack.reverse()
    if place:
        inner = frames[0].function if frames else "{main}"
        stack.append(StackFrame(place.file, inner, place.line))
    failure = Failure("php", "php", uncaught["type"], "", message, bounded(stack), place)
    return one(failure, lines, at, end)


def _unit_list(lines: Sequence[str], at: int, kind: str) -> ParserResult | None:
    """Read what stands below a headline of PHPUnit, one test after the other.

    An error of PHP that it made an exception of stands there in words that name no type.
    """
    failures: list[Failure] = []
    end = at + 1
    while (first := _not_empty(lines, end)) < len(lines):
        block = _phpunit(lines, first, kind)
        if block is None or block.end == len(lines):
            break  # no more of them, or its end is out of sight
        failures += block.failures
        end = block.end
    return ParserResult(tuple(failures), at, end) if failures else None


def _not_empty(lines: Sequence[str], at: int) -> int:
    """Give the next line in which something stands."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _phpunit(lines: Sequence[str], at: int, kind: str = _ASSERTED) -> ParserResult | None:
    head = _UNIT.match(lines[at])
    end = at + 1
    while end < len(lines) and end < at + 60 and not _UNIT.match(lines[end]):
        if re.match(r"(?:FAILURES!|ERRORS!|--$)", lines[end]):
            break
        end += 1
    body = lines[at + 1 : end]
    trace = [step for line in body if (step := _UNIT_PLACE.match(line))]
    if not head or not trace:
        return None
    words = [line for line in body if line.strip() and not _UNIT_PLACE.match(line)]
    typed = _TYPED.match(words[0]) if words else None
    place = FailureLocation(trace[-1]["file"], int(trace[-1]["line"]))
    test = Test(head["name"], message=words[0] if words else "", failing_line=place.line)
    frames = [StackFrame(step["file"], "", int(step["line"])) for step in reversed(trace)]
    frames[0] = frames[0]._replace(function=head["name"])
    failure = Failure(
        "phpunit",
        "php",
        typed["type"] if typed else kind,
        "",
        "\n".join(words),
        bounded(frames),
        place,
        test,
    )
    return one(failure, lines, at, end)


def read_manifest(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read ``composer.json``."""
    needed = data.get("require") or {}
    libraries = [
        library
        for library in (*needed, *(data.get("require-dev") or {}))
        if library != "php" and not library.startswith("ext-")
    ]
    return {"name": data.get("name", ""), "about": data.get("description", ""),
            "wants": needed.get("php", ""), "libraries": libraries}  # fmt: skip


TOOL = Tool(
    "php",
    order=260,
    language="php",
    output=ToolOutput(
        words=(
            "Fatal error:",
            "fatal error:",
            "Parse error:",
            "Failed asserting",
            "There was 1 ",
            "There were ",
            "Expectation failed for ",
            "was expected to be called",
            "✘ ",
            "xception: ",
            "Error: ",
        ),
        beside=("Warning: ", ".php:"),
        needs=r"\u2718|\d\) [\w\\]+::|Fatal error|fatal error|Parse error|Warning",
        commands=("composer",),
        parse=parse,
    ),
    command=ToolCommand(programs=("php",)),
    files=ToolFiles(
        manifests=("composer.json",),
        locks=("composer.lock",),
        reads={"composer.json": "PHP"},
        read=read_manifest,
        aside=(r"composer\.(?:json|lock)", r"\.php-cs-fixer\.php"),
    ),
    ending=ToolEnding(uncaught=(r"^PHP Fatal error:  Uncaught ", r"^Fatal error: Uncaught ")),
    frames=ToolFrames(
        folders=("vendor",), libraries=("vendor",), clean=((70, r"\{closure[^}]*\}", ""),)
    ),
)
