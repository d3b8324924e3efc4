"""Maven: builds and tests of Java."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolReports

TOOL = Tool(
    "maven",
    order=201,
    language="java",
    output=ToolOutput(like=("javac", "jvm"), commands=("mvn", "mvnw")),
    command=ToolCommand(programs=("mvn",)),
    reports=ToolReports(folder=("target", "surefire-reports")),
)
