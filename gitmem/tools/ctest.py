"""CTest: programs of tests, each told in a line, with what it printed."""

from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolTitle

TOOL = Tool(
    "ctest",
    order=31,
    output=ToolOutput(like=("gtest",), commands=("ctest",)),
    identity=ToolIdentity(only_the_end=True),
    title=ToolTitle(leads="test"),
)
