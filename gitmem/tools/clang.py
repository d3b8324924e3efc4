"""Clang: a compiler of C and its kin; its messages are read as GCC's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence

TOOL = Tool(
    "clang",
    order=241,
    language="c",
    output=ToolOutput(like=("gcc",)),
    command=ToolCommand(programs=("clang", "clang++")),
    silence=ToolSilence(
        allows=(r"\bNOLINT\b", "#pragma clang diagnostic ignored"),
        settings=(r"\.clang-tidy",),
        looser=(r"Checks:\s*['\"]?-",),
    ),
)
