"""Poetry: packages of Python; its messages are read where pip's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "poetry",
    order=292,
    language="python",
    output=ToolOutput(like=("pip",)),
    command=ToolCommand(
        programs=("poetry",),
        starts=("poetry run",),
    ),
)
