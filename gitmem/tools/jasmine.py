"""Jasmine: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolFrames, ToolIdentity, ToolSilence
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_SKIPS

TOOL = Tool(
    "jasmine",
    order=217,
    language="javascript",
    silence=ToolSilence(
        skips=(SPEC_SKIPS,), defines=("it",), groups=("describe",), asserts=(SPEC_ASSERTS,)
    ),
    frames=ToolFrames(runner=("jasmine",)),
    identity=ToolIdentity(
        compares=(
            r"Expected (?:[-\d<\[{'\"$(]|undefined|null|true|false|NaN|Object|Date|function)"
            r".{0,500} (?:not )?to (?:be|equal|contain|have|match|throw)\b"
        )
    ),
)
