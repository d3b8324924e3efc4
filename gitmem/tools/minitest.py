"""minitest and test-unit: tests of Ruby."""

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolFrames, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.forms import ALL, CountForm, LineForm

TOOL = Tool(
    "minitest",
    order=252,
    language="ruby",
    output=ToolOutput(like=("ruby",)),
    silence=ToolSilence(skips=(r"^skip\b(?:\s|$)",), defines=("it",), groups=("describe",)),
    frames=ToolFrames(runner=("minitest",)),
    tests=ToolTests(
        ends=(" s = .", " s = F", " s = E", " s = S"),
        numbered=" runs,",
        lines=(
            LineForm(
                " s = ",
                r"(?P<name>[A-Z][\w:]*#test_.+?) = (?P<seconds>\d+(?:\.\d+)?) s = "
                r"(?P<word>[.FES])$",
            ),
        ),
        counts=(
            CountForm(
                " runs, ",
                r"(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$",
                (ALL, FAILED, ERROR, SKIPPED),
            ),
        ),
        names_failing=True,
    ),
)
