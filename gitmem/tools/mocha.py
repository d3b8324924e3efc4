"""Mocha: tests of JavaScript; its errors are those of V8, with numbered titles above."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests

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
    command=ToolCommand(
        programs=("mocha",),
        comparable=True,
        shows=r"-R|-b|--bail",
        narrows=r"-[gf]|--f?grep.*",
        valued=("-R",),
        only_tests=("",),
    ),
)
