"""Vulture: code of Python that nothing uses, each in a line."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "vulture",
    order=325,
    language="python",
    output=ToolOutput(
        words=("% confidence",),
        parse=faults_of(
            "vulture",
            "python",
            r"(?P<file>[^\s:][^:\n]{0,300}\.py):(?P<line>\d{1,7}): "
            r"(?P<message>\S.*) \(\d{1,3}% confidence(?:, \d+ lines?)?\)$",
        ),
    ),
    command=ToolCommand(programs=("vulture",), comparable=True),
    ending=ToolEnding(apart=True),
)
