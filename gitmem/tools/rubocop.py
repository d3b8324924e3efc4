"""RuboCop: rules for Ruby."""

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "rubocop",
    order=253,
    language="ruby",
    silence=ToolSilence(
        allows=(r"rubocop:\s*disable",),
        settings=(r"\.rubocop\.yml",),
        looser=(r"\bEnabled:\s*false",),
    ),
    files=ToolFiles(aside=(r"\.rubocop\w*\.yml",)),
)
