"""Clang: a compiler of C and its kin; its messages are read as GCC's are."""

from types import MappingProxyType

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)

TOOL = Tool(
    "clang",
    order=241,
    language="c",
    names=MappingProxyType({"clang++": "", "clangd": ""}),
    bears=("gcc",),
    sources=("clang",),
    output=ToolOutput(like=("gcc",)),
    command=ToolCommand(programs=("clang", "clang++")),
    files=ToolFiles(noise=("*.profraw",), aside=(r"\.clang-(?:format|tidy)",)),
    identity=ToolIdentity(counts_as="gcc"),
    silence=ToolSilence(
        allows=(r"\bNOLINT\b", "#pragma clang diagnostic ignored"),
        settings=(r"\.clang-tidy",),
        looser=(r"Checks:\s*['\"]?-",),
    ),
    ending=ToolEnding(stopped=("too many errors",)),
)
