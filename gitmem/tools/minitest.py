"""minitest and test-unit: tests of Ruby."""

from gitmem.tools.base import Tool, ToolFrames, ToolOutput, ToolSilence

TOOL = Tool(
    "minitest",
    order=252,
    language="ruby",
    output=ToolOutput(like=("ruby",)),
    silence=ToolSilence(skips=(r"^skip\b(?:\s|$)",), defines=("it",), groups=("describe",)),
    frames=ToolFrames(runner=("minitest",)),
)
