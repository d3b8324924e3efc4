"""node:test on a terminal: a cross before each failing test, its error indented below."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult, Test, bounded, excerpt
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence
from gitmem.tools.common.node_titles import own_place
from gitmem.tools.common.spec_words import SPEC_SKIPS
from gitmem.tools.common.v8_traces import AT, error, stack

_SPEC: Final = re.compile(
    r"(?P<indent> *)\u2716 (?P<title>\S.*?)(?P<time> \(\d[\d.]*ms\))(?P<note> # .*)?$"
)
_SUITE: Final = re.compile(r"(?P<indent> *)\u25b6 (?P<title>\S.*?)(?: \(\d[\d.]*ms\))?$")
_SUBTESTS: Final = re.compile(r"'?\d+ subtests? failed'?")
_TYPE: Final = re.compile(r"\s+name: '([\w$]{1,80})'")
_MOST: Final = 300
_ABOVE: Final = 5_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a failing test with its error; one that may fail is passed over."""
    spec = _SPEC.match(lines[at])
    return _spec(lines, at, spec) if spec else None


def _spec(lines: Sequence[str], at: int, spec: re.Match[str]) -> ParserResult | None:
    """Read a failing test with its error below; one that may fail is passed over."""
    depth = len(spec["indent"])
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        if _SPEC.match(line) or _SUITE.match(line):
            break
        end += 1
    body = [line[depth + 2 :] for line in lines[at + 1 : end]]
    if spec["note"]:
        return ParserResult((), at, end)
    failure = error(body)
    if failure is None:
        words = [line.strip() for line in body if line.strip()]
        if not words:
            return None  # a suite, or the error stands further below
        if _SUBTESTS.fullmatch(words[0]):
            return ParserResult((), at, end)
        failure = _unnamed(body, words)
    place = own_place(failure)
    test = Test(
        name=_titles_of(lines, at, spec),
        message=failure.message.partition("\n")[0][:1_000],
        failing_line=place.line if place else None,
    )
    failure = failure._replace(test=test, location=place, excerpt=excerpt(lines, at, end))
    return ParserResult((failure,), at, end)


def _unnamed(body: Sequence[str], words: Sequence[str]) -> Failure:
    """Read an error whose first line does not name its type; a browser's driver writes such."""
    first = next((at for at, line in enumerate(body) if AT.match(line)), None)
    if first is None:
        return Failure("node", "javascript", message="\n".join(words)[:MAX_MESSAGE])
    frames, after = stack(body, first)
    named = next(filter(None, map(_TYPE.match, body[after:])), None)
    message = "\n".join(line.strip() for line in body[:first] if line.strip())
    return Failure(
        "node", "javascript", named[1] if named else "", "", message[:MAX_MESSAGE], bounded(frames)
    )


def _titles_of(lines: Sequence[str], at: int, spec: re.Match[str]) -> str:
    """Put the titles of its suites before a test's; at the end of the output it has none."""
    least = max(0, at - _ABOVE)
    if not spec["indent"] and at and lines[at - 1].startswith("test at "):
        # The repetition at the end: above, the same title took exactly as long.
        same = f"\u2716 {spec['title']}{spec['time']}"
        for near in range(at - 1, least - 1, -1):
            if lines[near].strip() == same and not lines[near - 1].startswith("test at "):
                inner = _SPEC.match(lines[near])
                return _titles_of(lines, near, inner) if inner else spec["title"]
    titles, depth = [spec["title"]], len(spec["indent"])
    for near in range(at - 1, least - 1, -1):
        if not depth:
            break
        suite = _SUITE.match(lines[near])
        if suite and len(suite["indent"]) < depth:
            titles.insert(0, suite["title"])
            depth = len(suite["indent"])
    return " \u203a ".join(titles)


TOOL = Tool(
    "node_test",
    order=40,
    language="javascript",
    bears=("node",),
    output=ToolOutput(words=("✖ ",), parse=parse),
    command=ToolCommand(
        programs=("node",),
        comparable=True,
        only_with="--test",
        shows=r"--test-reporter.*|--no-warnings",
        narrows=r"--test-(?:name-pattern|skip-pattern|only).*",
        only_tests=("--test",),
    ),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, r"\bt\.skip\(", r"\bskip:\s*(?:true|['\"])"),
        defines=("it", "test"),
        groups=("describe", "suite"),
    ),
)
