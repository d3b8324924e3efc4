"""Vala: what its compiler says; places are spans."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "vala",
    order=328,
    language="vala",
    output=ToolOutput(
        words=(".vala:", ".vapi:", ".gs:"),
        parse=faults_of(
            "vala",
            "vala",
            r"(?P<file>[^\s:][^:\n]{0,300}\.(?:vala|vapi|gs)):(?P<line>\d{1,7})\."
            r"(?P<column>\d{1,5})-\d+\.\d+: (?P<level>error|warning|note): (?P<message>\S.*)$",
            mild="note",
            shown=r"\s+\d* ?\|",
        ),
        closing=r"Compilation failed: \d+ error\(s\), \d+ warning\(s\)",
    ),
    command=ToolCommand(programs=("valac",)),
)
