"""Prettier: layout of JavaScript and others."""

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "prettier",
    order=152,
    language="javascript",
    silence=ToolSilence(allows=("prettier-ignore",)),
    files=ToolFiles(
        settings={".prettierrc*": "Prettier", "prettier.config.*": "Prettier"},
        aside=(r"\.prettier\w*(?:\.\w+)?",),
    ),
)
