"""Spring Boot: why an application did not start."""

from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.reading import one

_HEAD: Final = "APPLICATION FAILED TO START"
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read the description below the head; what is advised below it depends on nothing."""
    if lines[at].strip(" *") != _HEAD:
        return None
    words: list[str] = []
    within, end = False, at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end].strip()
        if line in {"Action:", "Reason:"}:
            break
        if within and line:
            words.append(line)
        within = within or line == "Description:"
        end += 1
    if not words:
        return None
    return one(Failure("spring", "java", message="\n".join(words)), lines, at, end)


TOOL = Tool(
    "spring",
    order=354,
    language="java",
    output=ToolOutput(words=(_HEAD,), parse=parse, closing=_HEAD),
)
