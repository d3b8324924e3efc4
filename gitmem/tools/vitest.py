"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput

TOOL = Tool(
    "vitest",
    order=161,
    language="javascript",
    output=ToolOutput(like=("jest",)),
    command=ToolCommand(
        programs=("vitest",),
        comparable=True,
        only_tests=("",),
    ),
    files=ToolFiles(
        settings={"vitest.config.*": "Vitest"},
    ),
)
