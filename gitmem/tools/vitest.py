"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolFiles, ToolOutput, ToolReports


def as_output(name: str, text: str, *, collecting: bool) -> str:  # noqa: ARG001  one form for all
    """Put the head before the text of a case that stands there in the output."""
    broken = "" if " > " in name else f" [ {name} ]"
    return f" FAIL  {name}{broken}\n{text.strip(chr(10))}\n"


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
    ending=ToolEnding(early="--bail.*|-t"),
    reports=ToolReports(suites="vitest tests", joint=" > ", case=as_output),
)
