"""Ninja: runs the steps of a build."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "ninja",
    order=311,
    output=ToolOutput(like=("gcc", "make"), commands=("ninja",)),
    ending=ToolEnding(stopped=("build stopped",)),
)
