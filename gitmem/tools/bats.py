"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.tools.base import Tool, ToolOutput, ToolSilence

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    output=ToolOutput(like=("tap",), commands=("bats",)),
    silence=ToolSilence(skips=(r"^skip\b(?:\s|$)",), asserts=(r"^@test\b",)),
)
