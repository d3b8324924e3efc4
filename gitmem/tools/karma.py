"""Karma: runs tests of JavaScript in browsers."""

from gitmem.tools.base import Tool, ToolFrames, ToolSilence

TOOL = Tool(
    "karma",
    order=216,
    language="javascript",
    silence=ToolSilence(runner_settings=(r"karma\.conf\.\w+",), narrower=(r"\bexclude\w*\b",)),
    frames=ToolFrames(runner=("karma",)),
)
