"""EUnit: tests of Erlang, as EUnit itself tells of them, and as rebar3 does."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import (
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    bounded,
)
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm

_HEAD: Final = re.compile(
    r"\s*(?P<module>\w+):(?:\d{1,7}:)? (?P<test>[\w-]\S{0,120}?)(?: \((?P<row>.{1,200})\))?\.\.\."
    r"(?:\[\d[\w. ]{0,20}\] )?\*failed\*$"
)
_NUMBERED: Final = re.compile(
    r"\s{1,6}\d{1,5}\) (?P<module>\w+):(?P<test>[\w-]\S{0,120}?)/\d{1,2}(?::\d{1,7})?"
    r"(?:: (?P<row>.{1,200}))?$"
)
_GENERATED: Final = re.compile(r"-(?P<name>\w+)/\d+-.*$")
"""How the compiler calls a function without a name of its own."""
_STEP: Final = re.compile(
    r"in (?:function|call from) (?P<function>\S{1,200}?) ?(?:\((?P<file>[^,()\s]{1,300}\.erl), "
    r"line (?P<line>\d{1,7})\))?$"
)
_RAISED: Final = re.compile(r"\*\*(?P<class>error|throw|exit):(?P<reason>.*)$")
_ASSERTED: Final = re.compile(r"\{(?P<macro>assert\w*),\s*\[(?P<parts>\{module,.*)\]\}$", re.DOTALL)
_PART: Final = re.compile(
    r"\{(?P<name>expression|expected|pattern|value|unexpected_success|unexpected_exception),"
    r"(?P<value>.*?)\}(?=,\s*\{[a-z_]+,|$)",
    re.DOTALL,
)
_SAID: Final = re.compile(r"\s+Failure/Error: (?:\?assert|\{(?:error|throw|exit),)")
_MACRO: Final = re.compile(r"\s+Failure/Error: (?P<said>\?assert\w*\(.*\))$")
_VALUE: Final = re.compile(r"\s+(?P<word>expected|got): (?:= )?(?P<value>.*)$")
_CAUGHT: Final = re.compile(
    r"\s+Failure/Error: \{(?P<class>error|throw|exit),\s*(?P<reason>.*?),\s*(?P<stack>\[\{.*)$",
    re.DOTALL,
)
_FRAME: Final = re.compile(
    r"\{(?P<module>\w+),(?P<function>\w+|'[^']{1,100}'),[^{}]{1,200}"
    r"\[\{file,\"(?P<file>[^\"\n]{1,300})\"\},\s*\{line,(?P<line>\d{1,7})\}"
)
_ENDS: Final = re.compile(r"\s+(?:output:<<|Output: ?|%% \S+:\d+:in )")
_OWN: Final = re.compile(r"(?:eunit|lists|gen|proc_lib|erl|erlang|timer)\w*\.erl$")
_TYPE: Final = re.compile(r"\{?(?P<type>[a-z]\w{1,60})(?=[,}]|$)")
_BLANKS: Final = re.compile(r"\s+")
_MOST: Final = 80


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one test that failed, in the form of EUnit or of rebar3."""
    at -= bool(_SAID.match(lines[at])) and at > floor
    head = _HEAD.match(lines[at])
    numbered = None if head else _NUMBERED.match(lines[at])
    if head is None and numbered is None:
        return None
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _ENDS.match(lines[end]):
        if _HEAD.match(lines[end]) or _NUMBERED.match(lines[end]):
            break
        end += 1
    body = lines[at + 1 : end]
    failure, words, values = _of_eunit(body) if head else _of_rebar(body)
    if not words:
        return None
    own = next((step for step in reversed(failure.frames) if step.in_app), None)
    asserted = words[0] if words[0].startswith("?") else ""
    if own:
        place = place_of(own.file, str(own.line))
        failure = failure._replace(location=place._replace(code=asserted))
    elif asserted and numbered:  # a module's file has its name
        file = f"{numbered['module']}.erl"
        failure = failure._replace(location=FailureLocation(file, code=asserted))
    name = _name(head or numbered)
    return one(of_test(failure, name, words, values), lines, at, end)


def _name(head: re.Match[str] | None) -> str:
    """Give the name without what the compiler and the place of a row put to it."""
    if head is None:
        return ""
    test = _GENERATED.sub(r"\g<name>", head["test"])
    row = f" \u203a {head['row']}" if head["row"] else ""
    return f"{head['module']}:{test}{row}"


def _of_eunit(body: Sequence[str]) -> tuple[Failure, list[str], tuple[str, str]]:
    frames, at = [], 0
    while at < len(body) and not _RAISED.match(body[at]):
        step = _STEP.match(body[at])
        if step and step["file"]:
            frames.append(_step(step["file"], step["function"], step["line"]))
        at += 1
    if at == len(body):
        return Failure(), [], ("", "")
    reason = "\n".join([_RAISED.sub(r"\g<reason>", body[at]), *body[at + 1 :]]).strip()
    failure = Failure("eunit", "erlang", frames=bounded(frames[::-1]))
    asserted = _ASSERTED.match(reason)
    if asserted is None:
        return _with_reason(failure, reason)
    parts = {part["name"]: part["value"].strip() for part in _PART.finditer(asserted["parts"])}
    expression = parts.get("expression", "").strip('"').replace('\\"', '"')
    pattern = parts.get("pattern", "").strip('"').replace('\\"', '"')
    expected = parts.get("expected") or pattern
    actual = next((parts[name] for name in ("value", "unexpected_success") if name in parts), "")
    actual = actual or parts.get("unexpected_exception", "")
    first = "" if asserted["macro"] == "assert" else f"{expected}, "
    return _compared(failure, f"?{asserted['macro']}({first}{expression})", expected, actual)


def _of_rebar(body: Sequence[str]) -> tuple[Failure, list[str], tuple[str, str]]:
    failure = Failure("eunit", "erlang")
    macro = next(filter(None, map(_MACRO.match, body)), None)
    if macro:
        values = {each["word"]: each["value"] for line in body if (each := _VALUE.match(line))}
        # Where the assertion stands, rebar3 does not tell.
        return _compared(failure, macro["said"], values.get("expected", ""), values.get("got", ""))
    caught = _CAUGHT.match("\n".join(body))
    if caught is None:
        return failure, [], ("", "")
    frames = [
        _step(step["file"], f"{step['module']}:{step['function']}", step["line"])
        for step in _FRAME.finditer(caught["stack"])
    ]
    return _with_reason(failure._replace(frames=bounded(frames[::-1])), caught["reason"])


def _compared(
    failure: Failure, macro: str, expected: str, actual: str
) -> tuple[Failure, list[str], tuple[str, str]]:
    words = [macro, f"expected: {expected}", f"got: {actual}"]
    return failure, words, (expected, actual)


def _with_reason(failure: Failure, reason: str) -> tuple[Failure, list[str], tuple[str, str]]:
    reason = _BLANKS.sub(" ", reason)
    kind = _TYPE.match(reason)
    return failure._replace(error_type=kind["type"] if kind else ""), [reason], ("", "")


def _step(file: str, function: str, line: str | None) -> StackFrame:
    own = not _OWN.search(file)
    return StackFrame(file, function, int(line) if line else None, in_app=own)


TOOL = Tool(
    "eunit",
    order=53,
    language="erlang",
    output=ToolOutput(
        words=("*failed*", "Failure/Error: "),
        parse=parse,
        closing=r"===> (?:\S+ )?Error running tests$",
    ),
    tests=ToolTests(
        begins=("Failed: ",),
        numbered=r" tests?, \d+ failures?",
        counts=(
            CountForm(
                "Failed: ",
                r"Failed: (\d+)\. {1,2}Skipped: (\d+)\. {1,2}Passed: (\d+)\.$",
                (FAILED, SKIPPED, PASSED),
            ),
            CountForm(
                " failure",
                r"(\d+) tests?, (\d+) failures?(?:, (\d+) (?:skips?|skipped|cancelled))?$",
                (ALL, FAILED, SKIPPED),
            ),
        ),
    ),
    frames=ToolFrames(runner=("eunit_test.erl", "eunit_proc.erl")),
    command=ToolCommand(programs=("rebar3",), comparable=True, only_tests=("eunit",)),
    files=ToolFiles(
        tests=r"(?:.*/)?test/.*\.erl|(?:.*/)?\w+_tests\.erl",
        manifests=("rebar.config",),
        locks=("rebar.lock",),
        turn=76,
        commands={"rebar.config": ("rebar3 compile", "rebar3 eunit")},
    ),
)
