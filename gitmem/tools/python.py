"""Python: exceptions that nobody caught, and modules that are not there."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput
from gitmem.tools.common.python_traces import parse

TOOL = Tool(
    "python",
    order=70,
    language="python",
    output=ToolOutput(
        words=("Traceback (most recent call last)", 'File "', "No module named"),
        commands=("python",),
        parse=parse,
    ),
    ending=ToolEnding(
        unreadable_types=("SyntaxError", "IndentationError", "TabError"),
    ),
)
