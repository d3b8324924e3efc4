"""Bats: tests of shell scripts that print TAP, or marks on a terminal."""

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolOutput, ToolTests
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "bats",
    order=12,
    language="shell",
    output=ToolOutput(like=("tap",), commands=("bats",)),
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
)
