"""cpplint: style of C++, each fault in a line with its category."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "cpplint",
    order=326,
    language="c++",
    output=ToolOutput(
        words=("  [",),
        needs=r"  \[[a-z0-9_+]+/\w+\] \[\d\]$",
        parse=faults_of(
            "cpplint",
            "c++",
            r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):  (?P<message>\S.*?)  "
            r"\[(?P<code>[a-z0-9_+]+/\w+)\] \[\d\]$",
        ),
        closing=r"Total errors found: \d+|Done processing .*",
    ),
    command=ToolCommand(programs=("cpplint",), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"\bNOLINT",)),
)
