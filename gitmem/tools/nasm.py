"""NASM and the GNU assembler: faults in assembly, each in a line."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "nasm",
    order=233,
    language="assembly",
    output=ToolOutput(
        words=(".asm:", ".nasm:", ".s:", ".S:"),
        parse=faults_of(
            "nasm",
            "assembly",
            r"(?P<file>[^\s:][^:\n]{0,300}\.(?:asm|nasm|s|S)):(?P<line>\d{1,7}): "
            r"(?:(?i:fatal|error)|(?P<level>[Ww]arning)): (?:parser: )?(?P<message>\S.*)$",
        ),
    ),
    command=ToolCommand(programs=("nasm", "yasm"), comparable=True),
)
