"""Mocha: tests of JavaScript; its errors are those of V8, with numbered titles above."""

from gitmem.tools.base import Tool, ToolOutput, ToolTests

TOOL = Tool(
    "mocha",
    order=211,
    language="javascript",
    output=ToolOutput(like=("node",)),
    tests=ToolTests(
        numbered=r" (?:passing|failing|pending)",
        parts=r"(?P<number>\d+) (?P<word>passing|failing|pending)(?: \(.*\))?$",
        titles_end=r"\d+ (?:passing|failing|pending)\b",
        names_failing=True,
    ),
)
