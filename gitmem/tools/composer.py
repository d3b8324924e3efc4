"""Composer: packages of PHP that do not fit, and what its own commands could not do."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one

_UNSOLVED: Final = re.compile(
    r"Your (?:requirements|lock file) (?:could not be resolved|does not contain) .*"
)
_NUMBERED: Final = re.compile(r"  Problem \d+$")
_REASON: Final = re.compile(r"    - (?P<reason>\S.*)$")
_THROWN: Final = re.compile(r"In (?P<file>\w+\.php) line (?P<line>\d{1,7}):$")
_USAGE: Final = re.compile(
    r"(?:install|update|require|run-script|remove|validate|dump-?autoload|create-project) \[-"
)
"""What Composer closes with; every console of Symfony's draws such boxes."""
_FILE: Final = re.compile(r"\"(?P<file>[^\"\s]{1,300}\.json)\" does not contain valid JSON")
_MARGIN: Final = "  "
_BELOW: Final = 4
_PROBLEMS: Final = 10
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read why packages can't be installed, each problem by itself, or what was thrown."""
    if _UNSOLVED.match(lines[at]):
        return _unsolved(lines, at)
    return _thrown(lines, at) if _THROWN.match(lines[at]) else None


def _unsolved(lines: Sequence[str], at: int) -> ParserResult | None:
    problems: list[list[str]] = []
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if _NUMBERED.match(lines[end]):
            problems.append([])
        elif (reason := _REASON.match(lines[end])) and problems:
            problems[-1].append(reason["reason"])
        elif lines[end].strip():
            break
        end += 1
    details = [reasons for reasons in problems if reasons]
    if not details:
        return None
    first = one(Failure("composer", "php", message="\n".join(details[0])), lines, at, end)
    more = (first.failures[0]._replace(message="\n".join(each)) for each in details[1:_PROBLEMS])
    return first._replace(failures=(*first.failures, *more))


def _thrown(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read the box of an exception: its lines are broken wherever it is full."""
    end = at + 1
    while end < len(lines) and end < at + _MOST and _is_boxed(lines, end):
        end += 1
    if not any(map(_USAGE.match, lines[end : end + _BELOW])):
        return None
    boxed = [line.removeprefix(_MARGIN).rstrip() for line in lines[at + 1 : end]]
    width = max(map(len, boxed), default=0)
    text = ""
    for line in boxed:
        left = width - len(line)
        text += line + ("" if left == 0 else " " if left == 1 else "\n")
    if not text.strip():
        return None
    message = text.strip()
    of_file = _FILE.search(message)
    place = place_of(of_file["file"], None) if of_file else None
    return one(Failure("composer", "php", message=message, location=place), lines, at, end)


def _is_boxed(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is in a box; of an empty one, the blanks may have been cut."""
    if lines[at].strip():
        return lines[at].startswith(_MARGIN)
    return any(line.startswith(_MARGIN) for line in lines[at : at + 2])


TOOL = Tool(
    "composer",
    order=214,
    language="php",
    output=ToolOutput(
        words=("Your requirements could not", ".php line "),
        parse=parse,
        like=("php",),
        closing=(
            r"(?:install|update|require|run-script|remove|validate) \[--.*"
            r"|Script .* returned with error code \d+"
        ),
    ),
    command=ToolCommand(programs=("composer",)),
)
