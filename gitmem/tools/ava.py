"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolCommand, ToolSilence, ToolTests
from gitmem.tools.common.spec_words import SPEC_INVERTS, SPEC_SKIPS

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
    tests=ToolTests(
        titles_end=r"\u2500+$",
    ),
    command=ToolCommand(
        programs=("ava",),
        only_tests=("",),
    ),
    silence=ToolSilence(skips=(SPEC_SKIPS,), inverts=(SPEC_INVERTS,), defines=("test",)),
)
