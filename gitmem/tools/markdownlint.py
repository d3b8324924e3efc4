"""markdownlint: faults of Markdown, each in a line with its rule."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "markdownlint",
    order=321,
    language="markdown",
    output=ToolOutput(
        words=(" MD0",),
        parse=faults_of(
            "markdownlint",
            "markdown",
            r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7})(?::(?P<column>\d{1,5}))? "
            r"(?:error |(?P<level>warning) )?(?P<code>MD\d{3})(?:/[\w-]+)* (?P<message>\S.*)$",
        ),
        closing=r"Summary: \d+ (?:error|issue)\(s\)",
    ),
    command=ToolCommand(
        programs=("markdownlint-cli2", "markdownlint"), comparable=True, only_tests=("",)
    ),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"markdownlint-disable",)),
)
