"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from types import MappingProxyType

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolReports,
    ToolSilence,
)
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS


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
    silence=ToolSilence(
        skips=(SPEC_SKIPS, "--passWithNoTests"),
        inverts=(SPEC_INVERTS,),
        defines=("it", "test"),
        groups=("describe",),
        asserts=(SPEC_ASSERTS,),
        runner_settings=(r"vitest\.config\.\w+", r"vite\.config\.\w+", r"package\.json"),
        narrower=(r"\bexclude\w*\b", r"--exclude\w*", r"\btestNamePattern"),
        bars=MappingProxyType({r"threshold\w*": False}),
    ),
    frames=ToolFrames(runner=("@?vitest",)),
    ending=ToolEnding(early="--bail.*|-t"),
    reports=ToolReports(suites="vitest tests", joint=" > ", case=as_output),
)
