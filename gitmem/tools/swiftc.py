"""Swift: what its compiler says of a line; warnings and notes are none."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "swiftc",
    order=231,
    language="swift",
    output=ToolOutput(
        words=(": error: ",),
        needs=r"\.swift:\d",
        parse=faults_of(
            "swiftc",
            "swift",
            r"(?P<file>[^\s:][^:\n]{0,400}\.swift):(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
            r"(?:fatal )?(?P<level>error|warning|note): (?P<message>\S.*)$",
            mild="warning|note",
            shown=r"\s*\d* ?\||\s+[\^~]|\s{2,}\S.*|\s*$",
        ),
        closing=r"(?:error: )?(?:emit-module command failed|fatalError)|Compile Swift .*",
    ),
    command=ToolCommand(programs=("swiftc", "swift"), comparable=True),
    files=ToolFiles(manifests=("Package.swift",), locks=("Package.resolved",)),
)
