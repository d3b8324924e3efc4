"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolSilence
from gitmem.tools.common.spec_words import SPEC_INVERTS, SPEC_SKIPS

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
    silence=ToolSilence(skips=(SPEC_SKIPS,), inverts=(SPEC_INVERTS,), defines=("test",)),
)
