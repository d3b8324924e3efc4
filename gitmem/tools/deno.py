"""Deno: a runtime of JavaScript with a runner of tests; its errors are those of V8."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, bounded
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one
from gitmem.tools.common.v8_traces import AT, HEAD, stack
from gitmem.tools.forms import CountForm

_TEST: Final = re.compile(
    r"(?P<name>\S.{0,400}?) => (?P<file>\S.{0,400}?):(?P<line>\d{1,7}):(?P<column>\d{1,5})$"
)
_ERROR: Final = "error: "
_CARET: Final = re.compile(r"\s*\^+\s*$")
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read what went wrong in one test; its name and place stand above."""
    test = _TEST.match(lines[at - 1]) if at > floor else None
    if test is None or not lines[at].startswith(_ERROR):
        return None
    first = lines[at].removeprefix(_ERROR)
    head = HEAD.match(first)
    kind, message = (head["type"], head["message"] or "") if head else ("", first)
    end = at + 1
    words = [message]
    while end < len(lines) and end < at + _MOST and not AT.match(lines[end]):
        if _TEST.match(lines[end]) or lines[end].strip() in {"FAILURES", "ERRORS"}:
            break
        words.append(lines[end])
        end += 1
    frames, end = stack(lines, end)
    words, code = _without_code(words)
    place = place_of(test["file"], test["line"], test["column"])
    own = [step for step in frames if not foreign(step, "javascript")]
    within = [step for step in own if _same(step.file, test["file"])]
    # The body of a test has no name; what it calls to compare has.
    body = [step for step in within if not step.function]
    if chosen := body[-1:] or within[:1] or own[-1:]:
        place = place_of(chosen[0].file, str(chosen[0].line))
    if code and own:
        frames = [step._replace(code=code) if step is own[-1] else step for step in frames]
    language = "typescript" if ".ts" in place.file[-4:] else "javascript"
    failure = Failure("deno", language, kind, "", "", bounded(frames), place)
    return one(of_test(failure, test["name"], words), lines, at - 1, end)


def _without_code(words: Sequence[str]) -> tuple[list[str], str]:
    """Take the line of code away that is shown with a caret below it."""
    for at in range(1, len(words) - 1):
        if _CARET.match(words[at + 1]):
            return [*words[:at], *words[at + 2 :]], words[at].strip()
    return list(words), ""


def _same(file: str, message: str) -> bool:
    return file.endswith(message.removeprefix("."))


TOOL = Tool(
    "deno",
    order=32,
    language="javascript",
    output=ToolOutput(
        words=(_ERROR,),
        parse=parse,
        like=("node",),
        closing=r"error: (?:Test failed|Type checking failed|Found \d+ (?:error|problem)s?)\b"
        r"|Stack backtrace:",
    ),
    tests=ToolTests(
        begins=("ok | ", "FAILED | "),
        counts=(
            CountForm(
                " | ",
                r"(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed"
                r"(?: \(\d+ steps?\))?(?: \| (\d+) ignored(?: \(\d+ steps?\))?)?"
                r"(?: \| \d+ \w+(?: \w+)*)* \(.*\)$",
                (PASSED, FAILED, SKIPPED),
            ),
        ),
    ),
    command=ToolCommand(programs=("deno",)),
    files=ToolFiles(locks=("deno.lock",)),
    frames=ToolFrames(roots=("(?:deno|ext):", "https?://")),
    silence=ToolSilence(
        skips=(r"\bDeno\.test\.(?:ignore|only)\b", r"\bignore:\s*true\b"), defines=("test",)
    ),
)
