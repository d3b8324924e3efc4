"""Clang: a compiler of C and its kin; its messages are read as GCC's are."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "clang",
    order=241,
    language="c",
    output=ToolOutput(like=("gcc",), commands=("clang", "clang++")),
    ending=ToolEnding(stopped=("too many errors",)),
)
