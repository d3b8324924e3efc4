"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.tools.base import Tool, ToolIdentity, ToolOutput

TOOL = Tool(
    "rspec",
    order=251,
    language="ruby",
    output=ToolOutput(like=("ruby",), commands=("rspec",)),
    identity=ToolIdentity(assertions=("ExpectationNotMetError",)),
)
