"""Bun: a runtime of JavaScript with a runner of tests."""

from gitmem.tools.base import Tool, ToolCommand, ToolTests
from gitmem.tools.forms import LineForm

TOOL = Tool(
    "bun",
    order=212,
    language="javascript",
    tests=ToolTests(
        begins=("(pass) ", "(fail) ", "(skip) ", "(todo) "),
        numbered=r" (?:pass|fail|skip|todo)$",
        lines=(
            LineForm(") ", r"\((?P<word>pass|fail|skip|todo)\) (?P<name>\S.*?)(?: \[[\d.]+ms\])?$"),
        ),
        parts=r"(?P<number>\d+) (?P<word>pass|fail|skip|todo)$",
    ),
    command=ToolCommand(programs=("bun",)),
)
