"""Jsonnet: faults of its static check and of evaluation, as its C++ and Go programs write them."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import number, one

_AT: Final = (
    r"(?P<file>[^\s:][^:\n]{0,400}):"
    r"(?:\((?P<first>\d{1,7}):\d{1,7}\)-\(\d{1,7}:\d{1,7}\)"
    r"|(?P<line>\d{1,7}):(?P<column>\d{1,7})(?:-\d{1,7})?)"
)
_STATIC: Final = re.compile(rf"STATIC ERROR: {_AT}: (?P<message>\S.{{0,2000}})$")
_OF_GO: Final = re.compile(
    rf"(?=[^:\n]{{0,400}}(?:\.(?:jsonnet|libsonnet)|<cmdline>):)"
    rf"{_AT} (?P<message>[A-Z].{{0,2000}})$"
)
_EVALUATION: Final = re.compile(r"RUNTIME ERROR: (?P<message>\S.{0,2000})$")
_STEP: Final = re.compile(rf"\t{_AT}\t(?P<what>.{{0,200}})$")
_FUNCTION: Final = re.compile(r"(?:function|thunk) <(?P<name>[^<>]{1,100})>")
_LIBRARY: Final = frozenset({"std.jsonnet", "<std>"})
_NAMELESS: Final = "anonymous"
_MOST_STEPS: Final = 200
_MOST_CODE: Final = 6


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a fault in the text of a file, or one in its evaluation with the steps to it."""
    head = lines[at].lstrip(" ")  # it may be quoted
    evaluation = _EVALUATION.match(head)
    if evaluation:
        return _evaluated(lines, at, evaluation["message"])
    static = _STATIC.match(head) or _OF_GO.match(head)
    if static is None:
        return None
    place = place_of(static["file"], static["line"] or static["first"], static["column"])
    failure = Failure("jsonnet", "jsonnet", message=static["message"], location=place)
    return one(failure, lines, at, _behind_code(lines, at + 1))


def _evaluated(lines: Sequence[str], at: int, message: str) -> ParserResult:
    """Read the steps below a head, the innermost first; what holds no place is one, too."""
    end = at + 1
    steps: list[StackFrame] = []
    while end < len(lines) and end < at + _MOST_STEPS and lines[end].lstrip(" ").startswith("\t"):
        step = _STEP.match(lines[end].lstrip(" "))
        if step:
            function = _FUNCTION.match(step["what"])
            name = function["name"] if function else ""
            library = step["file"] in _LIBRARY
            steps.append(
                StackFrame(
                    step["file"],
                    "" if name == _NAMELESS else name,
                    number(step["line"] or step["first"]),
                    in_app=False if library else None,
                )
            )
        end += 1
    steps.reverse()
    failure = Failure("jsonnet", "jsonnet", message=message, frames=bounded(steps))
    return one(failure, lines, at, end)


def _behind_code(lines: Sequence[str], at: int) -> int:
    """Find the end of the code that stands below a fault, between empty lines."""
    if not lines[at : at + 1] or lines[at].strip():
        return at
    end = at + 1
    while end < len(lines) and end <= at + _MOST_CODE and lines[end].strip():
        end += 1
    return end


TOOL = Tool(
    "jsonnet",
    order=406,
    language="jsonnet",
    languages={".jsonnet": "jsonnet", ".libsonnet": "jsonnet"},
    output=ToolOutput(
        words=("RUNTIME ERROR: ", "STATIC ERROR: ", "sonnet:", "<cmdline>:"),
        needs=r"RUNTIME ERROR: |STATIC ERROR: |(?:sonnet|<cmdline>):\d",
        parse=parse,
    ),
    command=ToolCommand(programs=("jsonnet",)),
)
