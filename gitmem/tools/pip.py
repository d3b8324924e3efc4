"""pip, uv and poetry: ``ERROR:`` lines, builds that failed, conflicts."""

import re
from collections.abc import Sequence
from typing import Any, Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import indented, one, passed_over
from gitmem.tools.common.requirements import of_lines

_PIP: Final = re.compile(
    r"\s*(?:ERROR: |error: (?=command '))(?P<message>(?:Could not find a version"
    r"|No matching distribution|Cannot install|Failed building|Could not build"
    r"|Could not install packages|Package '[^'\n]{1,200}' requires |pip's dependency"
    r"|Invalid (?:requirement|wheel|editable|constraint|version|marker|script)"
    r"|Could not open requirements|Ignored the following|ResolutionImpossible|Failed to build"
    r"|Command errored|Exception:|Double requirement|File \"setup|Cannot uninstall|THESE PACKAGES"
    r"|Directory .{1,300} (?:is not|cannot be) install|Can not (?:perform|combine|execute)"
    r"|Hash(?:es)? "
    r"|Error while (?:executing|checking)|Wheel|HTTP error \d|Operation cancelled"
    r"|Unknown compiler|You must give at least|unknown command \"|file://|In --require-hashes"
    r"|\S{1,200} is not a (?:valid|supported) wheel|command '[^'\n]{1,200}' failed).*)$"
)
_PLAIN: Final = re.compile(
    r" {0,4}(?P<message>(?:Could not find a version that satisfies the requirement "
    r"|Invalid requirement: '|Double requirement given: |In --require-hashes mode, ).*)$"
)
"""As versions before 19 print it, without ``ERROR:``."""
_AGAIN: Final = re.compile(
    r"(?:No matching distribution|ResolutionImpossible|Could not build"
    r"|Failed to build|Failed building)"
)
_OF_BUILD: Final = re.compile(r"Failed (?:to )?build|Could not build|Command errored out|command '")
"""What only says that a build failed: why is in what the build printed."""
_METADATA: Final = re.compile(
    r"\s*error: (?P<message>metadata-generation-failed|subprocess-exited-with-error"
    r"|externally-managed-environment|legacy-install-failure|uninstall-\S+"
    r"|resolution-too-deep|invalid-\S+|missing-\S+|\S+-error"
    r"|failed-wheel-build-for-install)$"
)
_UV: Final = re.compile(
    r"\s*(?:\xd7|error:) (?P<message>No solution found.*|Failed to "
    r"(?:build|download|fetch|resolve|prepare).*)$"
)
_CONFLICT: Final = re.compile(r"The conflict is caused by:|    .+ depends on ")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message of an installer of Python packages."""
    line = lines[at]
    uv = _UV.match(line)
    if uv:
        end = at + 1
        while end < len(lines) and end < at + 12 and re.match(r"\s+\S", lines[end]):
            end += 1
        words = [
            uv["message"],
            *(re.sub(r"^[\s│╰─▶>]+", "", below) for below in lines[at + 1 : end]),
        ]
        return one(Failure("uv", "python", message="\n".join(words)), lines, at, end)
    boxed = _METADATA.match(line)
    if boxed:
        return _boxed(lines, at, boxed["message"])
    match = _PIP.match(line) or _PLAIN.match(line)
    if not match:
        return None
    message = match["message"]
    if message.startswith("Exception:"):
        return passed_over(at, at + 1)  # the traceback below tells
    before = range(max(0, at - 30), at)
    after_reason = any("ERROR: " in lines[near] for near in before)
    if _AGAIN.match(message) and after_reason:
        return passed_over(at, at + 1)
    weight = "consequence" if _OF_BUILD.match(message) else "error"
    end = max(at + 1, indented(lines, at + 1, 10)) if _CONFLICT.match(message) else at + 1
    if message.startswith("Cannot install "):
        wants, end = _wants(lines, at)
        message = "\n".join([message, *wants])
    return one(Failure("pip", "python", message=message, severity=weight), lines, at, end)


def _wants(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Give which packages want what, as it stands below a conflict, and where that ends."""
    for near in range(at + 1, min(len(lines), at + 4)):
        if lines[near].startswith("The conflict is caused by:"):
            end = indented(lines, near + 1, 10)
            return [line.strip() for line in lines[near + 1 : end]], end
        if lines[near].strip():
            break
    return [], at + 1


def _boxed(lines: Sequence[str], at: int, code: str) -> ParserResult:
    end = at + 1
    words: list[str] = []
    while (
        end < len(lines)
        and end < at + 8
        and not re.match(r"\s+\[\d+ lines of output\]|\s*note:", lines[end])
    ):
        match = re.match(r"\s*(?:\xd7 |│ |╰─> )(?P<message>\S.*)$", lines[end])
        if match:
            words.append(match["message"])
        elif lines[end].strip():
            break
        end += 1
    weight = "error" if code == "externally-managed-environment" else "consequence"
    failure = Failure("pip", "python", "", code, "\n".join(words), severity=weight)
    return one(failure, lines, at, end)


def read_manifest(text: str) -> dict[str, Any]:
    """Read ``requirements.txt``."""
    return of_lines(line for line in text.splitlines() if not line.lstrip().startswith("-"))


TOOL = Tool(
    "pip",
    order=290,
    language="python",
    output=ToolOutput(
        words=("ERROR: ", "error: ", "No solution found", "equirement"),
        commands=("pipenv",),
        parse=parse,
    ),
    command=ToolCommand(programs=("pip",)),
    files=ToolFiles(
        manifests=("requirements*.txt", "requirements*.in", "Pipfile"),
        locks=("Pipfile.lock",),
        supplies=("requirements*.txt",),
        generated=("pylock.toml",),
        reads={"requirements*.txt": "Python"},
        read=read_manifest,
        aside=(r"pipfile(?:\.lock)?", r"(?:[\w-]*requirements[\w-]*|constraints)\.(?:txt|in)"),
    ),
)
