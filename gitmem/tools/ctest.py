"""CTest: programs of tests, each told in a line, with what it printed."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "ctest",
    order=31,
    output=ToolOutput(like=("gtest",), commands=("ctest",)),
    ending=ToolEnding(early="--rerun.*"),
)
