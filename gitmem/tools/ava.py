"""AVA: tests of JavaScript."""

from gitmem.tools.base import Tool, ToolTests

TOOL = Tool(
    "ava",
    order=213,
    language="javascript",
    tests=ToolTests(
        titles_end=r"\u2500+$",
    ),
)
