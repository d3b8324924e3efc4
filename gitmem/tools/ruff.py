"""Ruff (full and concise), and flake8 and pylint, whose lines look alike."""

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

_CONCISE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.(?:pyi?|ipynb|toml)(?::cell \d+)?):"
    r"(?P<line>\d+):(?P<column>\d+): "
    r"(?:(?P<code>[A-Z]{1,5}\d{2,5}|invalid-syntax|SyntaxError"
    r"|[a-z]{2,20}(?:-[a-z]{1,20}){1,6}(?=:)):? )"
    r"(?:\[\*\] )?(?P<message>.*?)(?: \((?P<symbol>[a-z][a-z-]+)\))?\s*$"
)
_BRACKETED: Final = re.compile(  # pylint's format parseable
    r"(?P<file>[^\s:][^:\n]{0,400}\.pyi?):(?P<line>\d+): "
    r"\[(?P<code>[CRWEF]\d{4})\([a-z0-9-]{2,60}\)(?:, )?[^\]\n]{0,200}\] ?(?P<message>\S.*)"
)
_FULL: Final = re.compile(
    r"(?:error\[)?(?P<code>[A-Z]{1,5}\d{2,5}|invalid-syntax|SyntaxError)\]?:? "
    r"(?:\[\*\] )?(?P<message>\S.*)$"
)
_ARROW: Final = re.compile(r"\s*--> (?P<file>.+?):(?:cell \d+:)?(?P<line>\d+):(?P<column>\d+)\s*$")
_WOULD: Final = re.compile(r"Would reformat: (?P<file>\S.*\.(?:pyi?|ipynb|md))$")
_SOURCE: Final = re.compile(r"\s*(\d+ )?\s*\|")
_MARKED: Final = re.compile(r"\s*\|\s*\^")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message of a linter for Python."""
    match = _CONCISE.match(lines[at])
    if match:
        return _concise(lines, at, match)
    bracketed = _BRACKETED.match(lines[at])
    if bracketed:
        place = FailureLocation(bracketed["file"], number(bracketed["line"]))
        message = bracketed["message"].strip()
        failure = Failure("pylint", "python", "", bracketed["code"], message, location=place)
        return one(failure, lines, at, at + 1)
    if would := _WOULD.match(lines[at]):
        place = FailureLocation(would["file"])
        failure = Failure("ruff", "python", message="would be reformatted", location=place)
        return one(failure, lines, at, at + 1)
    if _ARROW.match(lines[at]):
        at -= 1
    if at < floor or at + 1 >= len(lines):
        return None
    head, arrow = _FULL.match(lines[at]), _ARROW.match(lines[at + 1])
    if not head or not arrow or not re.search(r"\.(?:pyi?|ipynb|toml)$", arrow["file"]):
        return None
    source, end = _source(lines, at + 2)
    place = FailureLocation(arrow["file"], number(arrow["line"]), number(arrow["column"]), source)
    failure = Failure("ruff", "python", "", head["code"], head["message"].strip(), location=place)
    return one(failure, lines, at, end)


def _concise(lines: Sequence[str], at: int, match: re.Match[str]) -> ParserResult:
    code, symbol = match["code"], match["symbol"]
    tool = "ruff"
    message = match["message"]
    if (code[0].islower() and code != "invalid-syntax") or (
        symbol and re.fullmatch(r"[CRWEFI]\d{4}", code)
    ):
        tool = "pylint"
    elif symbol:
        message = f"{message} ({symbol})"
    source, end = _source(lines, at + 1)
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    return one(Failure(tool, "python", "", code, message, location=place), lines, at, end)


def _source(lines: Sequence[str], at: int) -> tuple[str, int]:
    """Pass over the quoted source; the line above the mark is the one meant."""
    source, end = "", at
    while end < len(lines) and end < at + 30 and _SOURCE.match(lines[end]):
        if not source and _MARKED.match(lines[end]) and end > at:
            source = lines[end - 1].split("|", 1)[-1].strip()
        end += 1
    while end < len(lines) and end > at and re.match(r"\s*(?:= )?help: ", lines[end]):
        end += 1
    return source, end


TOOL = Tool(
    "ruff",
    order=120,
    language="python",
    sources=("Ruff",),
    output=ToolOutput(
        words=(".py:", "--> ", "Would reformat: "), beside=(".pyi:", ".ipynb:"), parse=parse
    ),
    command=ToolCommand(programs=("ruff",), comparable=True),
    files=ToolFiles(
        folders=frozenset({".ruff_cache"}),
        settings={"ruff.toml": "Ruff", ".ruff.toml": "Ruff"},
        sections={"ruff": "Ruff"},
        aside=(r"\.?ruff\.toml",),
    ),
    identity=ToolIdentity(code_tells="code"),
    silence=ToolSilence(
        allows=(r"#\s*noqa\b", r"#\s*fmt:\s*off"),
        passes=(r"--exit-zero\b",),
        settings=(r"\.?ruff\.toml", r"pyproject\.toml"),
        looser=(
            r"\b(?:extend-)?ignores?\b\s*[=:]",
            r"\bper-file-ignores\b",
            r"\bexclude\w*\b\s*[=:]",
        ),
        bars=MappingProxyType({"line-length": True, "max-complexity": True}),
    ),
    ending=ToolEnding(
        codes=frozenset({1}), apart=True, by_file=True, unreadable=("invalid-syntax", "E999")
    ),
)
