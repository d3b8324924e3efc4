"""Maven: builds and tests of Java."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "maven",
    order=201,
    language="java",
    output=ToolOutput(like=("javac", "jvm"), commands=("mvn", "mvnw")),
)
