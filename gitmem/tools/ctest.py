"""CTest: programs of tests, each told in a line, with what it printed."""

from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolIdentity,
    ToolOutput,
    ToolReports,
    ToolTests,
    ToolTitle,
)
from gitmem.tools.forms import ALL, CountForm, LineForm

_SKIPPING: Final = ("***Skipped", "(Disabled)")


def status(verdict: str) -> tuple[str, str]:
    """Read how a test ended, and, where it failed, in which of several ways."""
    if verdict.endswith("Passed"):
        return PASSED, ""
    if any(word in verdict for word in _SKIPPING):
        return SKIPPED, ""
    way = verdict.replace("***Exception:", " ").replace("***", " ").strip()
    return FAILED, "" if way == "Failed" else way


TOOL = Tool(
    "ctest",
    order=31,
    tests=ToolTests(
        begins=("No test",),
        numbered=r"/\d+ +Test +#|% tests passed",
        lines=(
            LineForm(
                " Test",
                r"\d+/\d+ +Test +#\d+: (?P<name>\S.*?) \.*\s*(?P<said>\S.*?) "
                r"+(?P<seconds>\d+(?:\.\d+)?) sec$",
            ),
        ),
        status=status,
        counts=(
            CountForm(
                "tests passed",
                r"\d+% tests passed, (\d+) tests? failed out of (\d+)$",
                (FAILED, ALL),
            ),
            CountForm("No tests were found", r"No tests were found!!!$"),
        ),
        names_failing=True,
        names_each=True,
        prints_below=r" +Start +\d+: |\d+% tests passed",
        counts_skipped=True,
    ),
    output=ToolOutput(like=("gtest",)),
    reports=ToolReports(
        statuses=r"fail|notrun|disabled",
        not_run=(
            r"Unable to find (?:executable|working directory)|Required Files Missing"
            r"|Missing Configuration|Fixture dependency failed|Insufficient resources"
            r"|Invalid resource spec file|Failed to (?:start|change working directory)\b.*"
        ),
        in_output=r"(?:Failed)?",
    ),
    command=ToolCommand(
        programs=("ctest",),
        comparable=True,
        shows=r"-V+|-j\d*|--output-on-failure|--parallel.*",
        narrows=r"-[RLE]|-I",
        only_tests=("",),
    ),
    identity=ToolIdentity(only_the_end=True),
    title=ToolTitle(leads="test"),
    ending=ToolEnding(early="--rerun.*"),
)
