"""mypy: ``file:line: error: message  [code]``, with or without columns and pretty source."""

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
from gitmem.tools.common.reading import indented, number, one

_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb)|<\w+>):(?P<line>\d+):(?:(?P<column>\d+):)?"
    r"(?:\d+:\d+:)? (?:error|fatal error): (?P<message>.*?)(?:  \[(?P<code>[a-z][\w-]*)\])?\s*$"
)
_WRAPPED: Final = re.compile(r"(|\S.*?  )\[([a-z][\w-]*)\]\s*$")
_CODE_AT_END: Final = re.compile(r"  \[(?P<code>[a-z][\w-]*)\]\s*$")
_NOTE: Final = re.compile(r"[^\s:][^:\n]{0,400}\.pyi?:\d+:(?:\d+:)? note: ")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message, with its source line and its notes."""
    match = _LINE.match(lines[at])
    if not match:
        return None
    message, end = match["message"], at + 1
    code = match["code"] or ""
    for near in range(end, min(end + 4, len(lines))) if not code else ():
        # Pretty output wraps long messages; the last line of it ends with the code.
        wrapped = _WRAPPED.match(lines[near])
        if wrapped:
            words = [message, *lines[end:near], wrapped[1]]
            message = " ".join(word.strip() for word in words).strip()
            code, end = wrapped[2], near + 1
            break
        if _LINE.match(lines[near]) or lines[near].startswith(" "):
            break
    source = lines[end].strip() if indented(lines, end, 1) > end else ""
    end = indented(lines, end, 3)
    while end < len(lines) and _NOTE.match(lines[end]):
        end += 1
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    failure = Failure("mypy", "python", "", code, message, location=place)
    return one(failure, lines, at, end)


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the command does: its code behind, no notes below."""
    ended = _CODE_AT_END.search(message)
    if ended:
        message = message[: ended.start()]
    return code or (ended["code"] if ended else ""), message.partition("\n")[0]


TOOL = Tool(
    "mypy",
    order=90,
    language="python",
    names=MappingProxyType({"dmypy": ""}),
    sources=("mypy", "Mypy"),
    output=ToolOutput(words=(": error: ",), parse=parse),
    command=ToolCommand(programs=("mypy", "dmypy"), comparable=True),
    files=ToolFiles(
        noise=(".dmypy.json",),
        folders=frozenset({".mypy_cache"}),
        settings={"mypy.ini": "mypy"},
        sections={"mypy": "mypy"},
        aside=(r"mypy\.ini",),
    ),
    identity=ToolIdentity(counts_as="mypy", code_tells="words"),
    diagnostic=diagnostic,
    silence=ToolSilence(
        allows=(
            r"#\s*type:\s*ignore",
            r"#\s*mypy:\s*ignore-errors",
            r"\bignore_errors\s*=\s*[Tt]rue",
            r"\bno-?strict\b",
            r"\bcast\(Any\b",
        ),
        settings=(r"\.?mypy\.ini", r"pyproject\.toml", r"setup\.cfg"),
        looser=(
            r"\bdisabled?_error_code\b\s*[=:]",
            r"\bexclude\w*\b\s*[=:]",
            r"\b(?:strict\w*|no\w+|disallow_\w+|check_untyped_defs|warn_\w+)['\"]?\s*[=:]\s*[Ff]alse",
            r"\bignore_missing_imports\b",
        ),
    ),
    # After a syntax error it looks at nothing else.
    ending=ToolEnding(
        codes=frozenset({1}),
        stopped=("prevented further checking",),
        harmless=("arg-type", "return-value", "assignment", "list-item", "dict-item"),
        by_file=True,
    ),
)
