"""Programs on the JVM: exceptions that nobody caught."""

from gitmem.tools.base import Tool, ToolOutput, ToolReports
from gitmem.tools.common.jvm_traces import parse

TOOL = Tool(
    "jvm",
    order=200,
    language="java",
    output=ToolOutput(
        words=("xception", "rror", "Failure"),
        beside=("\tat ",),
        commands=("java", "gradle", "gradlew", "sbt"),
        parse=parse,
    ),
    reports=ToolReports(traces=r"(?m:^\s+at [\w.$/@]+\([^()]*\)$|^Caused by: )"),
)
