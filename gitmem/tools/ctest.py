"""CTest: programs of tests, each told in a line, with what it printed."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "ctest",
    order=31,
    output=ToolOutput(like=("gtest",)),
    command=ToolCommand(
        programs=("ctest",),
        comparable=True,
        shows=r"-V+|-j\d*|--output-on-failure|--parallel.*",
        narrows=r"-[RLE]|-I",
        only_tests=("",),
    ),
)
