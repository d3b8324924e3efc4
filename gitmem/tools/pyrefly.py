"""Pyrefly: a type checker of Python; its messages are read as ty's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolIdentity, ToolOutput

TOOL = Tool(
    "pyrefly",
    order=111,
    language="python",
    output=ToolOutput(like=("ty",)),
    command=ToolCommand(programs=("pyrefly",)),
    identity=ToolIdentity(code_tells="words"),
    ending=ToolEnding(
        codes=frozenset({1}),
        harmless=("bad-argument-type", "bad-return", "bad-assignment"),
        by_file=True,
    ),
)
