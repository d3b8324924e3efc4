"""Prettier: layout of JavaScript and others."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "prettier",
    order=152,
    language="javascript",
    silence=ToolSilence(allows=("prettier-ignore",)),
)
