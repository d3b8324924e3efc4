"""test-unit: tests of Ruby."""

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolTests
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "test_unit",
    order=254,
    language="ruby",
    bears=("test-unit",),
    tests=ToolTests(
        numbered=r" tests?\b",
        counts=(
            CountForm(
                " assertions, ",
                r"(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, "
                r"(\d+) omissions\b.*$",
                (ALL, FAILED, ERROR, SKIPPED, SKIPPED),
            ),
        ),
    ),
)
