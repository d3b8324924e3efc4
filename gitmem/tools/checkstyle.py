"""Checkstyle: rules for Java."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "checkstyle",
    order=204,
    language="java",
    silence=ToolSilence(settings=(r"checkstyle[^/]*\.xml",)),
)
