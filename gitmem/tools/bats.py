"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput

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
)
