"""Bun: a runtime of JavaScript with a runner of tests."""

from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolSilence
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS

TOOL = Tool(
    "bun",
    order=212,
    language="javascript",
    command=ToolCommand(programs=("bun",)),
    silence=ToolSilence(
        skips=(SPEC_SKIPS,),
        inverts=(SPEC_INVERTS,),
        defines=("it", "test"),
        groups=("describe",),
        asserts=(SPEC_ASSERTS,),
    ),
    frames=ToolFrames(roots=("bun:",)),
)
