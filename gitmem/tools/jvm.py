"""Programs on the JVM: exceptions that nobody caught."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.jvm_traces import parse

TOOL = Tool(
    "jvm",
    order=200,
    language="java",
    output=ToolOutput(
        words=("xception", "rror", "Failure"),
        beside=("\tat ",),
        commands=("sbt",),
        parse=parse,
    ),
    command=ToolCommand(programs=("java",)),
)
