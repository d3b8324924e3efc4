"""Bundler: packages of Ruby; what it starts is read where Ruby's own errors are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "bundler",
    order=283,
    language="ruby",
    output=ToolOutput(like=("ruby",)),
    command=ToolCommand(programs=("bundle",), starts=("bundle exec",)),
)
