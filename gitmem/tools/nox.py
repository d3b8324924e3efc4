"""Nox: runs what checks Python in environments of its own."""

from gitmem.tools.base import Tool, ToolFrames

TOOL = Tool(
    "nox",
    order=52,
    language="python",
    frames=ToolFrames(folders=(r"\.nox",)),
)
