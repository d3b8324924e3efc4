"""Maven: builds and tests of Java."""

from types import MappingProxyType
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.enclosed import enclosed, without
from gitmem.tools.forms import NAMED, CountForm, GroupForm

_ARTIFACT: Final = lazily(r"<artifactId>\s*([^<\s]+)")
_GROUP: Final = lazily(r"<groupId>\s*([\w.$\{\}-]+)\s*</groupId>")
_ABOUT: Final = lazily(r"<description>([^<]*)<")
_NOT_OWN: Final = ("parent", "dependencyManagement", "dependencies", "build")


def read_manifest(text: str) -> dict[str, Any]:
    """Read ``pom.xml``, as text and never as XML: entities that do harm mean nothing here."""
    plain_text = head = without(text, "<!--", "-->")
    for tag in _NOT_OWN:
        head = without(head, f"<{tag}>", f"</{tag}>")
    about = _ABOUT.search(head)
    name = _ARTIFACT.search(head)
    spans = enclosed(plain_text, "<dependency>", "</dependency>")
    needed = [plain_text[start:end] for start, end in spans]
    return {
        "name": name[1] if name else "",
        "about": about[1] if about else "",
        "libraries": [
            matched[1] for dependency in needed if (matched := _ARTIFACT.search(dependency))
        ],
        "declared": [matched[1] for dependency in needed if (matched := _GROUP.search(dependency))],
    }


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
    files=ToolFiles(
        manifests=("pom.xml",),
        supplies=("pom.xml",),
        folders=frozenset({"target"}),
        reads={"pom.xml": "Java"},
        read=read_manifest,
        turn=60,
        commands={"pom.xml": ("mvn package", "mvn test")},
        wrapper="mvnw",
    ),
    silence=ToolSilence(
        skips=("-DskipTests", r"<skipTests>\s*true"),
        passes=("testFailureIgnore", r"maven\.test\.failure\.ignore"),
        runner_settings=(r"pom\.xml",),
        narrower=("<exclude>",),
    ),
    frames=ToolFrames(
        folders=(r"\.m2",),
        names=MappingProxyType({"java": r"org\.(?:apache\.(?:maven|tools\.ant)|codehaus)[.$]"}),
        library_names=MappingProxyType({"java": r"org\.(?:apache\.maven|codehaus)[.$]"}),
        evidence_names=(r"org\.apache\.(?:maven|tools)[./]",),
    ),
    reports=ToolReports(folder=("target", "surefire-reports")),
)
