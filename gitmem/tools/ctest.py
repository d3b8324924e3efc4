"""CTest: programs of tests, each told in a line, with what it printed."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolIdentity, ToolOutput, ToolTitle

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
    identity=ToolIdentity(only_the_end=True),
    title=ToolTitle(leads="test"),
    ending=ToolEnding(early="--rerun.*"),
)
