"""gotestsum: runs the tests of Go, and tells at the end which failed; Go's reader reads them."""

from gitmem.output.cases import FAILED, SKIPPED
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.forms import ALL, CountForm

TOOL = Tool(
    "gotestsum",
    order=228,
    language="go",
    output=ToolOutput(
        like=("go",),
        closing=r"DONE (?:\d+ runs?, )?\d+ tests?.* in [\d.]+s|ERROR rerun aborted because .*",
    ),
    tests=ToolTests(
        begins=("DONE ",),  # beside an error, a package that could not be built counts as a test
        counts=(
            CountForm(
                "DONE ",
                r"DONE (?:\d+ runs?, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?"
                r" in [\d.]+s$",
                (ALL, SKIPPED, FAILED),
            ),
        ),
    ),
    command=ToolCommand(
        programs=("gotestsum",),
        comparable=True,
        shows=r"--format(?:=.*)?|-f|--junitfile(?:=.*)?|--jsonfile(?:=.*)?|--no-color|--hide-summary.*",
        narrows="-run.*",
        valued=("--format", "--junitfile", "--jsonfile"),
        only_tests=("",),
    ),
)
