"""tsc, plain and pretty, and what calls it: ``a.ts(1,2): error TS2322: message``."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
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

_LINE: Final = re.compile(
    r"\s*(?:ERROR in )?(?:(?P<file>[^\s(][^(\n]{0,400}?)"
    r"(?:\((?P<line>\d+),(?P<column>\d+)\)|:(?P<line2>\d+):(?P<column2>\d+)))?"
    r"(?::| -)? ?error (?P<code>TS\d{2,5}): (?P<message>.*)$"
)
_PRETTY: Final = re.compile(r"(?:\d+ |\s+~|\s*$)")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, with the indented lines that explain it and the source shown."""
    match = _LINE.match(lines[at])
    if not match:
        return None
    words, end = [match["message"]], at + 1
    while end < len(lines) and end < at + 20 and re.match(r"  +\S", lines[end]):
        if _LINE.match(lines[end]):
            break
        words.append(lines[end].rstrip())
        end += 1
    source = ""
    if end + 1 < len(lines) and not lines[end].strip() and re.match(r"\d+ ", lines[end + 1]):
        source = lines[end + 1].split(" ", 1)[1].strip()
        while end < len(lines) and end < at + 30 and _PRETTY.match(lines[end]):
            end += 1
    place = None
    if match["file"]:
        line, column = match["line"] or match["line2"], match["column"] or match["column2"]
        place = FailureLocation(match["file"], number(line), number(column), source)
    failure = Failure(
        "typescript", "typescript", "", match["code"], "\n".join(words), location=place
    )
    return one(failure, lines, at, end)


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the compiler does: servers leave out the letters."""
    lines = "\n".join(line.rstrip() for line in message.split("\n"))
    return (f"TS{code}" if code.isdecimal() else code), lines


TOOL = Tool(
    "typescript",
    order=140,
    language="typescript",
    names=MappingProxyType({"ts": "", "tsc": "", "tsserver": "", "js": "javascript"}),
    sources=("ts", "js"),
    output=ToolOutput(words=("error TS",), commands=("ng", "webpack"), parse=parse),
    command=ToolCommand(programs=("tsc", "vue-tsc"), comparable=True),
    files=ToolFiles(
        noise=("*.tsbuildinfo",), settings={"tsconfig.json": "TypeScript"}, aside=(r"tslint\.json",)
    ),
    identity=ToolIdentity(
        counts_as="typescript",
        code_prefix="TS",
        bare_code=True,
        code_tells="code",
        closes_quotes=True,
        prose_code=r"TS\d{4,5}",
    ),
    diagnostic=diagnostic,
    silence=ToolSilence(
        allows=(
            r"@ts-(?:ignore|expect-error|nocheck)\b",
            r"\bskipLibCheck",
            r'"strict":\s*false',
            r"\bas any\b",
        ),
        settings=(r"tsconfig[^/]*\.json",),
        looser=(r"\b(?:strict\w*|no\w+)['\"]?\s*[=:]\s*[Ff]alse", r"\bexclude\w*\b\s*[=:]"),
    ),
    ending=ToolEnding(codes=frozenset({1, 2})),
)
