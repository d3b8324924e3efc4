"""Yarn: packages of JavaScript; its messages are read where npm's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput

TOOL = Tool(
    "yarn",
    order=279,
    language="javascript",
    output=ToolOutput(like=("npm",)),
    command=ToolCommand(programs=("yarn",), starts=("yarn exec",)),
    files=ToolFiles(
        locks=("yarn.lock",), turn=31, runs={"package.json": "yarn run "}, aside=(r"yarn\.lock",)
    ),
    frames=ToolFrames(folders=(r"\.yarn", r"\.pnp\.[cm]?js")),
)
