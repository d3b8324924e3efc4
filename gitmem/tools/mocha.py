"""Mocha: tests of JavaScript; its errors are those of V8, with numbered titles above."""

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolOutput,
    ToolSilence,
    ToolTests,
    ToolTitle,
)
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_SKIPS

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
    title=ToolTitle(filler=r"\s*\+ expected - actual$"),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, r"\bthis\.skip\("),
        defines=("it", "specify", "test"),
        groups=("context", "describe", "suite"),
        asserts=(SPEC_ASSERTS,),
        runner_settings=(r"\.mocharc\.\w+",),
        narrower=(r"\bexclude\w*\b", r"\bignore['\"]?\s*:"),
        definition=r"\s*(?:it|test|specify)(?:\.\w+)?\((?P<quote>['\"`])(?P<name>.+?)(?P=quote)",
    ),
    frames=ToolFrames(runner=("mocha",)),
    ending=ToolEnding(early="-b|--bail.*"),
)
