"""R: errors that stopped a script, and the call that raised them."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.reading import one, passed_over

_HEAD: Final = re.compile(r"Error(?: in (?P<call>\S.{0,300}?) ?)?: ?(?P<message>.*)$")
_ENDS: Final = re.compile(r"(?:Calls: |Execution halted$|In addition: |Backtrace:|\s*\d+\. )")
_HALTED: Final = "Execution halted"
_MOST: Final = 30


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read an error below which R says that it stopped; anybody may say that there was one."""
    head = _HEAD.match(lines[at])
    below = lines[at + 1 : at + _MOST]
    if head is None or _HALTED not in below:
        return None
    words, end = [head["message"].strip()], at + 1
    while end < len(lines) and not _ENDS.match(lines[end]):
        words.append(lines[end].strip())
        end += 1
    end = at + 2 + below.index(_HALTED)
    if is_closing(words[0]):
        return passed_over(at, end)
    message = "\n".join(word for word in words if word)
    return one(Failure("rscript", "r", message=message), lines, at, end) if message else None


TOOL = Tool(
    "rscript",
    order=401,
    language="r",
    output=ToolOutput(
        words=("Error in ", "Error: "),
        needs=_HALTED,
        parse=parse,
        closing=r"Execution halted|Calls: .*",
    ),
    command=ToolCommand(programs=("Rscript",)),
)
