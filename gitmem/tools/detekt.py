"""detekt: rules for Kotlin."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool("detekt", order=203, language="kotlin", silence=ToolSilence(settings=(r"detekt\.yml",)))
