"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolIdentity, ToolOutput, ToolSilence

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    output=ToolOutput(like=("tap",)),
    command=ToolCommand(
        programs=("bats",),
        comparable=True,
        shows=r"-[tTpF]|--(?:tap|pretty|formatter|timing).*",
        narrows=r"-f|--filter.*",
        only_tests=("",),
    ),
    files=ToolFiles(
        tests=r"(?:.*/)?[^/]+\.bats",
    ),
    identity=ToolIdentity(silent=r"`\[{1,2} .{1,400} \]{1,2}' failed"),
    silence=ToolSilence(skips=(r"^skip\b(?:\s|$)",), asserts=(r"^@test\b",)),
)
