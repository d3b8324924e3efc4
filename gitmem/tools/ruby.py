"""Ruby: uncaught exceptions, syntax errors, RSpec and Minitest."""

import re
from collections.abc import Sequence
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolFiles, ToolFrames, ToolOutput
from gitmem.tools.common.reading import one, passed_over

_GEM: Final = lazily(r"""^[^\S\n]*gem\s+["']([\w.-]+)["']""", re.MULTILINE)
_WANTED: Final = lazily(r"""^[^\S\n]*ruby\s+["']([^"']+)["']""", re.MULTILINE)
_HEAD: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}|\(\w+\)|-e|<[^>\n]{1,200}>):"
    r"(?P<line>\d+):(?:in [`'](?P<function>[^'\n]{1,200})': |\s?)"
    r"(?P<message>.*?)(?: \((?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)\))?\s*$"
)
_FROM: Final = re.compile(
    r"\s*(?:\d+: )?from (?P<file>[^\n]{1,400}?):(?P<line>\d+)(?::in [`']"
    r"(?P<function>[^'\n]{1,200})')?\s*$"
)
_SYNTAX: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}|-e):(?P<line>\d+): "
    r"(?P<message>(?:syntax error|unexpected|unterminated).*)$"
)
_NO_MESSAGE: Final = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*")
"""What stands for the message of an exception that has none: its type."""
_FROM_HEAD: Final = re.compile(r"(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*): (?P<message>.+)$")
_STAMP: Final = (
    r"(?:[DIWEF], \[[^\]\n]{1,80}\] +[A-Z]+ -- [^:\n]{0,80}: )?(?:\[[\w-]{1,80}\] ){0,4}"
)
_LOGGED: Final = re.compile(rf"{_STAMP}(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*) \((?P<message>.+)\):$")
"""An exception as Rails logs it: its steps stand below an empty line, behind the same stamp."""
_LOGGED_STEP: Final = re.compile(
    rf"{_STAMP}(?P<file>[\w./+@-]{{1,300}}\.rb):(?P<line>\d+)"
    r":in [`'](?P<function>[^'\n]{1,200})'$"
)
_MOST_GAPS: Final = 6
"""Lines that may stand between such an exception and its steps: the source that raised it."""
_MOST_ABOVE: Final = 2_000
_RSPEC: Final = re.compile(r"  (?P<number>\d+)\) (?P<name>\S.*)$")
_MINITEST: Final = re.compile(
    r"(?P<name>[A-Z]\w*(?:::\w+)*#test_\w.*?)(?: \[(?P<file>[^\]:]+):(?P<line>\d+)\])?:$"
)
_MINITEST_FRAME: Final = re.compile(
    r"    (?P<file>\S[^:\n]{0,300}):(?P<line>\d+):in [`'](?P<function>[^'\n]+)'$"
)
_RSPEC_FRAME: Final = re.compile(
    r"\s+# (?P<file>\S+?):(?P<line>\d+)(?::in [`'](?P<function>[^'\n]+)')?$"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one exception or one failing example."""
    line = lines[at]
    for near in (at, at - 1, at - 2):
        if near >= floor and _RSPEC.match(lines[near]) and (result := _rspec(lines, near)):
            return result
    for near in (at, at - 1):
        if near >= floor and _MINITEST.match(lines[near]):
            return _minitest(lines, near)
    if re.match(r"  +\d+\) (?:Failure|Error):$", line) and at + 1 < len(lines):
        return _minitest(lines, at + 1)
    syntax = _SYNTAX.match(line)
    if syntax and (".rb" in line or line.startswith("-e:")):
        return _syntax(lines, at, syntax)
    if logged := _LOGGED.match(line):
        return _logged(lines, at, logged)
    named = _FROM_HEAD.match(line)
    if named and at + 1 < len(lines) and _FROM.match(lines[at + 1]):
        frames, end = _frames(lines, at + 1)
        return one(_failure(named["type"], named["message"], frames), lines, at, end)
    head = _HEAD.match(line)
    if not head:
        return None
    frames, end = _frames(lines, at + 1)
    frames.append(StackFrame(head["file"], head["function"] or "", int(head["line"])))
    if head["type"]:
        return one(_failure(head["type"], head["message"], frames), lines, at, end)
    if end > at + 1 and head["function"] and _NO_MESSAGE.fullmatch(head["message"]):
        return one(_failure(head["message"], "", frames), lines, at, end)
    return None


def _logged(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult | None:
    """Read an exception in the log of Rails, with its steps."""
    end = at + 1
    while end < min(len(lines), at + _MOST_GAPS) and not _LOGGED_STEP.match(lines[end]):
        end += 1
    frames: list[StackFrame] = []
    while end < len(lines) and (step := _LOGGED_STEP.match(lines[end])):
        frames.append(StackFrame(step["file"], step["function"], int(step["line"])))
        end += 1
    if not frames and "::" not in head["type"]:
        return None
    end = end if frames else at + 1
    return one(_failure(head["type"], head["message"], frames[::-1]), lines, at, end)


def _failure(error_type: str, message: str, frames: list[StackFrame]) -> Failure:
    return Failure("ruby", "ruby", error_type, "", message, bounded(frames))


def _frames(lines: Sequence[str], at: int) -> tuple[list[StackFrame], int]:
    start = at
    while at < len(lines) and at < start + 8 and not _FROM.match(lines[at]):
        if not lines[at].strip() or _HEAD.match(lines[at]):
            break  # what error_highlight and did_you_mean add stands between
        at += 1
    while at < len(lines) and not lines[at].strip() and at < start + 8:
        at += 1
    frames: list[StackFrame] = []
    while at < len(lines) and (match := _FROM.match(lines[at])):
        frames.append(StackFrame(match["file"], match["function"] or "", int(match["line"])))
        at += 1
    return (frames[::-1], at) if frames else ([], start)


def _syntax(lines: Sequence[str], at: int, match: re.Match[str]) -> ParserResult:
    end = at + 1
    while end < len(lines) and end < at + 14 and re.match(r"\s|>|\S+\.rb:\d+:", lines[end]):
        end += 1
    place = FailureLocation(match["file"], int(match["line"]))
    failure = Failure("ruby", "ruby", "SyntaxError", "", match["message"], location=place)
    return one(failure, lines, at, end)


def _rspec(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _RSPEC.match(lines[at])
    end = at + 1
    while end < len(lines) and end < at + 80 and not _RSPEC.match(lines[end]):
        if lines[end][:1] not in (" ", ""):
            break
        end += 1
    body = lines[at + 1 : end]
    trace = [step for line in body if (step := _RSPEC_FRAME.match(line))]
    if not head or not trace:
        return None
    frames = [StackFrame(step["file"], step["function"] or "", int(step["line"])) for step in trace]
    frames.reverse()
    words = [line.strip() for line in body if line.strip() and not _RSPEC_FRAME.match(line)]
    if _pending(lines, at):
        return passed_over(at, end)
    typed = next((word[:-1] for word in words if re.fullmatch(r"[A-Z]\w*(?:::\w+)*:", word)), "")
    code = next(
        (word.split(": ", 1)[1] for word in words if word.startswith("Failure/Error: ")), ""
    )
    frames[-1] = frames[-1]._replace(code=code)
    telling = [
        word for word in words if not word.startswith("Failure/Error: ") and word != typed + ":"
    ]
    test = Test(head["name"], message=telling[0] if telling else "", failing_line=frames[-1].line)
    failure = _failure(typed or "AssertionError", "\n".join(telling), frames)
    return one(failure._replace(tool="rspec", test=test), lines, at, end)


def _pending(lines: Sequence[str], at: int) -> bool:
    """Tell whether an example stands in the list of those that are expected to fail."""
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        if lines[near].startswith(("Failures:", "Failed examples:")):
            return False
        if lines[near].startswith("Pending:"):
            return True
    return False


def _minitest(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _MINITEST.match(lines[at])
    if not head:
        return None
    end = at + 1
    while end < len(lines) and end < at + 40:
        # The message of an error stands apart from the source it quotes and from its frames.
        if not lines[end].strip() and not _goes_on(lines, end + 1):
            break
        end += 1
    body = lines[at + 1 : end]
    trace = [step for line in body if (step := _MINITEST_FRAME.match(line))]
    telling = (line for line in body if line[:1] not in (" ", "") or line.startswith("  Actual: "))
    words = [line.strip() for line in telling] or list(body[:1])
    frames = [StackFrame(step["file"], step["function"], int(step["line"])) for step in trace]
    frames.reverse()
    if head["file"]:
        frames.append(StackFrame(head["file"], head["name"], int(head["line"])))
    typed = _FROM_HEAD.match(words[0]) if words and not head["file"] else None
    error_type = typed["type"] if typed else "AssertionError"
    message = "\n".join([typed["message"], *words[1:]] if typed else words)
    place = FailureLocation(frames[-1].file, frames[-1].line) if frames else None
    test = Test(
        head["name"], message=words[0] if words else "", failing_line=place.line if place else None
    )
    failure = Failure("minitest", "ruby", error_type, "", message, bounded(frames), place, test)
    return one(failure, lines, at, end)


def _goes_on(lines: Sequence[str], at: int) -> bool:
    """Tell whether below an empty line the source of an error is quoted, or its frames stand."""
    quoted = lines[at : at + 2]
    return any(
        line.startswith("    ") or (line.strip() and not line.strip("~^ ")) for line in quoted
    )


def read_manifest(text: str) -> dict[str, Any]:
    """Read a ``Gemfile``."""
    wants = _WANTED.search(text)
    return {"wants": wants[1] if wants else "", "libraries": _GEM.findall(text)}


TOOL = Tool(
    "ruby",
    order=250,
    language="ruby",
    output=ToolOutput(
        words=(
            "Error)",
            "Exception)",
            "rror: ",
            "Failure/Error",
            ") Failure:",
            ") Error:",
            "xception: ",
            "': Interrupt",
        ),
        beside=(".rb:", "-e:", "rror (", "RecordNotFound (", "InvalidAuthenticityToken ("),
        needs=r"\d\) |#test_|:\d+:|from ",
        commands=("rake",),
        parse=parse,
        closing=r"(?:.* )?Completed 500 Internal Server Error in \d+ms.*",
    ),
    command=ToolCommand(programs=("ruby",)),
    ending=ToolEnding(interrupted=("Interrupt",)),
    files=ToolFiles(
        manifests=("Gemfile", "*.gemspec"),
        locks=("Gemfile.lock",),
        supplies=("Gemfile",),
        reads={"Gemfile": "Ruby"},
        read=read_manifest,
        aside=(r"gemfile(?:\.lock)?", r".*\.gemspec"),
    ),
    frames=ToolFrames(
        folders=("vendor", "gems", "lib/ruby"),
        libraries=("vendor", "gems"),
        clean=((110, r"^(?:rescue |ensure |block (?:\(\d+ levels\) )?)(?:in )?", ""),),
    ),
)
