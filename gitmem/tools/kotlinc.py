"""kotlinc: the compiler of Kotlin; its messages are read as javac's are."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "kotlinc",
    order=171,
    language="kotlin",
    output=ToolOutput(like=("javac",)),
)
