"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "rspec",
    order=251,
    language="ruby",
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
    output=ToolOutput(like=("ruby",)),
    command=ToolCommand(
        programs=("rspec",),
        comparable=True,
        shows=r"-[fbpc]|-f\S+|--(?:backtrace|profile|fail-fast|no-fail-fast).*",
        narrows=r"-[et]|--(?:example|tag|only-failures|next-failure).*",
        valued=("-f",),
        last_failed=("--only-failures",),
        only_tests=("",),
    ),
)
