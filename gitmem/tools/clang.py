"""Clang: a compiler of C and its kin; its messages are read as GCC's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "clang",
    order=241,
    language="c",
    output=ToolOutput(like=("gcc",)),
    command=ToolCommand(programs=("clang", "clang++")),
)
