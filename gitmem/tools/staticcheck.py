"""Staticcheck: findings in Go code, each in a line with the number of its check."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "staticcheck",
    order=218,
    language="go",
    output=ToolOutput(
        words=("(SA", "(S1", "(ST1", "(QF1", "(U1", "(compile)"),
        parse=faults_of(
            "staticcheck",
            "go",
            r"(?:-: )?(?P<file>[^\s:][^:\n]{0,300}\.go):(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
            r"(?P<message>\S.*) \((?P<code>(?:SA|S|ST|QF|U)\d{4}|compile)\)$",
        ),
    ),
    command=ToolCommand(programs=("staticcheck",), comparable=True),
    ending=ToolEnding(apart=True),
    silence=ToolSilence(skips=(r"//lint:(?:file-)?ignore",)),
)
