"""CMake: configures a build."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "cmake",
    order=312,
    output=ToolOutput(like=("gcc", "make"), commands=("cmake",)),
)
