"""Maven: builds and tests of Java."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.forms import NAMED, CountForm, GroupForm

TOOL = Tool(
    "maven",
    order=201,
    language="java",
    tests=ToolTests(
        begins=(
            "Tests",
            "No test",
            "[INFO] Tests run",
            "[ERROR] Tests run",
            "[WARNING] Tests run",
            "[INFO] No tests",
            "[ERROR] Failed to execute goal",
            "Failed",
        ),
        groups=(
            GroupForm(
                r"(?:\[\w+\] )?Tests run: (?P<all>\d+), Failures: (?P<failed>\d+), "
                r"Errors: (?P<error>\d+), Skipped: (?P<skipped>\d+), "
                r"Time elapsed: .* (?:--? )?in (?P<name>[\w.$]+)$"
            ),
        ),
        counts=(
            CountForm(
                "Tests run:",
                r"(?:\[\w+\] )?Tests run: (?P<all>\d+), Failures: \d+, Errors: \d+, "
                r"Skipped: \d+$",
                NAMED,
            ),
            CountForm(
                "No tests",
                r"(?:\[\w+\] )?(?:No tests to run\."
                r"|Failed to execute goal .*No tests matching pattern.*"
                r"|Failed to execute goal .*No tests were executed.*)$",
            ),
        ),
        qualified=True,
    ),
    output=ToolOutput(like=("javac", "jvm")),
    command=ToolCommand(
        programs=("mvn",),
        wrappers=("mvnw",),
        comparable=True,
        shows=(
            r"-[BeoX]|-T\S*|-ntp|-fae|-ff|--(?:batch-mode|errors|offline|fail-\w+"
            r"|no-transfer-progress|debug|threads).*|-Dstyle\.color=.*"
        ),
        narrows=r"-D(?:it\.)?test=.*|-pl|-rf|-am|--projects.*|--resume-from.*",
    ),
)
