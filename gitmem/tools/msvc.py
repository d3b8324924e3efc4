"""MSVC: the compiler and the linker of Visual C++."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import number, one

_PROJECT: Final = r"(?: \[[^\]\n]+\.vcxproj(?:::[^\]]*)?\])?\s*$"
_COMPILED: Final = re.compile(
    r"\s*(?:\d+>)?(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\n]{0,400})"
    r"\((?P<line>\d+)(?:,(?P<column>\d+))?\) ?: "
    r"(?:fatal )?error (?P<code>C\d{4}): (?P<message>.*?)" + _PROJECT
)
_LINKED: Final = re.compile(
    r"\s*(?:\d+>)?(?:LINK|LIB|(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\n]{0,400}?)(?:\([^()\n]+\))?) ?: "
    r"(?:fatal )?error (?P<code>LNK\d{4}): (?P<message>.*?)" + _PROJECT
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message; what could not be linked is in a file that nobody wrote."""
    wording = _COMPILED.match(lines[at])
    if wording:
        language = "c" if wording["file"].lower().endswith(".c") else "c++"
        place = FailureLocation(wording["file"], number(wording["line"]), number(wording["column"]))
        failure = Failure("msvc", language, "", wording["code"], wording["message"], location=place)
        return one(failure, lines, at, at + 1)
    wording = _LINKED.match(lines[at])
    if wording is None:
        return None
    counts = wording["code"] in {"LNK1120", "LNK1169", "LNK1181"}
    ends = counts and "unresolved" in wording["message"]
    failure = Failure(
        "msvc", "c++", "", wording["code"], wording["message"],
        severity="consequence" if ends else "error",
    )  # fmt: skip
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "msvc",
    order=189,
    language="c++",
    output=ToolOutput(words=("error C", "error LNK"), commands=("msbuild", "dotnet"), parse=parse),
    command=ToolCommand(programs=("cl", "link")),
    files=ToolFiles(noise=("*.obj", "*.pdb", "*.ilk")),
)
