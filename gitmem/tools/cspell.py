"""CSpell: words that it does not know, each in a line."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "cspell",
    order=327,
    output=ToolOutput(
        words=(" - Unknown word (", " - Forbidden word (", " - Misspelled word ("),
        parse=faults_of(
            "cspell",
            "",
            r"(?P<file>[^\s:][^:\n]{0,300}):(?P<line>\d{1,7}):(?P<column>\d{1,5}) - "
            r"(?P<message>(?:Unknown|Forbidden|Misspelled) word \([^)\n]{1,100}\)).*$",
        ),
        closing=r"CSpell: Files checked: \d+, Issues found: .*",
    ),
    command=ToolCommand(programs=("cspell",), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"cspell:\s*disable",)),
)
