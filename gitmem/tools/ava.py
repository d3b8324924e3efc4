"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
)
