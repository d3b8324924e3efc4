"""Maven: builds and tests of Java."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

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
)
