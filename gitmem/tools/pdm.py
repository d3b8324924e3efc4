"""PDM: packages of Python; it starts programs in a project's surroundings."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles

TOOL = Tool(
    "pdm",
    order=293,
    language="python",
    command=ToolCommand(programs=("pdm",), starts=("pdm run",)),
    files=ToolFiles(locks=("pdm.lock",), sections={"pdm": "PDM"}),
)
