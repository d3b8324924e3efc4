"""Yarn: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "yarn",
    order=282,
    language="javascript",
    output=ToolOutput(like=("npm",), commands=("yarn",)),
    files=ToolFiles(
        locks=("yarn.lock",),
        turn=31,
        runs={"package.json": "yarn run "},
    ),
)
