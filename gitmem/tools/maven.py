"""Maven: builds and tests of Java."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput, ToolSilence

TOOL = Tool(
    "maven",
    order=201,
    language="java",
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
)
