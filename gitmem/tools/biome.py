"""Biome: rules and layout for JavaScript."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "biome",
    order=151,
    language="javascript",
    silence=ToolSilence(
        allows=("biome-ignore",), settings=(r"biome\.json",), looser=(r"\bignores?\b\s*[=:]",)
    ),
)
