"""GHDL: what it says of VHDL, and the assertions that end a simulation."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "ghdl",
    order=424,
    language="vhdl",
    output=ToolOutput(
        words=(".vhd:", ".vhdl:"),
        parse=faults_of(
            "ghdl",
            "vhdl",
            r"(?P<file>[^\s:][^:\n]{0,300}\.vhdl?):(?P<line>\d{1,7}):(?P<column>\d{1,5}):"
            r"(?: |@[\d.]{1,30}\w{1,3}:)(?:(?P<level>warning|note|\(\w{1,20} "
            r"(?:note|warning|error|failure)\)):\s?|error: )?(?P<message>\S.*)$",
            mild=r"(?:note|\(\w+ note\))",
            shown=r"  ",
        ),
        closing=r"\S*ghdl\S*:error: (?:assertion failed|simulation failed)|in process \..*",
    ),
    command=ToolCommand(programs=("ghdl", "ghdl-mcode"), comparable=True),
)
