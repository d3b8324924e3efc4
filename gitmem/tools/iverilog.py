"""Icarus Verilog: what its compiler says, and the ``$fatal`` and ``$error`` of simulations."""

from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "iverilog",
    order=425,
    language="verilog",
    output=ToolOutput(
        words=(".v:", ".sv:", ".vh:", ".svh:"),
        parse=faults_of(
            "iverilog",
            "verilog",
            r"(?:(?:FATAL|ERROR): )?(?P<file>[^\s:][^:\n]{0,300}\.s?vh?):(?P<line>\d{1,7}): "
            r"(?:(?:sorry|assert|internal error): )?(?:error: |(?P<level>warning): )?"
            r"(?P<message>(?!\s*:)\S.*)$",
            shown=r"\s+Time: \d+ {1,2}Scope: |[^\s:][^:\n]{0,300}\.s?vh?:\d+: (?:error: )?\s+: ",
        ),
        closing=r"I give up\.|Elaboration failed|\d+ error\(s\) during elaboration\.",
    ),
    identity=ToolIdentity(silent=r"(?i:syntax error)$"),
    command=ToolCommand(programs=("iverilog", "vvp"), comparable=True),
)
