"""Psalm: types of PHP."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool("psalm", order=262, language="php", silence=ToolSilence(allows=("@psalm-suppress",)))
