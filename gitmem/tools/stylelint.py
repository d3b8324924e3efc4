"""Stylelint: rules for style sheets."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "stylelint",
    order=153,
    language="css",
    silence=ToolSilence(settings=(r"\.stylelintrc(?:\.\w+)?",)),
)
