"""The runtime of C++ as GNU and LLVM have it: an exception that nobody caught."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput
from gitmem.tools.common.reading import one

_THROWN: Final = re.compile(
    r"terminate called after throwing an instance of '(?P<type>[^'\n]{1,300})'\s*$"
    r"|libc\+\+abi: terminating due to uncaught exception of type (?P<of>[\w:<>, ]{1,300}?)"
    r"(?:: (?P<message>.*))?$"
)
_WHAT: Final = re.compile(r"  what\(\):  (?P<message>.*)$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read its type, and what it says of itself."""
    thrown = _THROWN.match(lines[at])
    if thrown is None:
        return None
    message, end = thrown["message"] or "", at + 1
    if end < len(lines) and (what := _WHAT.match(lines[end])):
        message, end = what["message"], end + 1
    kind = (thrown["type"] or thrown["of"]).replace("std::__cxx11::", "std::")
    failure = Failure("libstdcxx", "cpp", kind, message=message.strip()[:MAX_MESSAGE])
    return one(failure, lines, at, end)


TOOL = Tool(
    "libstdcxx",
    order=154,
    language="cpp",
    output=ToolOutput(
        words=("terminate called after throwing", "terminating due to uncaught exception of type"),
        parse=parse,
    ),
)
