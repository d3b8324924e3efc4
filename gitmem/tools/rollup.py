"""Rollup and Vite: what could not be resolved or is not exported, and in which file."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import number, one

_SPEAKER: Final = r"(?:\[[\w:./@-]+\](?::| ) ?|Error: |RollupError: |\[!\] )*"
_UNRESOLVED: Final = re.compile(
    _SPEAKER + r"(?P<message>(?:Rollup f|F)ailed to resolve import \"[^\"\n]+\") "
    r"from \"(?P<file>[^\"\n]+)\""
)
_COULD_NOT: Final = re.compile(
    _SPEAKER + r"(?P<message>Could not resolve [\"'][^\"'\n]+[\"']) from [\"']?(?P<file>[^\"'\s]+)"
)
_EXPORTED: Final = re.compile(
    _SPEAKER + r"(?:(?P<at>[^\s:()]+) \((?P<line>\d+):(?P<column>\d+)\): )?"
    r"(?P<message>\"[^\"\n]+\" is not exported by \"[^\"\n]+\"), "
    r"imported by \"(?P<file>[^\"\n]+)\""
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message."""
    line = lines[at].strip()
    exported = _EXPORTED.match(line)
    match = exported or _UNRESOLVED.match(line) or _COULD_NOT.match(line)
    if match is None:
        return None
    place = FailureLocation(match["file"].rstrip("."))
    if exported:
        place = place._replace(line=number(match["line"]), column=number(match["column"]))
    failure = Failure("rollup", "javascript", "", "", match["message"], location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "rollup",
    order=358,
    language="javascript",
    output=ToolOutput(
        words=("to resolve import", "Could not resolve ", " is not exported by "),
        parse=parse,
        closing=(
            r"(?:[x\u2717\u2718] )?Build failed in |error during build"
            r"|This is most likely unintended"
        ),
    ),
    command=ToolCommand(programs=("vite", "rollup")),
)
