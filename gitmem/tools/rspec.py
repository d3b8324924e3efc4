"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "rspec",
    order=251,
    language="ruby",
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
