"""Haxe: what its compiler says, each fault in a line, and what a program threw."""

from typing import Final

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

_PLACE: Final = (
    r"(?P<file>[^\s:][^:\n]{0,300}\.hx):(?P<line>\d{1,7}): "
    r"(?:characters? (?P<column>\d{1,5})(?:-\d+)?|lines \d+-\d+) : "
)

TOOL = Tool(
    "haxe",
    order=423,
    language="haxe",
    output=ToolOutput(
        words=(".hx:",),
        parse=faults_of(
            "haxe",
            "haxe",
            _PLACE + r"(?P<level>Warning : (?:\(\w+\) )?)?(?!\.\.\. )"
            r"(?P<message>(?:Uncaught exception )?\S.*)$",
            told=r"[^\s:][^:\n]{0,300}\.hx:\d+: (?:characters? [\d-]+|lines [\d-]+) : \.\.\. (.*)$",
        ),
    ),
    command=ToolCommand(programs=("haxe",), comparable=True),
)
