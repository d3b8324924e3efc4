"""Node and other programs on V8: errors that nobody caught."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.v8_traces import parse

TOOL = Tool(
    "node",
    order=210,
    language="javascript",
    output=ToolOutput(
        words=("rror", "xception"),
        beside=("    at ",),
        commands=("ts-node", "tsx"),
        parse=parse,
    ),
    command=ToolCommand(programs=("node",)),
)
