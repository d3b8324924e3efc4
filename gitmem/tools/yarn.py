"""Yarn: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolFrames, ToolOutput

TOOL = Tool(
    "yarn",
    order=282,
    language="javascript",
    output=ToolOutput(like=("npm",), commands=("yarn",)),
    frames=ToolFrames(folders=(r"\.yarn", r"\.pnp\.[cm]?js")),
)
