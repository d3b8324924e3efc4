"""ESLint: stylish, unix, compact and json, and what it says where it can't check at all."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, ParserResult, excerpt
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import number, one

_STYLISH: Final = re.compile(
    r"\s+(?P<line>\d+):(?P<column>\d+)  +error  +(?P<message>\S.*?)(?:  +"
    r"(?P<rule>(?:@[\w-]+/)?[\w/-]+))?\s*$"
)
_CHECKED: Final = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|<\w+>)$|^<\w+>$")
"""What its own rules are for; those for other files are a plugin's, and bear its name.

Checkers of other languages write the same form.
"""
_UNIX: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<message>.*) \[Error(?:/(?P<rule>[^\]\n]+))?\]\s*$"
)
_COMPACT: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}): line (?P<line>\d+), col "
    r"(?P<column>\d+), Error - (?P<message>.*?)(?: \((?P<rule>[^()\n]+)\))?\s*$"
)
_FILE: Final = re.compile(r'"filePath":"((?:[^"\\]|\\.){1,600})"')
_JSON: Final = re.compile(
    r'\{"ruleId":(?:"(?P<rule>[^"]{1,100})"|null),'
    r'(?:"fatal":true,)?"severity":2,"message":"(?P<message>(?:[^"\\]|\\.){0,2000})",'
    r'"line":(?P<line>\d+),"column":(?P<column>\d+)'
)
_CRASHED: Final = re.compile(r"ESLint: \d+\.\d+\.\S+$")
_STEP: Final = re.compile(r"\s+at \S")
_GOES_ON: Final = re.compile(r"\(|Cannot |Error: ")
"""How the second part of what is wrong begins; others say who asks for it, and advise."""
_MOST_ABOVE: Final = 300


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, or all of a json report."""
    line = lines[at]
    if _CRASHED.match(line):
        return _crashed(lines, at)
    match = _STYLISH.match(line)
    if match:
        file = _file_above(lines, at, floor)
        rule = match["rule"] or ""
        if not (_CHECKED.search(file) or "/" in rule or (rule and not file)):
            return None
        return one(_failure(match, file), lines, at, at + 1)
    match = _UNIX.match(line) or _COMPACT.match(line)
    if match:
        return one(_failure(match, match["file"]), lines, at, at + 1)
    if '"filePath":"' in line:
        return _json(lines, at)
    return None


def _crashed(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read what stands below the version, unless it is an exception with its own stack."""
    statements: list[str] = []
    end = at + 1
    while end < len(lines) and not lines[end].strip():
        part_end = end + 1
        while part_end < len(lines) and lines[part_end].strip():
            part_end += 1
        part = lines[end + 1 : part_end]
        steps = any(map(_STEP.match, part))
        if not part or (statements and not (steps or _GOES_ON.match(part[0]))):
            break
        if steps and not statements:
            return None
        end = part_end
        statements += [] if steps else part
    message = "\n".join(line.strip() for line in statements).removeprefix("Error: ")
    message = message.replace(":\n", ": ")
    failure = Failure("eslint", "javascript", message=message[:MAX_MESSAGE])
    return one(failure, lines, at, end) if message else None


def _failure(match: re.Match[str], file: str) -> Failure:
    place = FailureLocation(file, number(match["line"]), number(match["column"]))
    rule, message = match["rule"] or "", match["message"].replace('\\"', '"')
    return Failure("eslint", "javascript", "", rule, message, location=place if file else None)


def _file_above(lines: Sequence[str], at: int, floor: int) -> str:
    least = max(0, min(floor, at), at - _MOST_ABOVE)
    least = max(0, at - _MOST_ABOVE) if least == at else least
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        line = lines[near]
        if line.strip() and not line.startswith(" "):
            return line.strip()
        if not line.strip():
            break
    return ""


def _json(lines: Sequence[str], at: int) -> ParserResult | None:
    failures = []
    pieces = _FILE.split(lines[at])
    for file, text in zip(pieces[1::2], pieces[2::2], strict=True):
        for match in _JSON.finditer(text):
            failure = _failure(match, file.replace("\\\\", "\\"))
            failures.append(failure._replace(excerpt=excerpt([match[0]], 0, 1)))
    return ParserResult(tuple(failures), at, at + 1)


TOOL = Tool(
    "eslint",
    order=150,
    language="javascript",
    sources=("eslint",),
    output=ToolOutput(
        words=(" error ", "[Error", ", Error - ", "ESLint: "),
        beside=('"filePath":"',),
        commands=("xo",),
        parse=parse,
    ),
    command=ToolCommand(programs=("eslint",), comparable=True),
    files=ToolFiles(
        noise=(".eslintcache",),
        settings={"eslint.config.*": "ESLint", ".eslintrc*": "ESLint"},
        aside=(r"\.eslint\w*(?:\.\w+)?",),
    ),
    identity=ToolIdentity(code_tells="code"),
    silence=ToolSilence(
        allows=("eslint-disable",),
        settings=(r"\.eslintrc(?:\.\w+)?", r"eslint\.config\.\w+"),
        looser=(r"\bdisabled?-next-line\b\s*[=:]", r"\bignores\b\s*[=:]"),
        bars=MappingProxyType({"--max-warnings": True}),
    ),
    ending=ToolEnding(codes=frozenset({1}), apart=True, by_file=True),
)
