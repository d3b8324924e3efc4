"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    output=ToolOutput(like=("tap",), commands=("bats",)),
    files=ToolFiles(
        tests=r"(?:.*/)?[^/]+\.bats",
    ),
)
