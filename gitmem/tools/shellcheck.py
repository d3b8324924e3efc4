"""ShellCheck: rules for shell scripts."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "shellcheck",
    order=321,
    language="shell",
    silence=ToolSilence(allows=("shellcheck disable",)),
)
