"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    tests=ToolTests(
        numbered=r" tests?\b",
        counts=(
            CountForm(
                " tests, ",
                r"(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?$",
                (ALL, FAILED, SKIPPED),
            ),
        ),
        names_failing=True,
        suffixes="bats",
    ),
    output=ToolOutput(like=("tap",)),
    command=ToolCommand(
        programs=("bats",),
        comparable=True,
        shows=r"-[tTpF]|--(?:tap|pretty|formatter|timing).*",
        narrows=r"-f|--filter.*",
        only_tests=("",),
    ),
    files=ToolFiles(tests=r"(?:.*/)?[^/]+\.bats"),
    identity=ToolIdentity(silent=r"`\[{1,2} .{1,400} \]{1,2}' failed"),
    silence=ToolSilence(
        skips=(r"^skip\b(?:\s|$)",),
        asserts=(r"^@test\b",),
        definition=r"\s*@test \"(?P<name>.+)\" \{",
    ),
)
