"""PHPUnit: tests of PHP; its failures are read where PHP's are."""

from gitmem.output.cases import CaseOutcome
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
from gitmem.tools.common.testdox import method_of_sentence
from gitmem.tools.forms import NAMED, CountForm, MarkedTitle


def outcome_of_title(marked: MarkedTitle) -> CaseOutcome:
    """Make a test of a sentence below its class."""
    return CaseOutcome("phpunit", method_of_sentence(marked.top, marked.title), marked.status)


TOOL = Tool(
    "phpunit",
    order=261,
    language="php",
    tests=ToolTests(
        begins=("OK", "Tests", "No test"),
        counts=(
            CountForm("OK (", r"OK \((?P<all>\d+) tests?, .*\)$", NAMED),
            CountForm("Assertions:", r"Tests: (?P<all>\d+), Assertions: \d+.*$", NAMED),
            CountForm("No tests executed", r"No tests executed!$"),
        ),
        title_start="PHPUnit ",
        title_outcome=outcome_of_title,
        names_failing=True,
    ),
    output=ToolOutput(like=("php",)),
    command=ToolCommand(
        programs=("phpunit",),
        comparable=True,
        shows=r"--(?:testdox|do-not-cache-result|no-progress|stop-on-\w+|display-[\w-]+)",
        narrows=r"--(?:filter|group|exclude-group|testsuite).*",
        only_tests=("",),
    ),
    identity=ToolIdentity(compares="Failed asserting that "),
    silence=ToolSilence(
        skips=(r"\bmarkTest(?:Skipped|Incomplete)\(",),
        runner_settings=(r"phpunit\.xml(?:\.dist)?",),
        narrower=("<exclude>", r"--exclude\w*"),
        definition=r"\s*public function (?P<name>test\w+)\(",
    ),
    frames=ToolFrames(runner=("phpunit",)),
    ending=ToolEnding(early="--stop-on-.*"),
)
