"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.tools.base import Tool, ToolIdentity, ToolOutput

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    output=ToolOutput(like=("tap",), commands=("bats",)),
    identity=ToolIdentity(silent=r"`\[{1,2} .{1,400} \]{1,2}' failed"),
)
