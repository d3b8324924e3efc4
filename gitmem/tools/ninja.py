"""Ninja: runs the steps of a build."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput
from gitmem.tools.common.options import BUILD_SHOWS

TOOL = Tool(
    "ninja",
    order=311,
    output=ToolOutput(like=("gcc", "make")),
    command=ToolCommand(programs=("ninja",), builds=("ninja",), shows=BUILD_SHOWS),
    ending=ToolEnding(stopped=("build stopped",)),
)
