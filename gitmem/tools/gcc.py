"""gcc, g++, clang and their linkers."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)
from gitmem.tools.common.reading import number, one, passed_over

_LINE: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}|<[^>\n]{1,100}>):"
    r"(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?:fatal |internal compiler )?error: (?!Failure in \w+\()(?P<message>.*?)(?: \["
    r"(?P<code>-W[\w=+-]+(?:,-W[\w=+-]+)?)\])?\s*$"
)
_DRIVER: Final = re.compile(
    r"(?P<tool>(?:[\w.+-]{0,40}-)?(?:gcc|g\+\+|cc1|cc1plus|clang|clang\+\+|cc|c\+\+)(?:-[\d.]+)?): "
    r"(?:fatal )?error: (?P<message>.*)$"
)
_LINK: Final = re.compile(
    r"(?:.{0,400}?[:)] )?(?P<message>undefined reference to .+|multiple definition of .+?(?:;.*)?"
    r"|cannot find -l\S+.*|undefined symbol: .+|duplicate symbol: .+"
    r"|file format not recognized.*|file not recognized: .+|relocation R_\S+ against .+"
    r"|cannot open output file .+"
    r"|.{0,200}unrecognized file format.*)$"
)
_LINK_PLACE: Final = re.compile(
    r"(?:.{0,300}?: )?(?P<file>[^\s:()]+\.(?:c|cc|cpp|cxx|C|m|rs|f90|s)):(?:"
    r"(?P<line>\d+)|\((?P<section>[^()]*)\))"
)
_ENDS: Final = re.compile(
    r"(?:collect2|clang(?:\+\+)?(?:-\d+)?|\S*ld(?:\.\w+)?): (?:error: )?"
    r"(?:ld returned|linker command failed|symbol\(s\) not found|error: ld)"
)
_LINKER: Final = re.compile(
    r"(?:\S{0,300}[/-])?ld(?:\.\w{2,5})?: (?:error: |fatal: )?"
    r"(?!warning: |note: |.*: (?:warning|in function)\b)(?P<message>\S.*)$"
)
_REFERRED: Final = re.compile(r">>> (?:referenced by|defined at) (?P<file>[^\s:]+):(?P<line>\d+)")
_SYMBOL: Final = re.compile(r'\s+"(?P<symbol>[^"\n]{1,300})", referenced from:')
_BODY: Final = re.compile(r"\s+\d+ \||\s+\||\s+\+\+\+|\s{2,}\S|\s*[~^][~^ ]*$|\s*\^")
_NOTE: Final = re.compile(r"(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}:\d+:(?:\d+:)? note: |[^\s:]+: note: ")
_ASSERT: Final = re.compile(
    r"(?:[^\s:]{1,100}: )?(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d+): "
    r"(?P<function>[^\n]{1,300}?): "
    r"(?P<message>Assertion [`'](?P<code>.*)' failed\.?)"
)
_LANGUAGES: Final = MappingProxyType(
    dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".c++"), "c++")
    | dict.fromkeys((".f90", ".f95", ".f03", ".f08", ".f", ".for"), "fortran")
    | {".d": "d", ".adb": "ada", ".ads": "ada"}
)
_OTHERS: Final = re.compile(
    r"(?i).*\.(?!(?:[chimsly]|cc|cpp|cxx|cp|c\+\+|hh|hpp|hxx|h\+\+|inc|inl|ipp|tcc|tpp|txx|def|mm|mi|ii"
    r"|cu|cuh|ino|pde|sx|ixx|cppm|x|gch|f\d*|for|d|s|in|cl|metal|glsl)$)[a-z]\w{0,9}$"
)
"""Names of files of other languages, whose compilers write places in the same form."""
_FIXES: Final = re.compile(r" ?\((?:fix(?:es)? available)\)\s*$")
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message with its source and its notes."""
    line = lines[at]
    match = _LINE.match(line.lstrip())  # what runs a compiler indents what it prints
    if match and not _OTHERS.match(match["file"].rpartition("/")[2]):
        return _message(lines, at, match)
    if line.startswith("Undefined symbols for architecture"):
        return _undefined(lines, at)
    if _ENDS.match(line):
        if statement := _said_by_linker(lines, at, floor):
            return statement
        failure = Failure("gcc", "c", message=line.strip(), severity="consequence")
        return one(failure, lines, at, at + 1)
    driver = _DRIVER.match(line)
    if driver:
        if "linker command failed" in line:
            return passed_over(at, at + 1)
        return one(Failure("gcc", "c", message=driver["message"]), lines, at, at + 1)
    broken = _ASSERT.match(line)
    if broken:
        frame = StackFrame(broken["file"], broken["function"], int(broken["line"]), broken["code"])
        failure = Failure("libc", "c", "Assertion", "", broken["message"], (frame,))
        return one(failure, lines, at, at + 1)
    linked = _LINK.match(line)
    if linked:
        below = _REFERRED.match(lines[at + 1]) if at + 1 < len(lines) else None
        place = _LINK_PLACE.match(line) or below
        where = FailureLocation(place["file"], number(place["line"])) if place else None
        message = linked["message"].split(";", 1)[0]
        failure = Failure("ld", "c", message=message, location=where)
        return one(failure, lines, at, at + 1)
    return None


def _said_by_linker(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read the first of the lines above the driver's last one that the linker says itself."""
    start = at
    while (
        start > floor
        and (statement := _LINKER.match(lines[start - 1]))
        and not _ENDS.match(statement[0])
    ):
        start -= 1
    first = _LINKER.match(lines[start]) if start < at else None
    return (
        one(Failure("ld", "c", message=first["message"]), lines, start, at + 1) if first else None
    )


def _message(lines: Sequence[str], at: int, match: re.Match[str]) -> ParserResult:
    source, end = "", at + 1
    most = min(len(lines), at + _MOST)
    indent = len(lines[at]) - len(lines[at].lstrip())
    while end < most and not lines[end][:indent].strip():
        line = lines[end][indent:]
        noted = _NOTE.match(line)
        if not (noted or _BODY.match(line)):
            break
        if not (source or noted):
            source = line.split("|", 1)[-1].strip()
        end += 1
    language = _LANGUAGES.get("." + match["file"].rsplit(".", 1)[-1].lower(), "c")
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    code = match["code"] or ""
    failure = Failure("gcc", language, "", code, match["message"], location=place)
    return one(failure, lines, at, end)


def _undefined(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read the list of symbols that Apple's linker did not find."""
    failures: list[Failure] = []
    end = at + 1
    while end < len(lines) and end < at + 400 and lines[end].startswith("  "):
        match = _SYMBOL.match(lines[end])
        if match:
            message = f"undefined symbol: {match['symbol']}"
            failures.append(Failure("ld", "c", message=message, excerpt=lines[end].strip()))
        end += 1
    return ParserResult(tuple(failures), at, end) if failures else None


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the compiler does.

    clangd has names of its own for errors, capitals, notes below, and says that it has a fix.
    """
    first = _FIXES.sub("", message.partition("\n")[0])
    if first[:1].isupper() and not first[1:2].isupper():
        first = first[0].lower() + first[1:]
    return (code if code.startswith("-W") else ""), first


TOOL = Tool(
    "gcc",
    order=240,
    language="c",
    languages=_LANGUAGES,
    names=MappingProxyType({"g++": "", "cc": ""}),
    bears=("gcc", "ld", "libc"),
    sources=("gcc",),
    output=ToolOutput(
        words=(
            "error: ",
            "undefined reference",
            "cannot find -l",
            "ultiple definition of",
            "ndefined symbols",
            "symbol(s) not found",
            "undefined symbol",
            "recompile with",
            "file format not recognized",
            "cannot open output file",
        ),
        beside=("ssertion", "uplicate symbol", "ld returned", "nrecognized file format"),
        commands=("make",),
        parse=parse,
        closing="more references follow",
    ),
    command=ToolCommand(programs=("gcc", "g++", "cc", "c++")),
    files=ToolFiles(noise=("*.o", "*.obj", "*.gcda", "*.gcno")),
    identity=ToolIdentity(counts_as="gcc", code_tells="words"),
    diagnostic=diagnostic,
    silence=ToolSilence(skips=(r"#if 0\b",), allows=("#pragma GCC diagnostic ignored",)),
    frames=ToolFrames(roots=(r"\.\./(?:sysdeps|csu|nptl)/",), asserting=("__assert_fail", "abort")),
    ending=ToolEnding(stopped=("ompilation terminated",), linkers=("ld",)),
)
