"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolOutput, ToolTests
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "rspec",
    order=251,
    language="ruby",
    output=ToolOutput(like=("ruby",), commands=("rspec",)),
    tests=ToolTests(
        numbered=" examples?,",
        counts=(
            CountForm(
                "example",
                r"(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?"
                r"(?:, (\d+) errors? occurred outside of examples)?$",
                (ALL, FAILED, SKIPPED, ERROR),
            ),
        ),
    ),
)
