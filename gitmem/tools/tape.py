"""tape: tests of JavaScript that print TAP."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.spec_words import SPEC_SKIPS

TOOL = Tool(
    "tape",
    order=11,
    language="javascript",
    tests=ToolTests(names_failing=True, names_each=True, counts_points=True),
    output=ToolOutput(like=("tap",)),
    command=ToolCommand(programs=("tape",)),
    silence=ToolSilence(skips=(SPEC_SKIPS, r"\bt\.skip\("), defines=("test",)),
)
