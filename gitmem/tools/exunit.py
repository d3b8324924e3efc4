"""ExUnit: tests of Elixir, also as examples in its documents."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm

_HEAD: Final = re.compile(
    r"\s{1,4}\d{1,5}\) (?:(?:test|doctest|property|feature) )?(?P<name>\S.{0,300}?) "
    r"\((?P<module>[A-Z][\w.]*)\)$"
)
_HOOK: Final = re.compile(
    r"\s{1,4}\d{1,5}\) (?P<module>[A-Z][\w.]*): (?P<name>failure on setup_all callback).*$"
)
_FILE: Final = re.compile(r"\s+(?P<file>\S.{0,300}?\.exs?):(?P<line>\d{1,7})$")
_RAISED: Final = re.compile(
    r"\s*\*\* \((?P<type>[A-Za-z_][\w.]*(?: from .{0,200})?)\) ?(?P<message>.*)$"
)
_STEP: Final = re.compile(
    r"\s+(?P<app>\([\w.]+ [\w.+-]+\) )?(?P<file>\S.{0,300}?\.[a-z]{2,4}):(?P<line>\d{1,7}): "
    r"(?P<function>\S.*)$"
)
_TRACE: Final = "stacktrace:"
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed."""
    head = _HEAD.match(lines[at]) or _HOOK.match(lines[at])
    if head is None or at + 1 >= len(lines):
        return None
    end = _end(lines, at + 1)
    body = list(lines[at + 1 : end])
    named = _FILE.match(body[0]) if body else None
    if named is None and not any(line.strip() == _TRACE for line in body):
        return None
    words, frames = _parts(body[1 if named else 0 :])
    own = next((step for step in reversed(frames) if step.in_app), None)
    place = place_of(named["file"], named["line"]) if named else None
    within = [step for step in frames if step.in_app and named and step.file == named["file"]]
    if within or own:
        inner = within[0] if within else own
        place = place_of(inner.file, str(inner.line)) if inner else place
    raised = _RAISED.match(words[0]) if words else None
    kind = ""
    if raised:
        kind, words = raised["type"], [raised["message"], *words[1:]]
        words = [words[0], *(line for line in words[1:] if not line.startswith("code:"))]
    name = f"{head['module']} \u203a {head['name']}"
    expected, actual = compared(words)
    if words and words[0].startswith("match ("):
        expected, actual = actual, expected  # the pattern stands on the left
    failure = Failure("exunit", "elixir", kind, frames=bounded(frames), location=place)
    return one(of_test(failure, name, words, (expected, actual)), lines, at, end)


def _end(lines: Sequence[str], at: int) -> int:
    """Find the end of what is indented; two empty lines stand below."""
    most = min(len(lines), at + _MOST)
    while at < most:
        line = lines[at]
        if line.strip() and not line.startswith("     "):
            break
        if not line.strip() and (at + 1 >= most or not lines[at + 1].startswith("     ")):
            break
        at += 1
    return at


def _parts(body: Sequence[str]) -> tuple[list[str], list[StackFrame]]:
    """Part what was said from the steps that led there, the innermost last."""
    words: list[str] = []
    frames: list[StackFrame] = []
    tracing = False
    for line in body:
        if line.strip() == _TRACE:
            tracing = True
        elif tracing:
            if step := _STEP.match(line):
                function = "" if step["function"] == "(test)" else step["function"]
                own = step["app"] is None and not step["function"].startswith("ExUnit.")
                frames.append(StackFrame(step["file"], function, int(step["line"]), in_app=own))
        elif line.strip():
            words.append(line.strip())
    return words, frames[::-1]


TOOL = Tool(
    "exunit",
    order=36,
    language="elixir",
    output=ToolOutput(
        words=(") test ", ") doctest ", ") property ", ": failure on setup_all"),
        commands=("mix", "elixir"),
        parse=parse,
        closing=r"Randomized with seed \d+",
    ),
    tests=ToolTests(
        numbered=r" (?:doctests?|tests?|propert(?:y|ies)),",
        counts=(
            CountForm(
                " failure",
                r"(?:\d+ (?:doctests?|propert(?:y|ies)), )*(\d+) tests?, (?:\d+ excluded, )?"
                r"(\d+) failures?(?:, (\d+) (?:skipped|excluded))?(?:, \d+ \w+)*$",
                (ALL, FAILED, SKIPPED),
            ),
        ),
    ),
    silence=ToolSilence(
        skips=("@tag :skip",), defines=("test",), groups=("describe",), example=("iex>",)
    ),
)
