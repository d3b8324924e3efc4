"""XCTest: tests of Swift."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "xctest",
    order=330,
    language="swift",
    silence=ToolSilence(skips=(r"\bXCTSkip\b",)),
)
