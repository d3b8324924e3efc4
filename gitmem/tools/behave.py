"""behave: features in the words of Gherkin with steps in Python."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput, ToolReports, ToolSilence
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.python_traces import HEAD, chain
from gitmem.tools.common.reading import one, passed_over

_SCENARIO: Final = re.compile(
    r"\s*Scenario(?: Outline| Template)?: (?P<name>\S.{0,300}?)"
    r"(?: +# (?P<file>\S.{0,300}):(?P<line>\d{1,7}))?\s*$"
)
_STEP: Final = re.compile(
    r"\s+(?P<step>(?:Given|When|Then|And|But|\*) \S.{0,400}?)"
    r"(?: +# (?:(?P<file>\S.{0,300}?):(?P<line>\d{1,7})|None)(?: \d+\.\d+s)?"
    r"| \.\.\. (?P<ended>failed|undefined|error)(?: in [\d.]+s)?)\s*$"
)
_ASSERT: Final = re.compile(r"(?P<indent>\s*)(?:ASSERT FAILED|Assertion Failed): ?(?P<message>.*)$")
_NAMED: Final = re.compile(r"  (?P<file>\S.{0,300}):(?P<line>\d{1,7})  (?P<name>\S.{0,300}?)\s*$")
_LIST: Final = re.compile(r"(?:Failing|Errored) scenarios:$")
_SNIPPET: Final = re.compile(r"@(?:given|when|then|step)\(u?(['\"])(?P<step>.{1,400})\1\)$")
# A report tells of one scenario; its message is that of an exception, which there is none of.
_REPORTED: Final = re.compile(
    r"Failing step: (?:Given|When|Then|And|But|\*) (?P<step>\S.{0,400}?) \.\.\. undefined in "
)
_REPORTED_PLACE: Final = re.compile(r"Location: (?P<file>\S.{0,300}):(?P<line>\d{1,7})$")
_UNDEFINED: Final = "You can implement step definitions for undefined steps"
_MOST: Final = 60
_MOST_ABOVE: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read why a step failed, or the list of scenarios that did."""
    if _LIST.match(lines[at]):
        return _listed(lines, at)
    if lines[at].startswith(_UNDEFINED):
        return _undefined(lines, at)
    if reported := _REPORTED.match(lines[at]):
        return _reported(lines, at, reported["step"])
    wording = _ASSERT.match(lines[at])
    step = _STEP.match(lines[at - 1]) if at else None
    if step is None or not (wording or HEAD in lines[at]):
        return None
    scenario = _above(lines, at)
    if scenario is None:
        return None
    del floor
    if wording is None:
        failure, end = chain(lines, at)
        if failure is None:
            return None
        return one(of_test(failure._replace(tool="behave"), scenario["name"], []), lines, at, end)
    end = at + 1
    while end < len(lines) and end < at + _MOST and _goes_on(lines[end], wording["indent"]):
        end += 1
    words = [wording["message"], *(line.strip() for line in lines[at + 1 : end])]
    place = place_of(step["file"], step["line"]) if step["file"] else _place(lines, scenario)
    failure = Failure("behave", "python", "AssertionError", location=place)
    return one(of_test(failure, scenario["name"], words, compared(words)), lines, at, end)


def _goes_on(line: str, indent: str) -> bool:
    return bool(line.strip()) and line.startswith(indent) and not _STEP.match(line)


def _above(lines: Sequence[str], at: int) -> re.Match[str] | None:
    """Find the scenario that a line is in."""
    for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1):
        if scenario := _SCENARIO.match(lines[near]):
            return scenario
    return None


def _place(lines: Sequence[str], scenario: re.Match[str]) -> FailureLocation | None:
    """Give where a scenario stands; behind its name, or in the list of those that failed."""
    if scenario["file"]:
        return place_of(scenario["file"], scenario["line"])
    named = (each for each in map(_NAMED.match, lines) if each)
    own = next((each for each in named if each["name"] == scenario["name"]), None)
    return place_of(own["file"], own["line"]) if own else None


def _listed(lines: Sequence[str], at: int) -> ParserResult:
    """Read the names of scenarios, where nothing else is told of them."""
    end = at + 1
    failures: list[Failure] = []
    told_above = _above(lines, at) is not None
    while end < len(lines) and (named := _NAMED.match(lines[end])):
        if not told_above:
            place = place_of(named["file"], named["line"])
            failures.append(of_test(Failure("behave", "python", location=place), named["name"], []))
        end += 1
    return ParserResult(tuple(failures), at, end)


def _undefined(lines: Sequence[str], at: int) -> ParserResult:
    """Read which steps nobody has written, from the snippets that are offered for them."""
    end, failures = at + 1, []
    while end < len(lines) and end < at + _MOST_ABOVE:
        if snippet := _SNIPPET.match(lines[end]):
            failures.append(_undefined_step(lines, at, snippet["step"]))
        elif lines[end].strip() and not re.match(
            r"from behave|def step_impl|    raise ", lines[end]
        ):
            break
        end += 1
    return ParserResult(tuple(failures), at, end) if failures else passed_over(at, end)


def _reported(lines: Sequence[str], at: int, step: str) -> ParserResult:
    """Read the step that nobody has written from the text of a scenario in a report."""
    named = _REPORTED_PLACE.match(lines[at + 1]) if at + 1 < len(lines) else None
    place = place_of(named["file"], named["line"]) if named else None
    failure = Failure("behave", "python", "", "", _wording(step), location=place)
    return one(failure, lines, at, at + 1 + bool(named))


def _wording(step: str) -> str:
    return f"Undefined step: {step}"


def _name_in_report(owner: str, name: str, *, file: str, messages: Collection[str]) -> str:
    """Name a scenario as the output does: without the feature."""
    del owner, file, messages
    return name


def _undefined_step(lines: Sequence[str], at: int, text: str) -> Failure:
    place: FailureLocation | None = None
    failure = Failure("behave", "python", "", "", _wording(text))
    for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1):
        step = _STEP.match(lines[near])
        if step and step["file"] is None and step["step"].partition(" ")[2] == text:
            scenario = _above(lines, near)
            if scenario:
                place = _place(lines[near:], scenario)
                return of_test(failure._replace(location=place), scenario["name"], [])
    return failure


TOOL = Tool(
    "behave",
    order=39,
    language="python",
    output=ToolOutput(
        words=(
            "ASSERT FAILED:",
            "Assertion Failed:",
            " scenarios:",
            HEAD,
            _UNDEFINED,
            "Failing step: ",
        ),
        parse=parse,
        closing=r"(?:Failing|Errored) scenarios:|Took \d+m(?:in )?[\d.]+s",
    ),
    reports=ToolReports(
        texts=r"(?m:^Failing step: )", kinds="NoneType", heads=r"\ANone\Z", name=_name_in_report
    ),
    command=ToolCommand(programs=("behave",), comparable=True, only_tests=("",)),
    frames=ToolFrames(runner=("behave",)),
    silence=ToolSilence(skips=(r"^\s*@(?:skip|wip)\b",)),
)
