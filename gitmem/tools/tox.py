"""tox and nox: run tests of Python in environments of their own."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "tox",
    order=51,
    language="python",
    output=ToolOutput(like=("pytest",), commands=("nox",)),
    command=ToolCommand(programs=("tox",)),
)
