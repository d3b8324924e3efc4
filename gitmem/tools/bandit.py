"""Bandit: rules for the safety of Python."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool("bandit", order=123, language="python", silence=ToolSilence(allows=(r"#\s*nosec",)))
