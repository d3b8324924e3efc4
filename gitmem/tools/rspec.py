"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "rspec",
    order=251,
    language="ruby",
    output=ToolOutput(like=("ruby",), commands=("rspec",)),
    ending=ToolEnding(early="--fail-?fast"),
)
