"""RSpec: tests of Ruby; its failures are read where Ruby's are."""

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.spec_words import SPEC_SKIPS
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
    identity=ToolIdentity(assertions=("ExpectationNotMetError",)),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, r"\bskip:\s*(?:true|['\"])", r"^(?:skip|pending)\b(?:\s|$)"),
        defines=("it", "specify"),
        groups=("context", "describe"),
        runner_settings=(r"\.rspec",),
        narrower=(r"--exclude\w*",),
        definition=r"\s*(?:it|specify|scenario) (?P<quote>['\"])(?P<name>.+?)(?P=quote) do\b",
    ),
    frames=ToolFrames(runner=(r"rspec[\w-]*",)),
    ending=ToolEnding(early="--fail-?fast"),
)
