"""Node and other programs on V8: errors that nobody caught."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
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
    # Of ``node --test``: what is recorded of its tests bears this name.
    tests=ToolTests(
        begins=("\u2139 ",),
        parts=r"\u2139 (?P<word>tests|pass|fail|cancelled|skipped|todo) +(?P<number>\d+)$",
        titles_end=r"\u2716 failing tests:$",
        names_failing=True,
        names_each=True,
    ),
    command=ToolCommand(programs=("node",)),
)
