"""CMake: configures a build."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "cmake",
    order=312,
    output=ToolOutput(like=("gcc", "make")),
    command=ToolCommand(programs=("cmake",)),
)
