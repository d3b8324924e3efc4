"""Python: exceptions that nobody caught, and modules that are not there."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.python_traces import parse

TOOL = Tool(
    "python",
    order=70,
    language="python",
    output=ToolOutput(
        words=("Traceback (most recent call last)", 'File "', "No module named"),
        parse=parse,
    ),
    command=ToolCommand(
        programs=("python",),
        modules=r"python[\d.]*|pypy[\d.]*|py",
    ),
)
