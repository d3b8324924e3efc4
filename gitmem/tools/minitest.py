"""minitest and test-unit: tests of Ruby."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "minitest",
    order=252,
    language="ruby",
    output=ToolOutput(like=("ruby",)),
)
