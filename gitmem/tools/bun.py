"""Bun: a runtime of JavaScript with a runner of tests."""

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.bun_blocks import parse
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS
from gitmem.tools.forms import LineForm

TOOL = Tool(
    "bun",
    order=33,
    language="javascript",
    output=ToolOutput(
        words=("error: ", "Error: ", "Exception: "), needs=r"\^|expect\(", parse=parse
    ),
    tests=ToolTests(
        begins=("(pass) ", "(fail) ", "(skip) ", "(todo) "),
        numbered=r" (?:pass|fail|skip|todo)$",
        lines=(
            LineForm(") ", r"\((?P<word>pass|fail|skip|todo)\) (?P<name>\S.*?)(?: \[[\d.]+ms\])?$"),
        ),
        parts=r"(?P<number>\d+) (?P<word>pass|fail|skip|todo)$",
    ),
    command=ToolCommand(programs=("bun",)),
    files=ToolFiles(
        manifests=("bun.lockb",),  # no text that a patch could show
        locks=("bun.lock",),
        turn=32,
        runs={"package.json": "bun run "},
    ),
    silence=ToolSilence(
        skips=(SPEC_SKIPS,),
        inverts=(SPEC_INVERTS,),
        defines=("it", "test"),
        groups=("describe",),
        asserts=(SPEC_ASSERTS,),
    ),
    frames=ToolFrames(roots=("bun:",)),
)
