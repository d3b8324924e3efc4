"""Hatch: projects of Python; it starts programs in their surroundings."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles

TOOL = Tool(
    "hatch",
    order=295,
    language="python",
    command=ToolCommand(programs=("hatch",), starts=("hatch run",)),
    files=ToolFiles(sections={"hatch": "Hatch"}),
)
