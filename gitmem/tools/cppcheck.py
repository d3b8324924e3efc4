"""Cppcheck: faults of C and C++, each in a line with the id of its check."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "cppcheck",
    order=239,
    language="c",
    languages={".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hpp": "c++", ".hh": "c++"},
    output=ToolOutput(
        words=(": error: ", ": warning: ", ": style: ", ": performance: ", ": portability: "),
        needs=r"\[[a-z]\w+\]\s*$",
        parse=faults_of(
            "cppcheck",
            "c",
            r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|ipp)):"
            r"(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
            r"(?:error|warning|style|performance|portability): "
            r"(?P<message>\S.*) \[(?P<code>[a-z]\w+)\]$",
            shown=r"[^\n]{0,400}[;{})]\s*$|\s*\^\s*$",
        ),
    ),
    command=ToolCommand(programs=("cppcheck",), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"cppcheck-suppress",)),
)
