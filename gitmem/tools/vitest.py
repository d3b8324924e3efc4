"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput, ToolSilence
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS

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
)
