"""Yarn: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "yarn",
    order=279,
    language="javascript",
    output=ToolOutput(like=("npm",)),
    command=ToolCommand(
        programs=("yarn",),
        starts=("yarn exec",),
    ),
)
