"""codespell: misspelt words, each in a line with what was meant."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "codespell",
    order=324,
    output=ToolOutput(
        words=(" ==> ",),
        parse=faults_of(
            "codespell",
            "",
            r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}): (?P<message>\S{1,100} ==> \S.*)$",
        ),
    ),
    command=ToolCommand(programs=("codespell",), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
)
